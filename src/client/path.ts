import type { JsonObject } from '../contract/json-object.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { SightlineError } from './error.ts';
import { methodOf } from './lookups.ts';

const failParameter = (why: string): never => {
  throw new SightlineError('INVALID_REQUEST', why);
};

const valuesIn = (given: object | null = {}) => Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null);

/** Refuses a name that would be left out in silence, or sent for nothing. Undefined and null are no values. */
export function demandNames(given: object, what: string, known: readonly string[]): void {
  for (const [name] of valuesIn(given))
    if (!known.includes(name)) failParameter(`There is no ${what} "${name}": only ${known.join(', ')}.`);
}

/** Parameters as a query string with its `?`; '' without any. Null and undefined are left out. */
export function queryOf(values?: object): string {
  const query = String(new URLSearchParams(valuesIn(values)));
  return query && `?${query}`;
}

/** The input by the names of the parameters in the URL. Throws INVALID_REQUEST for a parameter that the operation has not. */
export function namedInput(id: OperationId, input: JsonObject): Record<string, unknown> {
  const { path, needs = [], takes = [], renamed = {} } = methodOf(id);
  demandNames(input, 'parameter', [...(path.match(/\w+(?=})/g) ?? []), ...needs, ...takes]);
  return Object.fromEntries(Object.entries(input).map(([field, value]) => [renamed[field] ?? field, value]));
}

/** Path and query of a lookup. Throws INVALID_REQUEST where a required parameter is missing, or would change the path. */
export function pathOf(id: OperationId, input: JsonObject): string {
  const { path, needs = [] } = methodOf(id);
  const query = namedInput(id, input);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(query[name] ?? '');
    delete query[name];
    // "." and ".." are steps in a path, however they are encoded
    if (/^\.{0,2}$/.test(value))
      failParameter(`Parameter ${name} of ${id} is ${JSON.stringify(value)}: it must not be empty, "." or "..".`);
    return encodeURIComponent(value);
  });
  for (const name of needs) if ((query[name] ?? '') === '') failParameter(`Parameter ${name} of ${id} is missing.`);
  return `${filled}${queryOf(query)}`;
}
