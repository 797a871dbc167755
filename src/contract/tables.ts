import type { TSchema } from 'typebox';
import type { Operation } from './operations/index.ts';
import { shapeOf } from './resource-fields.ts';

/** Rows of a table: the list of the answer that they come from (null: the answer itself is the row), and the columns, `object.field` inside objects. */
export interface TableForm {
  readonly list: string | null;
  readonly columns: readonly string[];
}

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value as Cell;
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === 'string');
  return isTexts ? value.join('; ') : JSON.stringify(value);
}

function columnsOf(schema: TSchema, path: readonly string[] = []): string[] {
  const { properties } = shapeOf(schema);
  return properties ? Object.entries(properties).flatMap(([name, field]) => columnsOf(field, [...path, name])) : [path.join('.')];
}

/** What a row of a table is: a lookup, or an entry of one list of its answer, as `rows` of the operation has it. */
export const ROWS = ['lookups', 'entries', 'paid'] as const;
export type Rows = (typeof ROWS)[number];

/** The table form of an operation's answers; null: they have no such list. */
export function tableForm({ resource, rows: lists = {}, firstColumns = [] }: Operation, rows: Rows): TableForm | null {
  if (rows === 'lookups') return { list: null, columns: columnsOf(resource) };
  const list = lists[rows];
  const items = list === undefined ? undefined : shapeOf(shapeOf(resource).properties?.[list] ?? resource).items;
  if (list === undefined || !items) return null;
  const columns = columnsOf(items);
  return {
    list,
    columns: [...firstColumns.filter((name) => columns.includes(name)), ...columns.filter((name) => !firstColumns.includes(name))],
  };
}

/** The value of a column; texts of a list are joined, other lists are JSON. */
export const cellAt = (record: unknown, column: string): Cell =>
  cellOf(column.split('.').reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key], record));

export const recordsIn = ({ list }: TableForm, resource: unknown): readonly unknown[] =>
  list === null ? [resource] : ((resource as Readonly<Record<string, readonly unknown[]>>)[list] ?? []);

export const answerTable = (form: TableForm, resource: unknown): Table => ({
  columns: form.columns,
  rows: recordsIn(form, resource).map((record) => form.columns.map((column) => cellAt(record, column))),
});

export type Cell = string | number | boolean | null;
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** Characters that a spreadsheet keeps of a cell. It cuts a longer one without a word. */
const MAX_CELL = 32_767;
const INSTANT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/;

/** A spreadsheet would run such a text as a formula (OWASP, CSV injection), or round its digits: an apostrophe in front keeps it a text. */
const needsApostrophe = (text: string): boolean => /^[=+\-@\t\r]/.test(text) || /^\d{16,}$/.test(text);

/** The text of a cell: an instant as a spreadsheet reads it, in UTC; a text that is too long is cut where the spreadsheet would cut it, with `…`. */
export function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell).toUpperCase();
  const text = needsApostrophe(cell) ? `'${cell}` : cell.replace(INSTANT, '$1 $2');
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

const fieldOf = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** One record of RFC 4180 with its line end. `textOf`: how a cell is written. Default: as a spreadsheet reads it. */
export const csvRecord = (cells: readonly Cell[], separator = ',', textOf: (cell: Cell) => string = cellText): string =>
  `${cells.map((cell) => fieldOf(textOf(cell))).join(separator)}\r\n`;
/** The text of a cell as it is, for programs. */
export const rawText = (cell: Cell): string => (cell === null ? '' : String(cell));

export const csvOf = ({ columns, rows }: Table): string => [columns, ...rows].map((row) => csvRecord(row)).join('');
