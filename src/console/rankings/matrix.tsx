import { Component, type ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { watchAt } from '../app/operations.ts';
import { go, setQuery } from '../app/place.ts';
import { saveTable, shownColumns, sorted } from '../parts/columns.ts';
import { Button } from '../parts/controls.tsx';
import { filterOf } from '../parts/filters.tsx';
import { plural } from '../parts/format.ts';
import { ColumnChoice } from '../parts/grid.tsx';
import { useMatches } from '../parts/media.ts';
import { Head, type Order, Windowed } from '../parts/table.tsx';
import { ChangeOf, CourseOf, KeywordName, Place, placeText, SiteMark } from './cells.tsx';
import { useDrawnRows } from './drawn-rows.ts';
import { useGridFocus } from './grid-focus.ts';
import { columnsOf, type GridColumn, roomOf } from './matrix-columns.tsx';
import { fileName, isAbove, type Keyword, type ShownRankings } from './read.ts';

const ROW_PX = 33;
/** From so many rows on only those near the window are rendered. */
const MOST_RENDERED = 200;
const AROUND = 4;
const STEP = 5;

interface MatrixProps {
  readonly shown: ShownRankings;
  readonly keywords: readonly Keyword[];
  /** Words of the range, for the head of the courses. */
  readonly span: string;
  readonly sortBy: (sort: string) => void;
  /** Further files of them. */
  readonly children: ComponentChildren;
}

/** Keywords × sites: a grid with arrows, whose cells open the watch behind them; on a phone a card for each keyword. */
export function Matrix(props: MatrixProps) {
  const isWide = useMatches('print, (width >= 960px)');
  const { shown, keywords, span, sortBy, children } = props;
  const sort = filterOf('_sort');
  const all = useMemo(() => columnsOf(shown, span), [shown, span]);
  const chosen = filterOf('_cols');
  const room = roomOf(shown);
  const isNamed = useMatches(room.names);
  const hasRoom = useMatches(room.all);
  const columns = useMemo(() => shownColumns(all, chosen, hasRoom), [all, chosen, hasRoom]);
  const rows = useMemo(() => sorted(keywords, all, sort), [keywords, all, sort]);
  return (
    <>
      <div class="toolbar filters">
        <span class="end">
          <ColumnChoice columns={all} shown={columns} sort={sort} sortBy={sortBy} show={(_cols) => setQuery({ _cols })} />
          <Button icon="download" text="CSV" onClick={() => saveTable(fileName(shown), columns, rows)} />
          {children}
        </span>
      </div>
      {isWide ? <Grid {...{ columns, rows, sort, sortBy, isNamed }} /> : <Cards shown={shown} rows={rows} />}
    </>
  );
}

interface RowProps {
  readonly keyword: Keyword;
  readonly columns: readonly GridColumn[];
  /** Place in the grid, from 1. */
  readonly index: number;
}
/** A row is drawn again only where it shows something else: the focus moves through its cells without that. */
class KeywordRow extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.keyword !== this.props.keyword || next.index !== this.props.index || next.columns !== this.props.columns;
  }
  override render({ keyword, columns, index }: RowProps) {
    const href = watchAt(keyword.watchId);
    return (
      <tr aria-rowindex={index + 1} onClick={() => go(href)}>
        {columns.map((each, of) => {
          const Cell = of === 0 ? 'th' : 'td';
          return (
            <Cell
              key={each.id}
              role={of === 0 ? 'rowheader' : 'gridcell'}
              data-at={`${index} ${of}`}
              tabIndex={-1}
              class={[each.as === 'number' && 'numeric', each.isOwn && 'own'].filter(Boolean).join(' ') || undefined}
            >
              {of === 0 ? <a href={href} tabIndex={-1} children={each.of?.(keyword)} /> : each.of?.(keyword)}
            </Cell>
          );
        })}
      </tr>
    );
  }
}

interface GridProps extends Order {
  readonly columns: readonly GridColumn[];
  readonly rows: readonly Keyword[];
  /** The heads of the rivals say their names; else their marks stand for them. */
  readonly isNamed: boolean;
}
function Grid({ columns, rows, sort, sortBy, isNamed }: GridProps) {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  /** Rows that fit in the window. */
  const [seen, setSeen] = useState(AROUND);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const observer = new ResizeObserver(() => setSeen(Math.max(AROUND, Math.ceil(current.clientHeight / ROW_PX))));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  const isOnPaper = useMatches('print');
  const isAll = isOnPaper || rows.length <= MOST_RENDERED;
  const target = useRef<number | null>(null);
  /** The first row in the window; `top` follows it in steps. */
  const firstSeen = useRef(0);
  const [first, end, turn] = useDrawnRows(
    rows,
    columns,
    isAll ? [0, rows.length] : [Math.max(0, top - AROUND), Math.min(rows.length, top + seen + STEP + AROUND)],
    [firstSeen.current, Math.min(rows.length, firstSeen.current + seen)],
    target.current,
    isOnPaper,
  );
  const { onKeyDown, onFocusIn } = useGridFocus(box, {
    rows: rows.length,
    columns: columns.length,
    page: Math.max(1, seen - 2),
    open: (row) => {
      const keyword = rows[row];
      if (keyword) go(watchAt(keyword.watchId));
    },
    reveal: (row) => {
      target.current = row;
      if (box.current) box.current.scrollTop = row * ROW_PX;
      firstSeen.current = Math.max(0, Math.min(row, rows.length - seen));
      setTop(firstSeen.current);
    },
  });
  return (
    <section
      class="matrix"
      ref={box}
      aria-label="Table: Rankings"
      onKeyDown={onKeyDown}
      onFocusIn={onFocusIn}
      onScroll={({ currentTarget }) => {
        firstSeen.current = Math.floor(currentTarget.scrollTop / ROW_PX);
        const now = Math.floor(firstSeen.current / STEP) * STEP;
        if (isAll || Math.abs(now - top) < STEP) return;
        target.current = null;
        setTop(now);
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells the arrows move through is a grid (WAI-ARIA) */}
      <table role="grid" aria-label="Rankings" aria-rowcount={rows.length + 1} aria-colcount={columns.length}>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((each, index) => (
              <Head
                key={each.id}
                column={each}
                sort={sort}
                sortBy={sortBy}
                place={`0 ${index}`}
                tabIndex={-1}
                mark={/^site|^place$/.test(each.id) && <SiteMark rank={each.id === 'place' ? 0 : Number(each.id.slice(4))} />}
                isMark={!isNamed && each.id.startsWith('site')}
                class={each.isOwn ? 'own' : undefined}
              />
            ))}
          </tr>
        </thead>
        {first > 0 && <Room rows={first} />}
        {/* rows that all go are taken out of the page together */}
        <tbody key={turn}>
          {rows.slice(first, end).map((keyword, nth) => (
            <KeywordRow key={keyword.watchId} keyword={keyword} columns={columns} index={first + nth + 1} />
          ))}
        </tbody>
        {end < rows.length && <Room rows={rows.length - end} />}
      </table>
    </section>
  );
}

/** Stands for rows that are not rendered. */
const Room = ({ rows }: { rows: number }) => (
  <tbody aria-hidden="true">
    <tr>
      <td style={{ height: `${rows * ROW_PX}px` }} />
    </tr>
  </tbody>
);

function Cards({ shown, rows }: { readonly shown: ShownRankings; readonly rows: readonly Keyword[] }) {
  const days = shown.rankings.visibility.map(({ day }) => day);
  const rivals = shown.rankings.sites.length - 1;
  return (
    <div class="keyword-cards">
      <Windowed items={rows} rowHeightPx={81} chunkSize={50}>
        {(keyword) => {
          const above = shown.rankings.sites.filter((_, site) => isAbove(keyword, site)).length;
          const best = keyword.sites[0]?.best ?? null;
          return (
            <div class="keyword-card" key={keyword.watchId}>
              <a href={watchAt(keyword.watchId)}>
                <KeywordName keyword={keyword} shown={shown} />
              </a>
              <span class="now">
                {placeText(keyword, 0) === '' ? <span class="unstated">not asked</span> : <Place keyword={keyword} site={0} />}{' '}
                <ChangeOf keyword={keyword} />
              </span>
              <CourseOf keyword={keyword} days={days} />
              <span class="about">{best === null ? 'no place' : `best ${best}`}</span>
              <span class="about end">{rivals > 0 && `${above} of ${plural(rivals, 'rival')} above`}</span>
            </div>
          );
        }}
      </Windowed>
    </div>
  );
}
