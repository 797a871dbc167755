import { fail } from '../contract/lists/fault.ts';
import type { Plan } from '../contract/lists/input.ts';
import type { Operation } from '../contract/operations/index.ts';
import type { SearchResult } from '../contract/operations/serp/operation.ts';
import { thereIsNo } from '../contract/parameters/misspelt.ts';
import { type Cell, cellAt, csvRecord, type Rows, rawText, recordsIn, tableForm } from '../contract/tables.ts';
import type { OutputLine } from './lines.ts';

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export interface TableOptions {
  readonly rows: Rows;
  /** Names of the columns. Default: all but those of the whole answer beside its entries. */
  readonly columns?: readonly string[];
  readonly find?: string;
  readonly separator: keyof typeof SEPARATORS;
  readonly bom?: true;
  /** Cells are written as they are: for programs, not for spreadsheets. */
  readonly raw?: true;
  /** All columns of the file come first. */
  readonly inputFirst?: true;
}

export interface Export {
  readonly head: string;
  readonly names: readonly string[];
  /** The cells of the rows of a line. */
  rowsOf(line: OutputLine): readonly (readonly Cell[])[];
  /** Of the text of a line of the output. */
  encode(text: string): string;
}

interface Column {
  readonly name: string;
  /** Of an entry of a line's answer. */
  cell(line: OutputLine, record: unknown): Cell;
}

const FACTS: readonly Column[] = (['line', 'status', 'ok', 'code', 'message', 'credits', 'source', 'cache', 'at'] as const).map((name) => ({
  name,
  cell: (line) => (name === 'code' || name === 'message' ? (line.error?.[name] ?? null) : line[name]),
}));

/** The best place of a host among the organic results; `searched`: how many were looked through. */
const FOUND = ['domain', 'found', 'rank', 'url', 'title', 'searched'] as const;
function findHost(domain: string, resource: unknown): { readonly [Name in (typeof FOUND)[number]]?: Cell } {
  if (!resource) return { domain };
  const { organic } = resource as SearchResult;
  const [best] = organic.filter((one) => `.${one.domain}`.endsWith(`.${domain}`)).sort((a, b) => a.rank - b.rank);
  const { rank = null, url = null, title = null } = best ?? {};
  return { domain, found: best !== undefined, rank, url, title, searched: organic.length };
}

/** Gives each column a name of its own: a name that is taken gets its origin in front. */
function named(groups: readonly (readonly [origin: string, columns: readonly Column[]])[]): Column[] {
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
  { columns: inputs, understood, understand }: Plan,
  { format, rows, columns: wanted, find, separator, bom, raw, inputFirst }: TableOptions & { readonly format: 'ndjson' | 'csv' },
): Export {
  const lists = operation.rows ?? {};
  const form =
    tableForm(operation, rows) ??
    fail(`The answers of ${operation.id} have no --rows ${rows}: choose ${['lookups', ...Object.keys(lists)].join(' or ')}.`);
  const fieldAt = (record: unknown, name: string): Cell => {
    // a list with rows of its own is its length in the row of the lookup
    const list = Object.values(lists).includes(name) ? (record as Readonly<Record<string, unknown>> | null | undefined)?.[name] : null;
    return Array.isArray(list) ? list.length : cellAt(record, name);
  };
  const isNeeded = (name: string) => operation.parameters.some((p) => p.name === name && p.required);
  const inputColumn = (name: string): Column => ({ name, cell: ({ input }) => input[name] ?? null });
  const pasted = [...understood.keys()].map((name): Column => {
    const read = (text = '') => understand(operation.parameters, [[name, text]]).pairs[0]?.[1] ?? null;
    return { name: `understood.${name}`, cell: ({ input }) => read(input[name]) };
  });
  const ofEntry = (find ? FOUND : form.columns).map((name): Column => ({ name, cell: (_, record) => fieldAt(record, name) }));
  const ofWhole = (tableForm(operation, 'lookups')?.columns ?? []).map(
    (name): Column => ({ name, cell: ({ resource }) => fieldAt(resource, name) }),
  );
  const usual = named([
    ['input', inputs.filter((name) => inputFirst || isNeeded(name)).map(inputColumn)],
    ['understood', pasted],
    ['resource', ofEntry],
    ['input', inputs.filter((name) => !inputFirst && !isNeeded(name)).map(inputColumn)],
    ['lookup', FACTS],
  ]);
  const all =
    rows === 'lookups' && !find
      ? usual
      : named([
          ['', usual],
          ['resource', ofWhole],
        ]);
  const columnNamed = (name: string): Column =>
    all.find((one) => one.name === name) ??
    fail(
      thereIsNo(
        'column',
        name,
        all.map((one) => one.name),
      ),
    );
  const chosen = wanted?.map(columnNamed) ?? usual;
  const names = chosen.map(({ name }) => name);
  const textOf = (cells: readonly Cell[]): string =>
    format === 'csv'
      ? csvRecord(cells, SEPARATORS[separator], raw ? rawText : undefined)
      : `${JSON.stringify(Object.fromEntries(cells.map((cell, n) => [names[n], cell])))}\n`;
  function rowsOf(line: OutputLine): readonly (readonly Cell[])[] {
    const records = find ? [findHost(find, line.resource)] : line.ok ? recordsIn(form, line.resource) : [];
    // a lookup without entries keeps its row, so that none is lost
    return (records.length ? records : [null]).map((record) => chosen.map(({ cell }) => cell(line, record)));
  }
  return {
    names,
    rowsOf,
    head: format === 'csv' ? `${bom ? '\ufeff' : ''}${textOf(names)}` : '',
    encode: (text) =>
      rowsOf(JSON.parse(text) as OutputLine)
        .map(textOf)
        .join(''),
  };
}
