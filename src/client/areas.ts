import type { OperationId } from '../contract/operations/index.ts';
import type { Call } from './call.ts';
import { type LookupInput, type MethodIds, methodOf, type PagedId, type PageItem, type ResourceOf } from './lookups.ts';
import { METHODS } from './methods.ts';
import type { CallOptions, PageOptions } from './options.ts';
import { paged } from './pages.ts';

/** One lookup. */
export type Lookup<Id extends OperationId> = (input: LookupInput<Id>, options?: CallOptions) => Call<ResourceOf<Id>>;
/** One page, or with `all` the entries of all pages. */
export type PagedLookup<Id extends PagedId> = Lookup<Id> & {
  all(input: LookupInput<Id>, options?: PageOptions): AsyncGenerator<PageItem<Id>, void, undefined>;
};
type MethodOf<Id extends OperationId> = Id extends PagedId ? PagedLookup<Id> : Lookup<Id>;
/** The methods by area. */
export type Areas = { readonly [A in keyof MethodIds]: { readonly [M in keyof MethodIds[A]]: MethodOf<MethodIds[A][M]> } };

type Values = Readonly<Record<string, unknown>>;
type AnyLookup = (id: OperationId, input: Values, options?: CallOptions) => Call<unknown>;

/** The method of one operation. */
function methodFor(id: OperationId, lookup: AnyLookup): unknown {
  const { items, next } = methodOf(id);
  const one = (input: Values = {}, options?: CallOptions) => lookup(id, input, options);
  return items && next ? paged({ items, next }, one) : one;
}

/** The areas with their methods, from the table. */
export const areasOf = (lookup: AnyLookup): Areas =>
  Object.fromEntries(
    Object.entries(METHODS).map(([area, methods]) => [
      area,
      Object.fromEntries(Object.entries<{ id: OperationId }>(methods).map(([name, { id }]) => [name, methodFor(id, lookup)])),
    ]),
  ) as object as Areas;
