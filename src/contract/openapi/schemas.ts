import type { TSchema } from 'typebox';
import * as notify from '../account/notify-schemas.ts';
import * as oauth from '../account/oauth-schemas.ts';
import * as rankings from '../account/ranking-schemas.ts';
import * as account from '../account/schemas.ts';
import * as lists from '../account/watch-list-schemas.ts';
import * as watches from '../account/watch-schemas.ts';
import { operationList } from '../operations/index.ts';
import type { Shape } from '../resource-fields.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

type Named = readonly (readonly [name: string, schema: Shape])[];
const exported: Named = Object.entries({
  ...account,
  ...watches,
  ...lists,
  ...notify,
  ...rankings,
  ...oauth,
  ...Object.assign({}, ...operationList.map(({ parts }) => parts)),
});

const singular = (word: string): string =>
  /series$/i.test(word) ? word : word.replace(/ies$/, 'y').replace(/(?<=[rt]ch|sh|x)es$|(?<=[^s])s$/, '');

/** Names every object inside the named schemas by its place: `metrics` of ShortVideo is ShortVideoMetrics, an entry of its `days` AccountUsageDay. */
export function nameSchemas(roots: Named): ReadonlyMap<unknown, string> {
  const named = new Map<unknown, string>();
  const fields = new Map<string, string>();
  function name(schema: Shape, place: string, field: string): void {
    const before = fields.get(place);
    if (before !== undefined)
      throw new Error(
        `${before} and ${field} would both be the schema ${place} of the description: give an object another name in \`parts\` of its operation, or rename the resource`,
      );
    named.set(schema, place);
    fields.set(place, field);
  }
  function nameNested(schema: Shape, parent: string): void {
    for (const [field, value] of Object.entries(schema.properties ?? {})) {
      const place = parent + field[0]?.toUpperCase() + field.slice(1);
      const objects = [
        [value, place],
        ...(value.anyOf ?? []).map((option) => [option, place]),
        [value.items ?? {}, singular(place)],
      ] as const;
      for (const [object, objectName] of objects as readonly (readonly [Shape, string])[]) {
        if (Object.keys(object.properties ?? {}).length === 0 || named.has(object)) continue;
        name(object, objectName, `${parent}.${field}`);
        nameNested(object, objectName);
      }
    }
  }
  const own = roots
    .filter(([, schema]) => schema.type === 'object')
    .filter(([, schema], i, all) => all.findIndex((one) => one[1] === schema) === i);
  for (const [place, schema] of own) name(schema, place, `the schema ${place}`);
  for (const [place, schema] of own) nameNested(schema, place);
  return named;
}

const named = nameSchemas([...operationList.map(({ resource, resourceName }): Named[number] => [resourceName, resource]), ...exported]);

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
