import type { TSchema } from 'typebox';
import type { Codes } from './code-names.ts';
import { didYouMean, mustBeOneOf } from './misspelt.ts';
import { dayMsOf } from './time.ts';

/** One parameter of an endpoint: its location in the URL, its type, and its field in the input. */
export interface Parameter<T = unknown, Field extends string = string, Present extends boolean = boolean> {
  readonly name: string;
  /** Name of the input's field, if different (`sort_by` → `sort`). */
  readonly field: Field;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly present: Present;
  readonly default?: T;
  readonly description: string;
  readonly example: string | number;
  readonly schema: TSchema;
  readonly read: Reader<T>;
  readonly pasted?: (text: string) => string | null;
  readonly codes?: Codes;
  /** Identifiers in a URL value, from which addresses are built. `of` gives null for a short link, which must be resolved first. */
  readonly parts?: { readonly names: readonly string[]; readonly of: (value: string) => Readonly<Record<string, string>> | null };
}

type More<Field> = Pick<Parameter, 'parts'> & { readonly field?: Field };

const parameter =
  <Place extends Pick<Parameter, 'in' | 'required' | 'present'>>(place: Place) =>
  <T, const Name extends string, const Field extends string = Name>(
    name: Name,
    type: ValueType<T>,
    description: string,
    example: string | number,
    { field, ...more }: More<Field> = {},
  ): Parameter<T, NoInfer<Field>, Place['present']> => ({
    ...{ description, example, ...more, ...place, ...type, name },
    field: (field ?? name) as Field,
  });

export const inPath = parameter({ in: 'path', required: true, present: true });
export const required = parameter({ in: 'query', required: true, present: true });
export const optional = parameter({ in: 'query', required: false, present: false });
const mayLack = parameter({ in: 'query', required: false, present: true });
/** Its default is its example too. */
export const withDefault = <T extends string | number, const Name extends string, const Field extends string = Name>(
  name: Name,
  type: ValueType<T>,
  usual: NoInfer<T>,
  description: string,
  more?: More<Field>,
): Parameter<T, NoInfer<Field>, true> => ({ ...mayLack(name, type, description, usual, more), default: usual });

type ValueOf<P> = P extends Parameter<infer T> ? T : never;
/** The input of an endpoint: a field for each parameter, optional if the parameter is optional and has no default. */
export type InputOf<P extends Parameter> = {
  readonly [Q in P as Q['present'] extends true ? Q['field'] : never]: ValueOf<Q>;
} & {
  readonly [Q in P as Q['present'] extends true ? never : Q['field']]?: ValueOf<Q>;
};

export type Pairs = Iterable<readonly [string, string]>;

/** The value as quoted in a message: short, and escaped for logs and pages. */
const shown = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);

/** `none`: what is said where there is none to know. */
export const unknownParameter = (name: string, known: readonly string[], none = ''): Read<never> =>
  bad(`Unknown parameter ${shown(name)}${didYouMean(name, known)}: ${known.length ? `this operation knows ${known.join(', ')}` : none}.`);

/** Reads the parameters of a request. An unknown, repeated, missing or invalid one is refused: the message names it, the value and what it must be. */
export function readInput<const P extends readonly Parameter[]>(parameters: P, given: Pairs): Read<InputOf<P[number]>> {
  const texts = new Map<string, string>();
  const pairs = [...given];
  for (const [name, value] of pairs) {
    if (!parameters.some((p) => p.name === name)) {
      // those of the path are part of every request; a watch names them like the others
      const known = parameters.filter((p) => p.in === 'query' || !pairs.some(([one]) => one === p.name)).map((p) => p.name);
      return unknownParameter(name, known, `this operation takes ${parameters.map((p) => p.name).join(', ') || 'none'}, and no other`);
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
    // a lone surrogate has no UTF-8 form, so it cannot be sent to a source
    const read = text.isWellFormed() ? p.read(text) : bad('must be well-formed Unicode text');
    if (!read.ok) return bad(`Parameter ${p.name} is ${shown(text)}, but it ${read.why}.`);
    input[p.field] = read.value;
  }
  return good(input as InputOf<P[number]>); // each field was set by the reader of its parameter
}

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
  readonly codes?: Codes;
}

interface Pattern<T> {
  /** ECMA-262 regular expression with the flag `u`, anchored. */
  readonly pattern: string;
  readonly not?: string;
  /** Continues "Parameter x is …, but it". */
  readonly must: string;
  readonly mustNot?: string;
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

export const textLike = (pattern: string, must: string): ValueType<string> => matching({ pattern, must, value: (text) => text });

/** A type with a second reader, which normalises or refuses the values of the first. */
export const readAfter = <T>(first: ValueType<string>, then: Reader<T>): ValueType<T> => ({
  schema: first.schema,
  read(text) {
    const read = first.read(text);
    return read.ok ? then(read.value) : read;
  },
});

export const anyCase = (literal: string): string =>
  literal.replace(/[a-z]|[^\w-]/gi, (c) => (/[a-z]/i.test(c) ? `[${c.toUpperCase()}${c.toLowerCase()}]` : c === '/' ? c : `\\${c}`));

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Text of 1 to `max` characters (code points) without control characters; white space around it is removed and not counted. */
export function textUpTo(max: number): ValueType<string> {
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

/** A day, UTC. */
export const day: ValueType<string> = {
  schema: { type: 'string', format: 'date', not: { pattern: '^0000' } },
  read(text) {
    return dayMsOf(text) === null ? bad('must be a day from 0001-01-01 on, such as 2026-01-31') : good(text);
  },
};

export const oneOfTexts = <const V extends readonly string[]>(values: V): ValueType<V[number]> => {
  const isValue = (text: string): text is V[number] => values.includes(text);
  return {
    schema: { type: 'string', enum: [...values] },
    read: (text) => (isValue(text) ? good(text) : bad(mustBeOneOf(values, text))),
  };
};

/** The order of a listing, the first one where none is asked for. */
export const sortIn = <const V extends readonly [string, ...string[]]>(
  name: string,
  values: V,
  description: string,
  example: V[number],
) => ({ ...withDefault(name, oneOfTexts<V>(values), values[0], description, { field: 'sort' }), example });
