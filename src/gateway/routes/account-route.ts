import type { Caller } from '../../accounts/types.ts';
import { ServiceError } from '../../contract/errors.ts';
import { bad, good, optional, type Parameter, readInput, readInteger } from '../../contract/parameters/parameter.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RouteDependencies } from './dependencies.ts';

export type Pairs = readonly (readonly [string, string])[];
/** A JSON body, or bytes of another type with the headers that belong to them. */
export type Served = { readonly json: object } | { readonly bytes: Buffer; readonly headers: readonly string[] };
/** Something about the caller's own account. */
export interface AccountRoute {
  readonly path: string;
  readonly operation: string;
  readonly serve: (routes: RouteDependencies, context: RequestContext, caller: Caller, given: Pairs) => Promise<Served>;
}

/** The input that the parameters make of the query. Throws INVALID_REQUEST. */
export function inputOf(parameters: readonly Parameter[], given: Pairs): Readonly<Record<string, unknown>> {
  const read = readInput(parameters, given);
  if (!read.ok) throw new ServiceError('INVALID_REQUEST', read.why);
  return read.value;
}

/** How many entries a page has, and where it begins. */
export const pageParameters = (max: number, usual: number, isCursor: (text: string) => boolean): readonly Parameter[] => [
  optional({
    name: 'limit',
    default: usual,
    description: 'Entries of a page.',
    example: usual,
    schema: { type: 'integer' },
    read: readInteger(1, max),
  }),
  optional({
    name: 'after',
    description: 'Cursor: `after` of the page before.',
    example: '',
    schema: { type: 'string' },
    read: (text) => (isCursor(text) ? good(text) : bad('must be the after of the page before')),
  }),
];
