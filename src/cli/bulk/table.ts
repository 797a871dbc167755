import { type Cell, csvRecord } from '../../contract/csv.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { SearchResult } from '../../contract/operations/searchengine.ts';
import { readPasted, type Understood } from '../../contract/parameters/pasted.ts';
import { cellAt, type Rows, recordsIn, tableForm } from '../../contract/tables.ts';
import { UsageError } from '../usage-error.ts';
import type { OutputLine } from './line.ts';

export const OUTPUT_FORMATS = ['ndjson', 'csv'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface TableOptions {
  readonly format: OutputFormat;
  readonly rows: Rows;
  /** Names of the columns; null: all but those of the lookup's own fields beside entries. */
  readonly columns: readonly string[] | null;
  /** Host whose best rank is a row; null: none. */
  readonly find: string | null;
  readonly separator: string;
  readonly byteOrderMark: boolean;
}

/** An export of the journal: a text for its beginning, and one for each line. */
export interface Export {
  readonly head: string;
  encode(line: OutputLine): string;
}

interface Row {
  readonly line: OutputLine;
  readonly record: unknown;
}
interface TableColumn {
  readonly name: string;
  readonly optional?: true;
  cell(row: Row): Cell;
}

const FACTS: readonly TableColumn[] = (['line', 'status', 'ok', 'code', 'message', 'credits', 'source', 'cache', 'at'] as const).map(
  (name) => ({
    name,
    cell: ({ line }) => (name === 'code' || name === 'message' ? (line.error?.[name] ?? null) : line[name]),
  }),
);

/** The best place of a host among the organic results. */
interface Found {
  readonly domain: string;
  readonly found: boolean | null;
  readonly rank: number | null;
  readonly url: string | null;
  readonly title: string | null;
  /** Results that were looked through. */
  readonly searched: number | null;
}
const FOUND = ['domain', 'found', 'rank', 'url', 'title', 'searched'] as const satisfies readonly (keyof Found)[];

function findHost(host: string, resource: unknown): Found {
  if (!resource) return { domain: host, found: null, rank: null, url: null, title: null, searched: null };
  const { organic } = resource as SearchResult;
  const [best] = organic.filter(({ domain }) => domain === host || domain.endsWith(`.${host}`)).sort((a, b) => a.rank - b.rank);
  const { rank = null, url = null, title = null } = best ?? {};
  return { domain: host, found: best !== undefined, rank, url, title, searched: organic.length };
}

/** Gives each column a name of its own: a name that is taken gets its origin in front. */
function named(groups: readonly (readonly [origin: string, columns: readonly TableColumn[]])[]): TableColumn[] {
  const taken = new Set<string>();
  return groups.flatMap(([origin, columns]) =>
    columns.map((column) => {
      const name = taken.has(column.name) ? `${origin}.${column.name}` : column.name;
      taken.add(name);
      return { ...column, name };
    }),
  );
}

/** Rows of an operation's answers. Throws a UsageError for rows or columns that there are not. */
export function tableOf(
  operation: Operation,
  inputs: readonly string[],
  understood: ReadonlyMap<string, { readonly first: Understood }>,
  { format, rows, columns, find, separator, byteOrderMark }: TableOptions,
): Export {
  const form = tableForm(operation, rows);
  if (!form) {
    const lists = Object.keys(operation.rows ?? {});
    throw new UsageError(`The answers of ${operation.id} have no --rows ${rows}: choose ${['lookups', ...lists].join(' or ')}.`);
  }
  // a list with rows of its own is its length in the row of the lookup
  const counted = Object.values(operation.rows ?? {});
  const fieldAt = (record: unknown, name: string): Cell => {
    const list = counted.includes(name) ? (record as Readonly<Record<string, unknown>> | null | undefined)?.[name] : null;
    return Array.isArray(list) ? list.length : cellAt(record, name);
  };
  const isNeeded = (name: string) => operation.parameters.some((p) => p.name === name && p.required);
  const inputColumn = (name: string): TableColumn => ({ name, cell: ({ line }) => line.input[name] ?? null });
  const pasted = [...understood.keys()].map((name): TableColumn => {
    const read = (text: string) => readPasted(operation.parameters, [[name, text]]).pairs[0]?.[1] ?? null;
    return { name: `understood.${name}`, cell: ({ line }) => read(line.input[name] ?? '') };
  });
  const fields: readonly TableColumn[] = find
    ? FOUND.map((name) => ({ name, cell: ({ record }) => (record as Found)[name] }))
    : form.columns.map((name) => ({ name, cell: ({ record }) => fieldAt(record, name) }));
  const own = rows === 'lookups' && !find ? [] : (tableForm(operation, 'lookups')?.columns ?? []);
  const parent = own.map((name): TableColumn => ({ name, optional: true, cell: ({ line }) => fieldAt(line.resource, name) }));
  const all = named([
    ['input', inputs.filter(isNeeded).map(inputColumn)],
    ['understood', pasted],
    ['resource', fields],
    ['input', inputs.filter((name) => !isNeeded(name)).map(inputColumn)],
    ['lookup', FACTS],
    ['resource', parent],
  ]);
  const chosen = columns
    ? columns.map((name) => {
        const column = all.find((one) => one.name === name);
        if (column) return column;
        throw new UsageError(`There is no column ${JSON.stringify(name)}: choose from ${all.map((one) => one.name).join(', ')}.`);
      })
    : all.filter(({ optional }) => !optional);
  const rowsOf = (line: OutputLine): Row[] => {
    if (find) return [{ line, record: findHost(find, line.resource) }];
    const entries = line.ok ? recordsIn(form, line.resource) : [];
    // a lookup without entries keeps its row, so that none is lost
    return (entries.length ? entries : [null]).map((record) => ({ line, record }));
  };
  const names = chosen.map(({ name }) => name);
  const cells = (row: Row): Cell[] => chosen.map(({ cell }) => cell(row));
  if (format === 'ndjson')
    return {
      head: '',
      encode: (line) =>
        rowsOf(line)
          .map((row) => `${JSON.stringify(Object.fromEntries(cells(row).map((cell, n) => [names[n], cell])))}\n`)
          .join(''),
    };
  return {
    head: `${byteOrderMark ? '\ufeff' : ''}${csvRecord(names, separator)}`,
    encode: (line) =>
      rowsOf(line)
        .map((row) => csvRecord(cells(row), separator))
        .join(''),
  };
}
