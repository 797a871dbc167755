import type { TSchema } from 'typebox';
import type { Operation } from '../../contract/operations/index.ts';
import { fieldsOf, recordOf } from './csv.ts';
import type { Texts } from './input.ts';

export const OUTPUT_FORMATS = ['ndjson', 'csv'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** What is written for one line of the input. */
export interface OutputLine {
  readonly line: number;
  readonly input: Texts;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly ok: boolean;
  readonly resource?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  readonly credits: number;
  readonly source: string | null;
  /** As `Cache-Status` says; `duplicate`: answered with another line of the same input. */
  readonly cache: string | null;
  /** When it was answered, RFC 3339. */
  readonly at: string;
}
/** What another run needs to know of a line that was written before. */
export interface Written {
  readonly line: number;
  readonly input: Texts;
  readonly ok: boolean;
  readonly code: string | null;
  readonly retryable: boolean;
  readonly credits: number;
}
export type Changes = Partial<Pick<OutputLine, 'line' | 'input' | 'credits' | 'cache'>>;

/** One format of the output. Texts are without line end. */
export interface Format {
  /** Records may hold line ends inside quotes. */
  readonly quoted: boolean;
  readonly header: string | null;
  encode(line: OutputLine): string;
  /** Null: not a line of this output. */
  decode(text: string): Written | null;
  change(text: string, changes: Changes): string;
}

const ndjson: Format = {
  quoted: false,
  header: null,
  encode: (line) => JSON.stringify(line),
  decode(text) {
    try {
      const { line, input, ok, error, credits } = JSON.parse(text) as OutputLine;
      if (!Number.isInteger(line) || typeof input !== 'object' || typeof ok !== 'boolean' || typeof credits !== 'number') return null;
      return { line, input, ok, code: error?.code ?? null, retryable: error?.retryable ?? false, credits };
    } catch {
      return null; // the caller names the line
    }
  },
  change: (text, changes) => JSON.stringify({ ...(JSON.parse(text) as OutputLine), ...changes }),
};

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
}
/** Paths of the fields of a resource; a list is one column, of JSON. */
function pathsOf(schema: TSchema, path: string): string[] {
  const { properties, anyOf } = schema as ObjectSchema;
  const [inner] = anyOf?.filter((s) => (s as { type?: unknown }).type !== 'null') ?? [];
  if (inner) return pathsOf(inner, path);
  return properties ? Object.entries(properties).flatMap(([name, field]) => pathsOf(field, `${path}.${name}`)) : [path];
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inside, name) => (inside as Record<string, unknown> | null | undefined)?.[name], value);

const FACTS = ['status', 'ok', 'code', 'message', 'retryable', 'credits', 'source', 'cache', 'at'] as const;

/** CSV: line, parameters, facts of the answer, and a column for each field of the resource. */
function csvOf({ parameters, resource }: Operation): Format {
  const inputs = parameters.map(({ name }) => name);
  const paths = pathsOf(resource, 'resource');
  const header = ['line', ...inputs.map((name) => `input.${name}`), ...FACTS, ...paths];
  const place = (name: (typeof FACTS)[number]): number => 1 + inputs.length + FACTS.indexOf(name);
  const inputCells = (texts: Texts): string[] => inputs.map((name) => texts[name] ?? '');
  const cells = (text: string): string[] => {
    const fields = fieldsOf(text.replace(/\r$/, ''));
    return fields.ok && fields.value.length === header.length ? fields.value : [];
  };
  return {
    quoted: true,
    header: `${recordOf(header)}\r`,
    encode({ line, input, error, ...rest }) {
      const facts = { ...rest, code: error?.code, message: error?.message, retryable: error?.retryable };
      return `${recordOf([
        String(line),
        ...inputCells(input),
        ...FACTS.map((name) => cellOf(facts[name])),
        ...paths.map((path) => cellOf(at(rest, path.split('.')))),
      ])}\r`;
    },
    decode(text) {
      const found = cells(text);
      const line = Number(found[0]);
      if (!found.length || !Number.isInteger(line)) return null;
      const input = Object.fromEntries(inputs.flatMap((name, n) => (found[n + 1] ? [[name, found[n + 1] ?? '']] : [])));
      const fact = (name: (typeof FACTS)[number]) => found[place(name)] ?? '';
      return {
        line,
        input,
        ok: fact('ok') === 'true',
        code: fact('code') || null,
        retryable: fact('retryable') === 'true',
        credits: Number(fact('credits')),
      };
    },
    change(text, { line, input, credits, cache }) {
      const found = cells(text);
      if (line !== undefined) found[0] = String(line);
      if (input) found.splice(1, inputs.length, ...inputCells(input));
      if (credits !== undefined) found[place('credits')] = String(credits);
      if (cache !== undefined) found[place('cache')] = cellOf(cache);
      return `${recordOf(found)}\r`;
    },
  };
}

export const formatOf = (name: OutputFormat, operation: Operation): Format => (name === 'csv' ? csvOf(operation) : ndjson);
