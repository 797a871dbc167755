import type { TSchema } from 'typebox';
import * as oauth from '../account/oauth-schemas.ts';
import * as account from '../account/schemas.ts';
import * as watches from '../account/watch-schemas.ts';
import { operationList } from '../operations/index.ts';
import type { Shape } from '../resource-fields.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

const exported = Object.entries({ ...account, ...watches, ...oauth, ...Object.assign({}, ...operationList.map(({ parts }) => parts)) });
const named = new Map<unknown, string>(operationList.map(({ resource, resourceName }) => [resource, resourceName]));
for (const [name, value] of exported)
  if (!named.has(value) && (value as { readonly type?: unknown }).type === 'object') named.set(value, name);

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');

/** Names the objects inside a schema by their place: `metrics` of ShortVideo is ShortVideoMetrics, an entry of its `days` AccountUsageDay. */
function nameNested(schema: Shape, name: string): void {
  for (const [field, value] of Object.entries(schema.properties ?? {})) {
    const place = name + field[0]?.toUpperCase() + field.slice(1);
    nameObject(value, place);
    for (const option of value.anyOf ?? []) nameObject(option, place);
    if (value.items) nameObject(value.items, singular(place));
  }
}
function nameObject(schema: Shape, name: string): void {
  if (Object.keys(schema.properties ?? {}).length === 0 || named.has(schema)) return;
  if ([...named.values()].includes(name)) throw new Error(`two schemas are named ${name}`);
  named.set(schema, name);
  nameNested(schema, name);
}

for (const [schema, name] of [...named]) nameNested(schema as Shape, name);

export const reference = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** `anyOf [X, null]` as `type: [x, null]`: the same set of values, with the description next to the type, where tools show it. */
function nullableOf(members: readonly JsonObject[]): JsonObject | null {
  const [first, second] = members;
  if (members.length !== 2 || second?.type !== 'null' || typeof first?.type !== 'string') return null;
  return { ...first, type: [first.type, 'null'], ...(Array.isArray(first.enum) && { enum: [...first.enum, null] }) };
}

/** A schema as written in the document: named schemas become references, except the one that is being defined. */
function drawn(value: unknown, defining: unknown): Json {
  const name = value === defining ? undefined : named.get(value);
  if (name) return reference(name);
  if (Array.isArray(value)) return value.map((item) => drawn(item, undefined));
  if (typeof value !== 'object' || value === null) return value as Json;
  const { anyOf, ...rest } = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, drawn(item, undefined)]));
  if (!Array.isArray(anyOf)) return rest;
  const flat = nullableOf(anyOf as JsonObject[]);
  return flat ? { ...flat, ...rest } : { ...rest, anyOf };
}

export const schemaOf = (schema: TSchema): Json => drawn(schema, undefined);

export function componentSchemas(): JsonObject {
  const entries = [...named].map(([schema, name]) => [name, drawn(schema, schema)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b)));
}
