import type { TSchema } from 'typebox';
import { bad, good, type Read, type Reader, type ValueType } from './value-types.ts';

/** One parameter of an endpoint: its location in the URL, its type, and its field in the input. */
export interface Parameter<T = unknown, Field extends string = string, Present extends boolean = boolean> {
  /** Name in the URL. */
  readonly name: string;
  /** Name of the input's field, if different (`sort_by` → `sort`). */
  readonly field: Field;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  /** Whether every input has the field: the parameter is required, or has a default. */
  readonly present: Present;
  readonly default?: T;
  readonly description: string;
  readonly example: string | number;
  readonly schema: TSchema;
  readonly read: Reader<T>;
  readonly pasted?: (text: string) => string | null;
  /** Identifiers in a URL value, from which addresses are built. `of` gives null for a short link, which must be resolved first. */
  readonly parts?: { readonly names: readonly string[]; readonly of: (value: string) => Readonly<Record<string, string>> | null };
}

type Given<T, Name extends string, Field extends string> = {
  readonly name: Name;
  readonly field?: Field;
  readonly type: ValueType<T>;
} & Pick<Parameter<T>, 'description' | 'example' | 'parts'>;

const parameter = <
  T,
  Name extends string,
  Field extends string,
  Place extends { in: 'path' | 'query'; required: boolean; present: boolean },
>(
  { type, name, field, ...rest }: Given<T, Name, Field>,
  place: Place,
) => ({ ...rest, ...place, ...type, name, field: (field ?? name) as Field });

/** A path segment. */
export const inPath = <T, const Name extends string, const Field extends string = Name>(
  p: Given<T, Name, Field>,
): Parameter<T, NoInfer<Field>, true> => parameter(p, { in: 'path', required: true, present: true });
export const required = <T, const Name extends string, const Field extends string = Name>(
  p: Given<T, Name, Field>,
): Parameter<T, NoInfer<Field>, true> => parameter(p, { in: 'query', required: true, present: true });
export const optional = <T, const Name extends string, const Field extends string = Name>(
  p: Given<T, Name, Field>,
): Parameter<T, NoInfer<Field>, false> => parameter(p, { in: 'query', required: false, present: false });
export const withDefault = <T, const Name extends string, const Field extends string = Name>(
  p: Given<T, Name, Field> & { readonly default: NoInfer<T> },
): Parameter<T, NoInfer<Field>, true> => ({ ...parameter(p, { in: 'query', required: false, present: true }), default: p.default });

type ValueOf<P> = P extends Parameter<infer T> ? T : never;
/** The input of an endpoint: a field for each parameter, optional if the parameter is optional and has no default. */
export type InputOf<P extends Parameter> = {
  readonly [Q in P as Q['present'] extends true ? Q['field'] : never]: ValueOf<Q>;
} & {
  readonly [Q in P as Q['present'] extends true ? never : Q['field']]?: ValueOf<Q>;
};

/** Parameters of a request, in order, with repeated names. */
export type Pairs = Iterable<readonly [string, string]>;

/** The value as quoted in a message: short, and escaped for logs and pages. */
const shown = (value: string): string => JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);

/**
 * Reads the parameters of a request into the endpoint's input. An absent parameter takes its default; a parameter that is unknown,
 * repeated, missing or invalid is refused with a message that names the parameter, the value and what it must be.
 */
export function readInput<const P extends readonly Parameter[]>(parameters: P, given: Pairs): Read<InputOf<P[number]>> {
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
    // a lone surrogate has no UTF-8 form, so it cannot be sent to a source
    const read = text.isWellFormed() ? p.read(text) : bad('must be well-formed Unicode text');
    if (!read.ok) return bad(`Parameter ${p.name} is ${shown(text)}, but it ${read.why}.`);
    input[p.field] = read.value;
  }
  return good(input as InputOf<P[number]>); // each field was set by the reader of its parameter
}
