import type { Static, TSchema } from 'typebox';
import { type InputOf, type Pairs, type Parameter, readInput } from '../parameters/parameter.ts';
import type { Read } from '../parameters/value-types.ts';

const HOUR_MS = 3_600_000;

/** A group of operations: an OAuth scope, and a tag of the OpenAPI description. */
export interface Area<Id extends string = string> {
  readonly id: Id;
  /** Description of the scope. */
  readonly scope: string;
  /** Description of the tag. */
  readonly about: string;
}
export const defineArea = <const Id extends string>(area: Area<Id>): Area<Id> => area;

/** Deadline of a lookup, and the setting that changes it. */
export interface Deadline {
  readonly setting: 'SIGHTLINE_DEADLINE_MS' | 'SIGHTLINE_DEADLINE_SERP_MS' | 'SIGHTLINE_DEADLINE_COMMENTS_MS';
  readonly ms: number;
}
export const USUAL_DEADLINE: Deadline = { setting: 'SIGHTLINE_DEADLINE_MS', ms: 30_000 };

interface Facts<Id extends string, A extends string> {
  /** Number in the specification. */
  readonly number: number;
  readonly id: Id;
  readonly area: Area<A>;
  /** Template with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  /** Name of the resource's schema in the OpenAPI description. */
  readonly resourceName: string;
  /** The lists of the resource that tables have a row for: `--rows entries` and `--rows paid`. */
  readonly rows?: { readonly entries?: string; readonly paid?: string };
  /** Columns that a table of entries begins with. */
  readonly firstColumns?: readonly string[];
}

/** One operation. Its functions are declared as methods, so that every operation is assignable to `Operation`, a union over all inputs. */
export interface Defined<Id extends string, A extends string, Input, Resource> extends Facts<Id, A> {
  readonly parameters: readonly Parameter[];
  readonly resource: TSchema;
  readonly priceInWords: string;
  readonly deadline: Deadline;
  /** Sentence of its 501 about the sources that can answer it; default: none. */
  readonly waysToAnswer?: string;
  /** How long a stale answer is kept after it was read. */
  readonly keepForMs: number;
  /** Credits of an answer; less if fewer results were delivered (`delivered`) than requested. */
  price(input: Input, delivered?: number): number;
  /** How long an answer is fresh after it was read. */
  freshForMs(resource: Resource, nowMs: number): number;
  readInput(given: Pairs): Read<Input>;
}

interface Definition<Id extends string, A extends string, P extends readonly Parameter[], R extends TSchema> extends Facts<Id, A> {
  readonly parameters: P;
  readonly resource: R;
  /** Default: 1 credit. */
  readonly price?: { readonly words: string; of(input: InputOf<P[number]>, delivered?: number): number };
  /** Default: USUAL_DEADLINE. */
  readonly deadline?: Deadline;
  readonly waysToAnswer?: string;
  readonly freshForMs: (resource: Static<R>, nowMs: number) => number;
  /** Default: 24 hours. */
  readonly keepForMs?: number;
}

/** Defines an operation. Its input type follows from the parameters, its resource type from the schema. */
export function defineOperation<
  const Id extends string,
  const A extends string,
  const P extends readonly Parameter[],
  const R extends TSchema,
>({ price, ...definition }: Definition<Id, A, P, R>): Defined<Id, A, InputOf<P[number]>, Static<R>> {
  return {
    deadline: USUAL_DEADLINE,
    keepForMs: 24 * HOUR_MS,
    ...definition,
    price: price?.of ?? (() => 1),
    priceInWords: price?.words ?? '1 credit',
    readInput: (given) => readInput(definition.parameters, given),
  };
}

type ById<T extends readonly { readonly id: string }[]> = { readonly [O in T[number] as O['id']]: O };
/** The operations by their ids. */
export const tableOf = <const T extends readonly Defined<string, string, unknown, unknown>[]>(...operations: T): ById<T> =>
  Object.fromEntries(operations.map((o) => [o.id, o])) as ById<T>;
