import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { isObject, type JsonObject } from '../untyped-json.ts';

/** A JSON Schema as far as the contract's resources use it: `anyOf` is a value or null. */
type Schema = TSchema & {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly [value: Schema, none: Schema];
  readonly format?: string;
};

export type Fitted =
  | { readonly ok: true; readonly value: JsonObject; readonly unread: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** When the source was read, where a mapping does not say it. */
const TIMES: ReadonlySet<string> = new Set(['scrapedAt', 'checkedAt']);

/**
 * Gives a mapped value the form of a resource: a field that the mapping leaves out is null (a list: empty); a value that does not fit its
 * field becomes null and is unread. Not ok where a field has a name that the contract does not know, or a field that may not be null has no
 * value that fits.
 */
export function fitTo(schema: TSchema, value: unknown, at: string): Fitted {
  const unread = new Set<string>();
  try {
    return { ok: true, value: fitFields(schema, value, { at, unread, path: '' }), unread: [...unread] };
  } catch (error) {
    if (error instanceof Unfit) return { ok: false, why: error.message };
    throw error;
  }
}

class Unfit extends Error {}
interface Place {
  readonly at: string;
  readonly unread: Set<string>;
  /** Dotted path of the field, without list indexes. */
  readonly path: string;
}

function fit(schema: Schema, value: unknown, place: Place): unknown {
  const { path, unread } = place;
  if (schema.anyOf) {
    if (value === undefined || value === null) return null;
    try {
      return fit(schema.anyOf[0], value, place);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      unread.add(path);
      return null;
    }
  }
  // JSONata gives a list of one as the entry itself
  if (schema.type === 'array') return [value ?? []].flat().map((entry) => fit(schema.items ?? {}, entry, place));
  if (value === undefined || value === null) throw new Unfit(`the mapping gives no ${path}`);
  if (schema.type === 'object') return fitFields(schema, value, place);
  const fitted = schema.format === 'uri' ? httpUrl(String(value)) : value;
  if (!isFitting(schema, fitted)) throw new Unfit(`${path} is ${JSON.stringify(value).slice(0, 60)}: that is no ${schema.type}`);
  return fitted;
}

/** As the URL standard writes it: providers leave characters unescaped. */
const httpUrl = (text: string): string | undefined => (/^https?:/i.test(text) ? URL.parse(text)?.href : undefined);

const validators = new WeakMap<Schema, { Check(value: unknown): boolean }>();
function isFitting(schema: Schema, value: unknown): boolean {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

function fitFields({ properties = {} }: Schema, value: unknown, place: Place): JsonObject {
  const { path, at } = place;
  if (!isObject(value)) throw new Unfit(`${path || 'the resource'} is no object`);
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const stray = Object.keys(value).find((name) => !Object.hasOwn(properties, name));
  if (stray !== undefined) throw new Unfit(`the mapping gives ${below(stray)}, which is no field: ${Object.keys(properties).join(', ')}`);
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const given = value[name] === undefined && path === '' && TIMES.has(name) ? at : value[name];
      return [name, fit(schema, given, { ...place, path: below(name) })];
    }),
  );
}
