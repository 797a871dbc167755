import { Component } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { watchAt } from '../app/operations.ts';
import { go, setQuery } from '../app/place.ts';
import { filterOf } from '../parts/filters.tsx';
import { number, plural } from '../parts/format.ts';
import { ColumnChoice, sorted } from '../parts/grid.tsx';
import { useMatches } from '../parts/media.ts';
import { type Column, Head, type Order, Windowed } from '../parts/table.tsx';
import { aboutOf, ChangeOf, CitedOf, CourseOf, citedInWords, Place, placeText, SiteMark, SnippetOf } from './cells.tsx';
import { useDrawnRows } from './drawn-rows.ts';
import { useGridFocus } from './grid-focus.ts';
import { isAbove, type Keyword, type ShownRankings } from './read.ts';

const ROW_PX = 33;
/** From so many rows on only those near the window are rendered. */
const MOST_RENDERED = 200;
const AROUND = 4;
const STEP = 5;

const Best = ({ keyword: { sites } }: { keyword: Keyword }) => number(sites[0]?.best ?? 0).replace(/^0$/, '–');
const KeywordName = ({ keyword, shown }: { keyword: Keyword; shown: ShownRankings }) => {
  const about = aboutOf(shown, keyword);
  return (
    <span class="of" title={[keyword.keyword, about].filter(Boolean).join(' · ')}>
      {keyword.keyword}
      {about && <small class="unstated"> {about}</small>}
    </span>
  );
};

type GridColumn = Column<Keyword> & { readonly isOwn?: boolean };
/** The columns; those of the first site are tinted. */
export function columnsOf(shown: ShownRankings, span: string): readonly GridColumn[] {
  const { sites, visibility } = shown.rankings;
  const days = visibility.map(({ day }) => day);
  const placeAt = (site: number) => (k: Keyword) => k.sites[site]?.place ?? null;
  const changeOf = ({ sites: [first] }: Keyword) => first?.change ?? null;
  const own: readonly GridColumn[] = [
    { id: 'place', name: 'Place', as: 'number', isOwn: true, value: placeAt(0), of: (k) => <Place keyword={k} site={0} /> },
    { id: 'change', name: 'Change', as: 'number', isOwn: true, value: changeOf, of: (k) => <ChangeOf keyword={k} /> },
    { id: 'best', name: 'Best', as: 'number', isOwn: true, value: (k) => k.sites[0]?.best ?? null, of: (k) => <Best keyword={k} /> },
    { id: 'course', name: span, isOwn: true, value: (k) => k.days.length, of: (k) => <CourseOf keyword={k} days={days} /> },
  ];
  const rivals = sites.slice(1).map((site, nth): GridColumn => {
    const row = nth + 1;
    return { id: `site${row}`, name: site, as: 'number', value: placeAt(row), of: (k) => <Place keyword={k} site={row} /> };
  });
  return [
    { id: 'keyword', name: 'Keyword', value: (k) => k.keyword, of: (k) => <KeywordName keyword={k} shown={shown} /> },
    ...own,
    ...rivals,
    ...(shown.ranked === 'apps' ? [] : ofSearches(shown)),
  ];
}
const ofSearches = (shown: ShownRankings): readonly GridColumn[] => [
  { id: 'snippet', name: 'Snippet', value: (k) => k.snippet, of: (k) => <SnippetOf keyword={k} shown={shown} /> },
  { id: 'cites', name: 'AI cites', value: (k) => citedInWords(k, shown), of: (k) => <CitedOf keyword={k} shown={shown} /> },
];

interface MatrixProps {
  readonly shown: ShownRankings;
  readonly keywords: readonly Keyword[];
  /** Words of the range, for the head of the courses. */
  readonly span: string;
  readonly sortBy: (sort: string) => void;
}

/** Keywords × sites: a grid with arrows, whose cells open the watch behind them; on a phone a card for each keyword. */
export function Matrix(props: MatrixProps) {
  const isWide = useMatches('(width >= 960px)');
  const { shown, keywords, span, sortBy } = props;
  const sort = filterOf('_sort');
  const all = useMemo(() => columnsOf(shown, span), [shown, span]);
  const chosen = filterOf('_cols');
  const columns = useMemo(
    () => all.filter(({ id }, index) => index === 0 || chosen === '' || chosen.split(',').includes(id)),
    [all, chosen],
  );
  const rows = useMemo(() => sorted(keywords, all, sort), [keywords, all, sort]);
  return (
    <>
      <div class="toolbar filters">
        <span class="end">
          <ColumnChoice columns={all} shown={columns} sort={sort} sortBy={sortBy} show={(_cols) => setQuery({ _cols })} />
        </span>
      </div>
      {isWide ? <Grid columns={columns} rows={rows} sort={sort} sortBy={sortBy} /> : <Cards shown={shown} rows={rows} />}
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
}
function Grid({ columns, rows, sort, sortBy }: GridProps) {
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
  const isAll = rows.length <= MOST_RENDERED;
  const target = useRef<number | null>(null);
  const [first, end] = useDrawnRows(
    rows,
    isAll ? [0, rows.length] : [Math.max(0, top - AROUND), Math.min(rows.length, top + seen + STEP + AROUND)],
    target.current,
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
      setTop(Math.max(0, Math.min(row, rows.length - seen)));
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
        const now = Math.floor(currentTarget.scrollTop / ROW_PX / STEP) * STEP;
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
                class={each.isOwn ? 'own' : undefined}
              />
            ))}
          </tr>
        </thead>
        {first > 0 && <Room rows={first} />}
        <tbody>
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
