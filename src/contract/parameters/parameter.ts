import type { TSchema } from 'typebox';

/** Text from outside becomes a typed value here, or a reason that names the cure. */
export type Read<T> = { ok: true; value: T } | { ok: false; why: string };
export type Reader<T> = (text: string) => Read<T>;

export const good = <T>(value: T): Read<T> => ({ ok: true, value });
export const bad = (why: string): Read<never> => ({ ok: false, why });

export interface Parameter<T = unknown> {
  /** Name in the URL. */
  readonly name: string;
  /** Name of the input's field, where it differs (`sort_by` → `sort`). */
  readonly field: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly default?: T;
  readonly description: string;
  readonly example: string | number;
  /** What the OpenAPI description shows; `read` decides. */
  readonly schema: TSchema;
  readonly read: Reader<T>;
}

type Given<T> = Omit<Parameter<T>, 'field' | 'in' | 'required'> & { field?: string };
export const inPath = <T>(p: Given<T>): Parameter<T> => ({ field: p.name, ...p, in: 'path', required: true });
export const required = <T>(p: Given<T>): Parameter<T> => ({ field: p.name, ...p, in: 'query', required: true });
export const optional = <T>(p: Given<T>): Parameter<T> => ({ field: p.name, ...p, in: 'query', required: false });

/** Trimmed text of `min` to `max` characters (code points) without control characters. */
export const readText =
  (max: number): Reader<string> =>
  (given) => {
    const text = given.trim();
    if (text === '') return bad('must not be empty');
    if ([...text].length > max) return bad(`must not be longer than ${max} characters`);
    if (/\p{Cc}|\p{Cs}/u.test(text)) return bad('must not hold control characters');
    return good(text);
  };

/** Plain decimal digits: no sign, no exponent, no hexadecimal, no blanks. */
export const readInteger =
  (min: number, max: number): Reader<number> =>
  (given) => {
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    if (!/^\d{1,15}$/.test(given)) return bad(`must be a whole number ${range}, in plain decimal digits`);
    const value = Number(given);
    return value < min || value > max ? bad(`must be a whole number ${range}`) : good(value);
  };

export const readOneOf =
  <const V extends readonly string[]>(values: V): Reader<V[number]> =>
  (given) =>
    values.includes(given) ? good(given as V[number]) : bad(`must be one of ${values.join(', ')}`);

export const pageSchema = { type: 'integer', minimum: 1 };

/** Shown back to the caller, short and without what could break a log or a page. */
const shown = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);

/**
 * Reads the texts that a request gives into the operation's input. Every parameter is there or has its default; what is unknown,
 * given twice, missing or wrong is refused with a message that names the field, the value and the cure.
 */
export function readInput(parameters: readonly Parameter[], given: Iterable<readonly [string, string]>): Read<Record<string, unknown>> {
  const texts = new Map<string, string>();
  for (const [name, value] of given) {
    if (!parameters.some((p) => p.name === name)) {
      const known = parameters.filter((p) => p.in === 'query').map((p) => p.name);
      return bad(
        `Unknown parameter ${shown(name)}: ${known.length ? `this operation knows ${known.join(', ')}` : 'this operation takes no query parameters'}.`,
      );
    }
    if (texts.has(name)) return bad(`Parameter ${name} is given more than once: give it once.`);
    texts.set(name, value);
  }
  const input: Record<string, unknown> = {};
  for (const p of parameters) {
    const text = texts.get(p.name);
    if (text === undefined) {
      if (p.required) return bad(`Parameter ${p.name} is missing: ${p.description} For example ${p.name}=${p.example}.`);
      if (p.default !== undefined) input[p.field] = p.default;
      continue;
    }
    const read = p.read(text);
    if (!read.ok) return bad(`Parameter ${p.name} is ${shown(text)}, but it ${read.why}.`);
    input[p.field] = read.value;
  }
  return good(input);
}
