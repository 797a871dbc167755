import type { ComponentChildren } from 'preact';
import type { Cell } from '../../contract/tables.ts';

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
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly after: string | null;
}
/** Reads a page, or all rows at once. `after`: cursor; undefined: from the beginning. */
export type LoadRows<T> = (
  after: string | undefined,
  signal: AbortSignal,
) => Rows<T> | readonly T[] | Promise<Rows<T>> | Promise<readonly T[]>;
export const MAX_ROWS = 10_000;

/** A page of at most `limit` rows; `cursorOf` the last one follows the next page. */
export const pageOf = <T>(rows: readonly T[], limit: number, cursorOf: (row: T) => string | number): Rows<T> => {
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
