import { Compile } from 'typebox/schema';
import type { Json, JsonObject } from '../src/contract/openapi/schemas.ts';

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);
const member = (value: Json | undefined, ...path: readonly string[]): Json | undefined => {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
};

/** Replaces references to `components.schemas` by the schemas themselves. */
function resolved(value: Json | undefined, document: JsonObject): Json | undefined {
  if (Array.isArray(value)) return value.map((item: Json) => resolved(item, document) ?? null);
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return resolved(member(document, ...value.$ref.slice(2).split('/')), document);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolved(item, document)]));
}

/** The 200 and 201 answers of a description whose JSON has no example, or one that does not match its schema. */
export function exampleFaults(document: JsonObject): readonly string[] {
  const faults: string[] = [];
  for (const [path, methods] of Object.entries(isObject(document.paths) ? document.paths : {}))
    for (const [method, status] of [
      ['get', '200'],
      ['post', '200'],
      ['post', '201'],
    ] as const) {
      const json = member(methods, method, 'responses', status, 'content', 'application/json');
      if (!isObject(json)) continue;
      const schema = resolved(json.schema, document);
      if (json.example === undefined) faults.push(`${method} ${path} has no example`);
      else if (!isObject(schema) || !Compile(schema).Check(json.example))
        faults.push(`the example of ${method} ${path} does not match its schema`);
    }
  return faults;
}
