import { type Cell, csvOf } from '../../contract/tables.ts';
import { download } from './controls.tsx';
import type { Column } from './table.tsx';

const words = new Intl.Collator('en', { numeric: true });
/** What has no value is last in both orders. */
function compare(a: Cell, b: Cell, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b)));
}
/** Rows by a column; of equal ones the order stays. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sort: string): readonly T[] {
  const column = columns.find(({ id }) => id === sort.replace(/^-/, ''));
  if (!column) return rows;
  const sign = sort.startsWith('-') ? -1 : 1;
  const valued = rows.map((row) => ({ row, value: column.value(row) }));
  return valued.sort((a, b) => compare(a.value, b.value, sign)).map(({ row }) => row);
}

/** The first column, and the chosen ones of the others by their ids, else the usual ones. `hasRoom`: for those that need it. */
export const shownColumns = <C extends Pick<Column<never>, 'id' | 'hidden' | 'roomy'>>(
  columns: readonly C[],
  chosen: string,
  hasRoom: boolean,
): readonly C[] =>
  columns.filter(
    ({ id, hidden = false, roomy = false }, index) =>
      index === 0 || (chosen ? chosen.split(',').includes(id) : !hidden && (hasRoom || !roomy)),
  );
/** These rows and columns as CSV. */
export const saveTable = <T>(name: string, columns: readonly Column<T>[], rows: readonly T[]): void =>
  download(
    `${name}.csv`,
    'text/csv',
    csvOf({ columns: columns.map((c) => c.name), rows: rows.map((row) => columns.map(({ value, inFile = value }) => inFile(row))) }),
  );
