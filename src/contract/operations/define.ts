import type { Static, TSchema } from 'typebox';
import { type InputOf, type Pairs, type Parameter, type Read, readInput } from '../parameters/parameter.ts';

const MINUTE_MS = 60_000;
export const minutes = (n: number): number => n * MINUTE_MS;
export const hours = (n: number): number => minutes(60 * n);
export const ABSENT_FRESH_MS = MINUTE_MS;

/** A schema under its name in the OpenAPI description: `{ AppProfile }`. */
export type Named<S extends TSchema> = Readonly<Record<string, S>>;
export function named<S extends TSchema>(given: Named<S>): { readonly resourceName: string; readonly resource: S } {
  const [entry] = Object.entries(given);
  if (!entry) throw new Error('a schema without a name');
  return { resourceName: entry[0], resource: entry[1] };
}

/** A group of operations: an OAuth scope, and a tag of the OpenAPI description. */
export interface Area<Id extends string = string> {
  readonly id: Id;
  readonly scope: string;
  readonly about: string;
}
export const defineArea = <const Id extends string>(area: Area<Id>): Area<Id> => area;

export interface ListRule {
  /** Fields that name an entry; its flags (`isSponsored`) make a second entry of the same name. The first one counts as the entry being there. */
  readonly key: readonly string[];
  /** The field that ranks the entries: their order counts. */
  readonly rank?: string;
  /** Only the newest entries, with the field that says when each was made: an entry that is no longer there has scrolled away. */
  readonly feed?: string;
}
/** What a change of an answer is. Paths are dotted, without list indexes. */
export interface WatchRules {
  readonly lists: Readonly<Record<string, ListRule>>;
  /** Fields that count unless others are asked for. `path?`: whether the list or the object is there. */
  readonly fields: readonly string[];
  /** Fields that never count: times of reading, signed URLs, cursors. */
  readonly never: readonly string[];
  readonly series: readonly string[];
  /** A date that lies ahead, and how many whole days before it a watch tells of it unless it asks for others. */
  readonly due?: { readonly field: string; readonly days: readonly number[] };
  /** Fields of the last answer that a list of watches shows beside the date; default: none. */
  readonly shown?: readonly string[];
  /** How long after they were read last texts may be stored; default: no limit. Keys, numbers and hashes stay. */
  readonly textsForMs?: number;
  /** Field that says whether entries follow on another page. */
  readonly more?: string;
}

export interface Deadline {
  readonly setting: 'SIGHTLINE_DEADLINE_MS' | 'SIGHTLINE_DEADLINE_SERP_MS' | 'SIGHTLINE_DEADLINE_COMMENTS_MS';
  readonly ms: number;
}
export const USUAL_DEADLINE: Deadline = { setting: 'SIGHTLINE_DEADLINE_MS', ms: 30_000 };

interface Facts<Id extends string, A extends string> {
  readonly id: Id;
  readonly area: Area<A>;
  readonly path: string;
  readonly summary: string;
  /** Name of its method in the typed clients, below its area. */
  readonly method: string;
  /** What leads to the next page of its entries: the cursor `after` of the resource, or a page number. */
  readonly pages?: 'after' | 'page';
  /** The lists of the resource that tables have a row for: `--rows entries` and `--rows paid`. */
  readonly rows?: { readonly entries?: string; readonly paid?: string };
  readonly watch: WatchRules;
  readonly firstColumns?: readonly string[];
  /** Sentence of its 501 about the sources that can answer it; default: none. */
  readonly waysToAnswer?: string;
}

/** One operation. Its functions are declared as methods, so that every operation is assignable to `Operation`, which is any of them. */
export interface Defined<Id extends string, A extends string, Input, Resource> extends Facts<Id, A> {
  readonly parameters: readonly Parameter[];
  readonly resource: TSchema;
  readonly resourceName: string;
  readonly parts: Readonly<Record<string, TSchema>>;
  readonly priceInWords: string;
  readonly deadline: Deadline;
  readonly keepForMs: number;
  /** Credits of an answer; less if fewer results were delivered (`delivered`) than requested. */
  price(input: Input, delivered?: number): number;
  freshForMs(resource: Resource, nowMs: number): number;
  readInput(given: Pairs): Read<Input>;
}

interface Definition<Id extends string, A extends string, P extends readonly Parameter[], R extends TSchema> extends Facts<Id, A> {
  readonly parameters: P;
  readonly resource: Named<R>;
  /** Objects inside the resource that the description names by themselves, under their names there; all others are named by their place. */
  readonly parts?: Readonly<Record<string, TSchema>>;
  readonly price?: { readonly words: string; of(input: InputOf<P[number]>, delivered?: number): number };
  readonly deadline?: Deadline;
  readonly freshForMs: (resource: Static<R>, nowMs: number) => number;
  readonly keepForMs?: number;
}

/** Defines an operation. Its input type follows from the parameters, its resource type from the schema. */
export function defineOperation<
  const Id extends string,
  const A extends string,
  const P extends readonly Parameter[],
  const R extends TSchema,
>({ price, resource, ...definition }: Definition<Id, A, P, R>): Defined<Id, A, InputOf<P[number]>, Static<R>> {
  return {
    deadline: USUAL_DEADLINE,
    keepForMs: hours(24),
    parts: {},
    ...definition,
    ...named(resource),
    price: price?.of ?? (() => 1),
    priceInWords: price?.words ?? '1 credit',
    readInput: (given) => readInput(definition.parameters, given),
  };
}

type ById<T extends readonly { readonly id: string }[]> = { readonly [O in T[number] as O['id']]: O };
export const tableOf = <const T extends readonly Defined<string, string, unknown, unknown>[]>(...operations: T): ById<T> =>
  Object.fromEntries(operations.map((o) => [o.id, o])) as ById<T>;

/** The position of the first mismatch as a JSON pointer ('' for the whole value), and its reason. */
export interface Fault {
  readonly pointer: string;
  readonly why: string;
}

/** The used part of TypeBox's validator, without the type of its schema. */
interface Validator {
  Check(value: unknown): boolean;
  Errors(value: unknown): readonly [boolean, readonly { readonly instancePath: string; readonly message: string }[]];
}

/** Loads the compiler, which the start does not need: with the first value, or earlier while the process is idle. */
export const loadCompiler = () => import('typebox/schema');

/** A check against a schema: null if the value matches. The schema is compiled with the first value. */
export function faultFinder(schema: TSchema): (value: unknown) => Promise<Fault | null> {
  let validator: Validator | null = null;
  return async (value) => {
    validator ??= (await loadCompiler()).Compile(schema);
    if (validator.Check(value)) return null;
    const [first] = validator.Errors(value)[1];
    return { pointer: first?.instancePath ?? '', why: first?.message ?? 'does not match the schema' };
  };
}
