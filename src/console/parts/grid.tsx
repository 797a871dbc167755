import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { place, setQuery } from '../app/place.ts';
import { saveTable, shownColumns, sorted } from './columns.ts';
import { Button, Check, Chip } from './controls.tsx';
import { Empty } from './display.tsx';
import { type Filter, Filters, filterOf, setFilters } from './filters.tsx';
import { number } from './format.ts';
import type { IconName } from './icons.tsx';
import { useMatches } from './media.ts';
import { Page, Show, useLoaded, wordsOf } from './page.tsx';
import { type Column, DataTable, type DataTableProps, type Order } from './table.tsx';
import './grid.css';

export interface GridProps<T> extends Pick<DataTableProps<T>, 'isMarked' | 'class'> {
  /** Read by screen readers as the name of the table; the CSV file is called by it. */
  readonly caption: string;
  /** The first one is the title of a row, and its link. */
  readonly columns: readonly Column<T>[];
  readonly load?: LoadRows<T>;
  /** Rows that are not loaded page by page: they are sorted in place, without an entry of the history. */
  readonly rows?: readonly T[];
  /** Parts of the rows with a line of their own above each. */
  readonly groups?: (rows: readonly T[]) => DataTableProps<T>['groups'];
  /** Loads again when one of these changes, or a filter of the address. */
  readonly keys?: readonly unknown[];
  readonly keyOf: (row: T) => string | number;
  readonly hrefOf?: (row: T) => string | null;
  /** Buttons of a row; `reload` reads the list again. */
  readonly actions?: (row: T, reload: () => void) => ComponentChildren;
  /** What is said where there are no rows; with an icon as on an empty page, and below it what makes the first one. */
  readonly none: string;
  readonly icon?: IconName;
  readonly hint?: string | undefined;
  readonly children?: ComponentChildren;
  /** One line above the table, about the rows that are shown. */
  readonly summary?: (rows: readonly T[]) => ComponentChildren;
  /** The first rows of a list that has its own page: without its buttons. */
  readonly isExcerpt?: boolean;
  /** Below another list on its page: sort and pages are stored under names of its own. */
  readonly name?: string;
}

interface Rows<T> {
  readonly rows: readonly T[];
  readonly after: string | null;
}
/** Reads a page, or all rows at once. `after`: cursor; undefined: from the beginning. */
type LoadRows<T> = (after: string | undefined, signal: AbortSignal) => Rows<T> | readonly T[] | Promise<Rows<T> | readonly T[]>;

/** A page of at most `limit` rows; `cursorOf` the last one follows the next page. */
export const rowsUpTo = <T,>(rows: readonly T[], limit: number, cursorOf: (row: T) => string | number): Rows<T> => {
  const last = rows.at(limit - 1);
  return { rows, after: last === undefined ? null : String(cursorOf(last)) };
};

const MAX_ROWS = 10_000;
/** Reads the page that follows a cursor, or all from it on. */
async function readRows<T>(load: LoadRows<T>, from: string, isAll: boolean, signal: AbortSignal): Promise<Rows<T>> {
  const rows: T[] = [];
  let after: string | null = from;
  do {
    const read: Rows<T> | readonly T[] = await load(after || undefined, signal);
    rows.push(...('rows' in read ? read.rows : read));
    after = 'rows' in read ? read.after : null;
  } while (isAll && after !== null && rows.length < MAX_ROWS);
  return { rows, after };
}

type ColumnChoiceProps<T> = Order & Readonly<Record<'columns' | 'shown', readonly Column<T>[]>> & { readonly show: (ids: string) => void };
export function ColumnChoice<T>({ columns, shown, sort, sortBy, show }: ColumnChoiceProps<T>) {
  const toggle = (id: string): void => {
    const next = columns.filter((column, index) => index > 0 && shown.includes(column) !== (column.id === id));
    show(next.map((column) => column.id).join(','));
  };
  return (
    <Chip label="Columns and order" value="Columns">
      {() => (
        <>
          <label class="field">
            Order
            <select value={sort} onChange={(e) => sortBy(e.currentTarget.value)}>
              <option value="">as the service lists them</option>
              {columns.flatMap(({ id, name }) => [
                <option key={id} value={id}>
                  {name}, smallest first
                </option>,
                <option key={`-${id}`} value={`-${id}`}>
                  {name}, largest first
                </option>,
              ])}
            </select>
          </label>
          {columns.slice(1).map((column) => (
            <Check key={column.id} class="option" text={column.name} isOn={shown.includes(column)} set={() => toggle(column.id)} />
          ))}
        </>
      )}
    </Chip>
  );
}

const PAGE = 50;
/** A narrower window has no room for every column; on a phone a row is a card, which holds them all. */
const ROOM = 'print, (width < 960px), (width >= 1280px)';
/** Parameters of the address that order and page the rows of a list. */
const OWN = /^_.*(?:sort|cols|after|page)$/;
/** A list of records: sorted, chosen columns and pages are in the address, CSV holds every row of the filter; cards on a phone. */
export function Grid<T>(props: GridProps<T>) {
  const { caption, columns, rows: given, load = () => given ?? [], keys = [], keyOf, hrefOf, name = '', isExcerpt = false } = props;
  const [sort = '', cols = '', after = '', at = ''] = ['sort', 'cols', 'after', 'page'].map((what) => filterOf(`_${name}${what}`));
  const change = (changes: Readonly<Record<string, string>>): void =>
    (given ? setQuery : setFilters)(
      Object.fromEntries(Object.entries({ after, page: at, ...changes }).map(([what, value]) => [`_${name}${what}`, value])),
    );
  const order = { sort, sortBy: (by: string): void => change({ sort: by, after: '', page: '' }) };
  const isSorted = sort !== '';
  const filters = [...place.value.query].filter(([id]) => !OWN.test(id)).join('&');
  const { loaded, reload } = useLoaded(
    (signal) => readRows(load, isSorted ? '' : after, isSorted, signal),
    [...keys, given, filters, isSorted, after],
  );
  const actions = props.actions && ((row: T) => props.actions?.(row, reload));
  const said = useSignal<string | null>(null);
  const shown = shownColumns(columns, cols, useMatches(ROOM));
  const saveCsv = async (): Promise<void> => {
    said.value = 'Reading…';
    try {
      const all = await readRows(load, '', true, new AbortController().signal);
      saveTable(caption.toLowerCase().replaceAll(' ', '-'), shown, sorted(all.rows, columns, sort));
      said.value = all.after === null ? null : `The first ${number(MAX_ROWS)} rows: narrow the filter for the others.`;
    } catch (error) {
      said.value = wordsOf(error);
    }
  };
  const table = (rows: readonly T[], next: string | null) => {
    // of a number that is no page of these rows the nearest
    const page = Math.max(1, Math.min(Math.trunc(Number(at)) || 1, Math.ceil(rows.length / PAGE)));
    const first = (page - 1) * PAGE;
    const visible = rows.slice(first, first + PAGE);
    const inMemory = first + PAGE < rows.length;
    const older: Readonly<Record<string, string>> | false = inMemory
      ? { page: String(page + 1) }
      : next !== null && !isSorted && { after: next, page: '' };
    const newer = page > 1 ? () => change({ page: page > 2 ? String(page - 1) : '' }) : after !== '' && (() => history.back());
    return (
      <>
        {props.summary && <div class="summary">{props.summary(rows)}</div>}
        <DataTable
          caption={caption}
          columns={shown}
          rows={visible}
          groups={props.groups?.(visible)}
          isMarked={props.isMarked}
          class={props.class}
          list={{ ...order, keyOf, hrefOf, actions }}
        />
        {!isExcerpt && (
          <div class="pages">
            <span>
              {number(first + 1)}–{number(first + visible.length)}
              {after === '' && next === null && ` of ${number(rows.length)}`}
              {isSorted && next !== null && ` of the newest ${number(rows.length)}, sorted`}
            </span>
            {newer && <Button icon="left" text="Newer" onClick={newer} />}
            {older && <Button icon="right" text="Older" onClick={() => change(older)} />}
          </div>
        )}
      </>
    );
  };
  return (
    <div class="grid">
      {!isExcerpt && (
        <div class="toolbar filters">
          {props.children}
          <span class="end">
            <ColumnChoice columns={columns} shown={shown} {...order} show={(ids) => change({ cols: ids })} />
            <Button icon="download" text="CSV" onClick={() => void saveCsv()} />
          </span>
        </div>
      )}
      <p role="status" class={said.value ? 'caption' : 'visually-hidden'}>
        {said.value}
      </p>
      <Show loaded={given ? { value: { rows: given, after: null } } : loaded}>
        {({ rows, after: next }) =>
          rows.length > 0 || next !== null ? (
            table(sorted(rows, columns, sort), next)
          ) : props.icon ? (
            <Empty icon={props.icon} title={props.none}>
              {props.hint && <p>{props.hint}</p>}
            </Empty>
          ) : (
            <p class="none">{props.none}</p>
          )
        }
      </Show>
    </div>
  );
}

interface ListPageProps<T> extends Omit<GridProps<T>, 'caption' | 'keys'> {
  readonly title: string;
  readonly caption?: string;
  readonly about?: ComponentChildren;
  readonly filters?: readonly (Filter | `_${string}`)[];
  /** Buttons of the page; `reload` reads the list again. */
  readonly acts?: (reload: () => void) => ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  /** What the rows show changes by itself: the page has a button that reads it again. */
  readonly isLive?: boolean;
}

export function ListPage<T>({ title, about, filters, acts, above, below, isLive = false, children, ...grid }: ListPageProps<T>) {
  const read = useSignal(0);
  const reload = (): void => void read.value++;
  return (
    <Page title={title} actions={acts?.(reload)} {...(isLive && { again: reload })}>
      {about && <p class="caption">{about}</p>}
      {above}
      <Grid caption={title} {...grid} keys={[read.value]}>
        {children}
        {filters && <Filters filters={filters} />}
      </Grid>
      {below}
    </Page>
  );
}
