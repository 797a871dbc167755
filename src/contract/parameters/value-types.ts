import type { TSchema } from 'typebox';

/** A parsed value, or the reason for the refusal: a sentence that says what the text must be. */
export type Read<T> = { ok: true; value: T } | { ok: false; why: string };
export type Reader<T> = (text: string) => Read<T>;

export const good = <T>(value: T): Read<T> => ({ ok: true, value });
export const bad = (why: string): Read<never> => ({ ok: false, why });

/** The type of a parameter: `schema` is published in the OpenAPI description and accepts exactly the texts that `read` accepts. */
export interface ValueType<T> {
  readonly schema: TSchema;
  readonly read: Reader<T>;
  /** The text of the parameter in an address that people paste instead; null: it has none. See `readPasted`. */
  readonly pasted?: (text: string) => string | null;
}

interface Pattern<T> {
  /** ECMA-262 regular expression with the flag `u`, anchored. */
  readonly pattern: string;
  /** Texts that match `pattern` but are refused. */
  readonly not?: string;
  /** Continues "Parameter x is …, but it". */
  readonly must: string;
  readonly mustNot?: string;
  /** Normalises a matching text. */
  readonly value: (text: string) => T;
}

/** Texts that match a regular expression: the schema and the reader use the same one. */
export function matching<T>({ pattern, not, must, mustNot, value }: Pattern<T>): ValueType<T> {
  const accepted = new RegExp(pattern, 'u');
  const refused = not === undefined ? null : new RegExp(not, 'u');
  return {
    schema: { type: 'string', pattern, ...(not !== undefined && { not: { pattern: not } }) },
    read: (text) => (!accepted.test(text) ? bad(must) : refused?.test(text) ? bad(mustNot ?? must) : good(value(text))),
  };
}

/** A type with a second reader, which normalises or refuses the values of the first. */
export const readAfter = <T>(first: ValueType<string>, then: Reader<T>): ValueType<T> => ({
  schema: first.schema,
  read(text) {
    const read = first.read(text);
    return read.ok ? then(read.value) : read;
  },
});

/** A regular expression that matches a literal text in any case. */
export const anyCase = (literal: string): string =>
  literal.replace(/[a-z]|[^\w-]/gi, (c) => (/[a-z]/i.test(c) ? `[${c.toUpperCase()}${c.toLowerCase()}]` : c === '/' ? c : `\\${c}`));

/** Control characters in a character class. */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Text of 1 to `max` characters (code points) without control characters; white space around it is removed and not counted. */
export function textOf(max: number): ValueType<string> {
  const pattern = `^\\s*[^\\s${CONTROL}](?:[^${CONTROL}]{0,${max - 2}}[^\\s${CONTROL}])?\\s*$`;
  const accepted = new RegExp(pattern, 'u');
  return {
    schema: { type: 'string', pattern },
    read(given) {
      const text = given.trim();
      if (accepted.test(given)) return good(text);
      if (text === '') return bad('must not be empty');
      return bad([...text].length > max ? `must not be longer than ${max} characters` : 'must not hold control characters');
    },
  };
}

/** Plain decimal digits: no sign, no exponent, no hexadecimal, no white space. */
export const integerOf = (minimum: number, maximum: number): ValueType<number> => ({
  schema: { type: 'integer', minimum, maximum },
  read(text) {
    if (!/^\d{1,15}$/.test(text)) return bad(`must be a whole number from ${minimum} to ${maximum}, in plain decimal digits`);
    const value = Number(text);
    return value < minimum || value > maximum ? bad(`must be a whole number from ${minimum} to ${maximum}`) : good(value);
  },
});

/** One of the values, case-sensitive. */
export const oneOfTexts = <const V extends readonly string[]>(values: V): ValueType<V[number]> => {
  const isValue = (text: string): text is V[number] => values.includes(text);
  return {
    schema: { type: 'string', enum: [...values] },
    read: (text) => (isValue(text) ? good(text) : bad(`must be one of ${values.join(', ')}`)),
  };
};
