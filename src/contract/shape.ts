import Type, { type TSchema } from 'typebox';

/** A value, or null where the source does not state it. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An object that carries exactly these fields, all of them always. */
export const record = <P extends Record<string, TSchema>>(fields: P, description?: string) =>
  Type.Object(fields, { additionalProperties: false, ...(description && { description }) });

export const text = (description: string) => Type.String({ description });
export const count = (description: string) => Type.Integer({ description });
export const amount = (description: string) => Type.Number({ description });
export const flag = (description: string) => Type.Boolean({ description });
export const words = (description: string) => Type.Array(Type.String(), { description });
export const url = (description: string) => Type.String({ description, format: 'uri' });
/** RFC 3339 UTC with milliseconds. */
export const instant = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
export const day = (description: string) => Type.String({ description, pattern: '^\\d{4}-\\d\\d-\\d\\d$' });
/** An instant, or only the day where the source states no more. */
export const date = (description: string) =>
  Type.String({ description, pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z)?$' });
export const oneOf = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], description });

/** Every field nullable: what a source does not state is null. */
export const orNull = {
  text: (description: string) => nullable(text(description)),
  count: (description: string) => nullable(count(description)),
  amount: (description: string) => nullable(amount(description)),
  flag: (description: string) => nullable(flag(description)),
  url: (description: string) => nullable(url(description)),
  instant: (description: string) => nullable(instant(description)),
  day: (description: string) => nullable(day(description)),
  date: (description: string) => nullable(date(description)),
};
