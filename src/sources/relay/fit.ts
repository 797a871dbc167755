import type { TSchema } from 'typebox';
import { isObject } from '../untyped-json.ts';

/** A JSON Schema as far as the contract's resources use it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Fitted =
  | { readonly ok: true; readonly value: unknown; readonly unread: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** When the source was read, where a mapping does not say it. */
const TIMES: ReadonlySet<string> = new Set(['scrapedAt', 'checkedAt']);

const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);
const isNullable = (schema: Schema): boolean => typesOf(schema).includes('null') || (schema.anyOf ?? []).some(isNullable);

/**
 * Gives a mapped value the form of a resource: a field that the mapping leaves out is null (a list: empty); a value that does not fit its
 * field becomes null and is unread. Not ok where a field has a name that the contract does not know, or a field that may not be null has no
 * value that fits.
 */
export function fitTo(schema: TSchema, value: unknown, at: string): Fitted {
  const unread = new Set<string>();
  try {
    return { ok: true, value: fit(schema, value, { at, unread, path: '' }), unread: [...unread] };
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
  const types = typesOf(schema);
  const member = schema.anyOf?.find((one) => !typesOf(one).includes('null'));
  if (value === undefined || value === null) {
    if (types.includes('array') && !isNullable(schema)) return [];
    if (isNullable(schema)) return null;
    throw new Unfit(`the mapping gives no ${path || 'resource'}`);
  }
  if (member) return value === null ? null : orNull(schema, place, () => fit(member, value, place));
  if (types.includes('array')) {
    // JSONata gives a list of one as the entry itself
    const entries = Array.isArray(value) ? value : [value];
    return entries.map((entry) => fit(schema.items ?? {}, entry, place));
  }
  if (types.includes('object')) return orNull(schema, place, () => fitFields(schema, value, place));
  // as the URL standard writes it: providers leave characters unescaped
  if (isFitting(schema, value)) return schema.format === 'uri' ? new URL(String(value)).href : value;
  if (!isNullable(schema))
    throw new Unfit(`${path || 'the resource'} is ${JSON.stringify(value).slice(0, 60)}: that is no ${types.join(' or ')}`);
  unread.add(path);
  return null;
}

/** The value, or null and unread where it does not fit and may be null. */
function orNull(schema: Schema, { unread, path }: Place, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Unfit) || !isNullable(schema) || path === '') throw error;
    unread.add(path);
    return null;
  }
}

function fitFields({ properties = {} }: Schema, value: unknown, place: Place): unknown {
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

function isFitting(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  const type = Number.isInteger(value) && types.includes('integer') ? 'integer' : typeof value;
  if (types.length > 0 && !types.includes(type)) return false;
  if (schema.const !== undefined && value !== schema.const) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (typeof value === 'string') {
    if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) return false;
    return schema.format !== 'uri' || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol));
  }
  if (typeof value === 'number')
    return value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) && value <= (schema.maximum ?? Number.POSITIVE_INFINITY);
  return true;
}
