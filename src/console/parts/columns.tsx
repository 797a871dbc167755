import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Cell } from '../../contract/tables.ts';
import { Button, Chip } from './controls.tsx';
import { Time } from './display.tsx';
import { duration, number, share } from './format.ts';
import { Icon } from './icons.tsx';

export interface Column<T> {
  /** In the address, as `_sort=-took`. */
  readonly id: string;
  readonly name: string;
  /** What sorting and CSV take. */
  readonly value: (row: T) => Cell;
  /** How the value is drawn. Default: as text. Numbers, shares and durations stand at the right. */
  readonly as?: 'time' | 'code' | 'number' | 'share' | 'duration';
  /** Placeholder for a null. Default: "–". */
  readonly none?: string;
  readonly of?: (row: T) => ComponentChildren;
  readonly hidden?: boolean;
}
interface Rows<T> {
  readonly rows: readonly T[];
  readonly after: string | null;
}
/** Reads a page, or all rows at once. `after`: cursor; undefined: from the beginning. */
export type LoadRows<T> = (after: string | undefined, signal: AbortSignal) => Rows<T> | readonly T[] | Promise<Rows<T> | readonly T[]>;
export const MAX_ROWS = 10_000;

/** A page of at most `limit` rows; `cursorOf` the last one follows the next page. */
export const rowsUpTo = <T,>(rows: readonly T[], limit: number, cursorOf: (row: T) => string | number): Rows<T> => {
  const last = rows.at(limit - 1);
  return { rows, after: last === undefined ? null : String(cursorOf(last)) };
};

export async function readPage<T>(load: LoadRows<T>, after: string | undefined, signal: AbortSignal): Promise<Rows<T>> {
  const read = await load(after, signal);
  return 'rows' in read ? read : { rows: read, after: null };
}
export async function readAll<T>(load: LoadRows<T>, signal: AbortSignal): Promise<Rows<T>> {
  const rows: T[] = [];
  let after: string | null | undefined;
  while (after !== null && rows.length < MAX_ROWS) {
    const page = await readPage(load, after, signal);
    rows.push(...page.rows);
    after = page.after;
  }
  return { rows, after: after ?? null };
}

function compare(a: Cell, b: Cell): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true });
}

export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sort: string): readonly T[] {
  const column = columns.find(({ id }) => id === sort.replace(/^-/, ''));
  if (!column) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(column.value(a), column.value(b)));
}

/** Fields of a card beside its title; "More" shows the others. */
const ON_CARD = 4;
const NUMBERS = { number, share, duration } as const;
export const isNumeric = ({ as }: Pick<Column<never>, 'as'>): boolean => as !== undefined && as in NUMBERS;

function drawn<T>({ of, value, as, none = '–' }: Column<T>, row: T): ComponentChildren {
  if (of) return of(row) ?? none;
  const cell = value(row);
  if (cell === null || cell === '') return none;
  if (as === 'time') return <Time at={String(cell)} />;
  if (as === 'code') return <code>{String(cell)}</code>;
  return typeof cell === 'number' ? NUMBERS[as ?? 'number'](cell) : String(cell);
}

/** How a list is sorted, such as `-took`, and what changes it. */
export interface Order {
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}
export function Head<T>({ column, sort, sortBy }: Order & { readonly column: Column<T> }) {
  const [up, down] = [column.id, `-${column.id}`];
  const order = sort === up ? 'ascending' : sort === down ? 'descending' : null;
  // numbers are asked for from the largest on
  const turns = isNumeric(column) ? [down, up, down] : [up, down];
  return (
    <th scope="col" class={isNumeric(column) ? 'numeric' : undefined} aria-sort={order ?? 'none'}>
      <button type="button" onClick={() => sortBy(turns[turns.indexOf(sort) + 1] ?? '')}>
        {column.name}
        {order && <Icon name={order === 'ascending' ? 'up' : 'fall'} />}
      </button>
    </th>
  );
}

export function Row<T>(props: { row: T; columns: readonly Column<T>[]; href: string | null; actions: ComponentChildren }) {
  const { row, columns, href, actions } = props;
  const [isOpen, setOpen] = useState(false);
  const [title, ...fields] = columns;
  const named = title && drawn(title, row);
  const hasMore = fields.length > ON_CARD;
  return (
    <tr class={isOpen ? 'open' : undefined}>
      <th scope="row">
        {href === null ? (
          named
        ) : (
          <a class="row-link" href={href}>
            {named}
          </a>
        )}
      </th>
      {fields.map((column, index) => (
        <td key={column.id} data-name={column.name} class={`${isNumeric(column) ? 'numeric' : ''}${index >= ON_CARD ? ' rest' : ''}`}>
          {drawn(column, row)}
        </td>
      ))}
      {(actions !== undefined || hasMore) && (
        <td class={actions === undefined ? 'row-actions card-only' : 'row-actions'}>
          {hasMore && <Button text={isOpen ? 'Less' : 'More'} class="quiet more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />}
          {actions}
        </td>
      )}
    </tr>
  );
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
            <label key={column.id} class="option">
              <input type="checkbox" checked={shown.includes(column)} onChange={() => toggle(column.id)} />
              {column.name}
            </label>
          ))}
        </>
      )}
    </Chip>
  );
}
