import type { Static, TArray, TBoolean, TInteger, TNull, TNumber, TObject, TProperties, TSchema, TString, TUnion, TUnsafe } from 'typebox';

/** Plain JSON Schema under TypeBox's types: a start does not load the five hundred modules of TypeBox's builders. */
const typed = <T extends TSchema>(schema: object): T => schema as T;

/** A value, or null if the source does not state it. */
export const nullable = <T extends TSchema>(schema: T) => typed<TUnion<[T, TNull]>>({ anyOf: [schema, { type: 'null' }] });

export const record = <P extends TProperties>(fields: P, description?: string) =>
  typed<TObject<P>>({
    type: 'object',
    required: Object.keys(fields),
    properties: fields,
    additionalProperties: false,
    ...(description && { description }),
  });
/** The body of a request: these fields, all required, the optional ones, and no others. */
export const requestBody = <P extends TProperties>(fields: P, optional: TProperties) =>
  typed<TObject<P>>({ ...openRecord(fields, optional), additionalProperties: false });
/** An object of an answer with these fields, all required, the optional ones, and any others. */
export const openRecord = <P extends TProperties>(fields: P, optional: TProperties) =>
  typed<TObject<P>>({ type: 'object', required: Object.keys(fields), properties: { ...fields, ...optional } });

export const mapOf = <T extends TSchema>(values: T, description: string) =>
  typed<TUnsafe<Readonly<Record<string, Static<T>>>>>({ type: 'object', properties: {}, additionalProperties: values, description });
export const textMap = (description: string) => mapOf(typed<TString>({ type: 'string' }), description);

export const list = <T extends TSchema>(items: T, description?: string) =>
  typed<TArray<T>>({ type: 'array', items, ...(description && { description }) });

interface Limits {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}
export const text = (description: string) => typed<TString>({ type: 'string', description });
export const matching = (pattern: string, description: string) => typed<TString>({ type: 'string', description, pattern });
export const count = (description: string, limits: Limits = {}) => typed<TInteger>({ type: 'integer', ...limits, description });
export const amount = (description: string, limits: Limits = {}) => typed<TNumber>({ type: 'number', ...limits, description });
export const flag = (description: string) => typed<TBoolean>({ type: 'boolean', description });
export const words = (description: string) => list(typed<TString>({ type: 'string' }), description);
export const url = (description: string) => typed<TString>({ type: 'string', description, format: 'uri' });
/** RFC 3339 UTC with milliseconds. */
export const instant = (description: string) => matching('^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$', description);
export const day = (description: string) => matching('^\\d{4}-\\d\\d-\\d\\d$', description);
/** An instant, or the day alone if the source states only that. */
export const date = (description: string) => matching('^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)?$', description);
export const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  typed<TUnsafe<V[number]>>({ type: 'string', enum: [...values], description });
export const exactly = <const V extends string>(value: V) => typed<TUnsafe<V>>({ type: 'string', const: value });

const KINDS = { text, count, amount, flag, url, instant, day, date };
/** Nullable versions: a value that a source does not state is null. */
export const orNull = Object.fromEntries(
  Object.entries(KINDS).map(([name, make]) => [name, (description: string) => nullable<TSchema>(make(description))]),
) as { readonly [K in keyof typeof KINDS]: (description: string) => TUnion<[ReturnType<(typeof KINDS)[K]>, TNull]> };
