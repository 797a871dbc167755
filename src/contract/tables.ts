import type { TSchema } from 'typebox';
import type { Cell, Table } from './csv.ts';
import type { Operation } from './operations/index.ts';

/** Rows of a table: the list of the answer that they come from (null: the answer itself is the row), and the columns, `object.field` inside objects. */
export interface TableForm {
  readonly list: string | null;
  readonly columns: readonly string[];
}

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
}
/** The schema without its null. */
function shapeOf(schema: TSchema): Shape {
  const shape = schema as Shape;
  const inner = shape.anyOf?.find((one) => (one as Shape).type !== 'null');
  return inner ? shapeOf(inner) : shape;
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
export type Rows = 'lookups' | 'entries' | 'paid';

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

/** The records of an answer that become rows. */
export const recordsIn = ({ list }: TableForm, resource: unknown): readonly unknown[] =>
  list === null ? [resource] : ((resource as Readonly<Record<string, readonly unknown[]>>)[list] ?? []);

/** One answer as a table. */
export const answerTable = (form: TableForm, resource: unknown): Table => ({
  columns: form.columns,
  rows: recordsIn(form, resource).map((record) => form.columns.map((column) => cellAt(record, column))),
});
