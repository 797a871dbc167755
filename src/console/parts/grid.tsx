import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { csvOf } from '../../contract/tables.ts';
import { place } from '../app/place.ts';
import { Button } from './controls.tsx';
import { download } from './files.ts';
import { filterOf, setFilters } from './filters.tsx';
import { number } from './format.ts';
import { ColumnChoice, Head, Row } from './grid-parts.tsx';
import { Show, useLoaded, wordsOf } from './load.tsx';
import { type Column, type LoadRows, MAX_ROWS, readAll, readPage, sorted } from './rows.ts';

import './grid.css';

export interface GridProps<T> {
  /** Read by screen readers as the name of the table; the CSV file is called by it. */
  readonly caption: string;
  /** The first one is the title of a row, and its link. */
  readonly columns: readonly Column<T>[];
  readonly load: LoadRows<T>;
  /** Loads again when one of these changes, or a filter of the address. */
  readonly keys?: readonly unknown[];
  readonly keyOf: (row: T) => string | number;
  readonly hrefOf?: (row: T) => string | null;
  /** Buttons of a row; `reload` reads the list again. */
  readonly actions?: (row: T, reload: () => void) => ComponentChildren;
  readonly empty: ComponentChildren;
  readonly children?: ComponentChildren;
  /** One line above the table, about the rows that are shown. */
  readonly summary?: (rows: readonly T[]) => ComponentChildren;
  /** The first rows of a list that has its own page: without its buttons. */
  readonly isExcerpt?: boolean;
  /** Below another list on its page: sort and pages are kept under names of its own. */
  readonly name?: string;
}

const PAGE = 50;
/** Parameters of the address that order and page the rows of a list. */
const OWN = /^_.*(?:sort|cols|after|page)$/;
/** Moves the focus between rows: `j` and `k`, and the arrow keys. */
function moveRow(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  if (step === undefined || event.target instanceof HTMLInputElement) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('tbody th a, tbody th button')];
  const row = event.target instanceof Element ? event.target.closest('tr') : null;
  const at = links.findIndex((link) => row?.contains(link));
  links[at < 0 ? 0 : at + step]?.focus();
  event.preventDefault();
}

/** A list of records: sorted, chosen columns and pages are in the address, CSV holds every row of the filter; cards on a phone. */
export function Grid<T>(props: GridProps<T>) {
  const { caption, columns, load, keys = [], keyOf, hrefOf, actions, empty, children, summary, name = '', isExcerpt = false } = props;
  const [sort = '', cols = '', after = '', at = ''] = ['sort', 'cols', 'after', 'page'].map((what) => filterOf(`_${name}${what}`));
  const change = (changes: Readonly<Record<string, string>>): void =>
    setFilters(Object.fromEntries(Object.entries({ after, page: at, ...changes }).map(([what, value]) => [`_${name}${what}`, value])));
  const sortBy = (by: string): void => change({ sort: by, after: '', page: '' });
  const page = Number(at || 1);
  const isSorted = sort !== '';
  const filters = [...place.value.query].filter(([id]) => !OWN.test(id)).join('&');
  const { loaded, reload } = useLoaded(
    (signal) => (isSorted ? readAll(load, signal) : readPage(load, after || undefined, signal)),
    [...keys, filters, isSorted, after],
  );
  const said = useSignal<string | null>(null);
  const chosen = cols.split(',').filter(Boolean);
  const shown = columns.filter(({ id, hidden }, index) => index === 0 || (chosen.length ? chosen.includes(id) : !hidden));
  const saveCsv = async (): Promise<void> => {
    said.value = 'Reading…';
    try {
      const all = await readAll(load, new AbortController().signal);
      const rows = sorted(all.rows, columns, sort).map((row) => columns.map((column) => column.value(row)));
      download(`${caption.toLowerCase().replaceAll(' ', '-')}.csv`, 'text/csv', csvOf({ columns: columns.map((c) => c.name), rows }));
      said.value = all.after === null ? null : `The first ${number(MAX_ROWS)} rows: narrow the filter for the others.`;
    } catch (error) {
      said.value = wordsOf(error);
    }
  };
  return (
    <div class="grid">
      {!isExcerpt && (
        <div class="toolbar filters">
          {children}
          <span class="end">
            <ColumnChoice columns={columns} shown={shown} sort={sort} sortBy={sortBy} show={(ids) => change({ cols: ids })} />
            <Button icon="download" text="CSV" onClick={() => void saveCsv()} />
          </span>
        </div>
      )}
      <p role="status" class={said.value ? 'caption' : 'visually-hidden'}>
        {said.value}
      </p>
      <Show loaded={loaded}>
        {(read) => {
          const rows = sorted(read.rows, columns, sort);
          const first = (page - 1) * PAGE;
          const visible = rows.slice(first, first + PAGE);
          if (rows.length === 0 && read.after === null) return <>{empty}</>;
          const inMemory = first + PAGE < rows.length;
          return (
            <>
              {summary && <div class="summary">{summary(rows)}</div>}
              <section class="table" aria-label={`Table: ${caption}`} onKeyDown={moveRow}>
                <table>
                  <caption class="visually-hidden">{caption}</caption>
                  <thead>
                    <tr>
                      {shown.map((column) => (
                        <Head key={column.id} column={column} sort={sort} sortBy={sortBy} />
                      ))}
                      {actions && (
                        <td>
                          <span class="visually-hidden">Actions</span>
                        </td>
                      )}
                    </tr>
                  </thead>
                  <tbody>
                    {visible.map((row) => (
                      <Row key={keyOf(row)} row={row} columns={shown} href={hrefOf?.(row) ?? null} actions={actions?.(row, reload)} />
                    ))}
                  </tbody>
                </table>
              </section>
              {!isExcerpt && (
                <div class="pages">
                  <span>
                    {number(first + 1)}–{number(first + visible.length)}
                    {after === '' && read.after === null && ` of ${number(rows.length)}`}
                    {isSorted && read.after !== null && ` of the newest ${number(rows.length)}, sorted`}
                  </span>
                  {(after !== '' || page > 1) && (
                    <Button
                      icon="left"
                      text="Newer"
                      onClick={() => (page > 1 ? change({ page: page > 2 ? String(page - 1) : '' }) : history.back())}
                    />
                  )}
                  {(inMemory || (read.after !== null && !isSorted)) && (
                    <Button
                      icon="right"
                      text="Older"
                      onClick={() => change(inMemory ? { page: String(page + 1) } : { after: read.after ?? '', page: '' })}
                    />
                  )}
                </div>
              )}
            </>
          );
        }}
      </Show>
    </div>
  );
}
