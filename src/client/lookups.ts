import type { JsonObject } from '../contract/json-object.ts';
import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Call } from './call.ts';
import { METHODS } from './methods.ts';
import type { CallOptions, PageOptions } from './options.ts';
import { paged } from './pages.ts';

interface Method {
  readonly id: OperationId;
  readonly path: string;
  /** Required parameters of the query; those of the path are in `path`. */
  readonly needs?: readonly string[];
  /** Fields of the input that may be left out. */
  readonly takes?: readonly string[];
  /** Names in the URL of input fields that are called otherwise. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Field of the resource with the entries of a page, and what leads to the next one. */
  readonly items?: string;
  readonly next?: 'after' | 'page';
  readonly deadlineMs?: number;
}

type Methods = typeof METHODS;
type Defined = { [A in keyof Methods]: Methods[A][keyof Methods[A]] }[keyof Methods];
type ById<Id extends OperationId> = Extract<Defined, { readonly id: Id }>;

type InPath<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | InPath<Rest> : never;
type Needed<M> =
  | (M extends { readonly path: infer P extends string } ? InPath<P> : never)
  | (M extends { readonly needs: readonly (infer N)[] } ? N : never);
type Flat<T> = { [K in keyof T]: T[K] };

/** Parameters of a lookup. Types and enums are those of the contract; what has a default there may be left out. */
export type LookupInput<Id extends OperationId = OperationId> = Id extends OperationId
  ? Flat<
      { readonly [K in keyof Input<Id> as K extends Needed<ById<Id>> ? K : never]: Input<Id>[K] } & {
        readonly [K in keyof Input<Id> as K extends Needed<ById<Id>> ? never : K]?: Input<Id>[K] | undefined;
      }
    >
  : never;
export type ResourceOf<Id extends OperationId> = Resource<Id>;

/** Ids of the operations that answer in pages. */
export type PagedId = Extract<Defined, { readonly items: string }>['id'];
type ItemsField<Id extends PagedId> = ById<Id> extends { readonly items: infer F } ? F : never;
export type PageItem<Id extends PagedId> =
  Resource<Id> extends { readonly [K in ItemsField<Id> & string]: readonly (infer T)[] } ? T : never;

/** Areas and their methods, each with the id of its operation. */
export type MethodIds = { readonly [A in keyof Methods]: { readonly [M in keyof Methods[A]]: IdOf<Methods[A][M]> } };
type IdOf<M> = M extends { readonly id: infer Id extends OperationId } ? Id : never;

const BY_ID = new Map(Object.values(METHODS).flatMap((area) => Object.values<Method>(area).map((method) => [method.id, method])));

export function methodOf(id: OperationId): Method {
  const method = BY_ID.get(id);
  if (method) return method;
  throw new TypeError(`There is no operation ${JSON.stringify(id)}.`);
}

type Lookup<Id extends OperationId> = (input: LookupInput<Id>, options?: CallOptions) => Call<ResourceOf<Id>>;
/** One page, or with `all` the entries of all pages. */
type PagedLookup<Id extends PagedId> = Lookup<Id> & {
  all(input: LookupInput<Id>, options?: PageOptions): AsyncGenerator<PageItem<Id>, void, undefined>;
};
type MethodOf<Id extends OperationId> = Id extends PagedId ? PagedLookup<Id> : Lookup<Id>;
export type Areas = { readonly [A in keyof MethodIds]: { readonly [M in keyof MethodIds[A]]: MethodOf<MethodIds[A][M]> } };

type AnyLookup = (id: OperationId, input: JsonObject, options?: CallOptions) => Call<unknown>;

function methodFor(id: OperationId, lookup: AnyLookup): unknown {
  const { items, next } = methodOf(id);
  const one = (input: JsonObject = {}, options?: CallOptions) => lookup(id, input, options);
  return items && next ? paged({ items, next }, one) : one;
}

export const areasOf = (lookup: AnyLookup): Areas =>
  Object.fromEntries(
    Object.entries(METHODS).map(([area, methods]) => [
      area,
      Object.fromEntries(Object.entries<{ id: OperationId }>(methods).map(([name, { id }]) => [name, methodFor(id, lookup)])),
    ]),
  ) as object as Areas;
