import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../contract/json-object.ts';
import { type OperationId, operationOf } from '../../contract/operations/index.ts';
import { ROOT } from '../../runtime/installation.ts';

/** Where a provider says something. `date`: of the copy that was read, or of the day on which it was read where the copy has none. */
export interface Evidence {
  readonly address: string;
  readonly date: string;
  /** The copy by others in which it was read, because the provider's own page could not be. */
  readonly copy?: string;
}
interface StatedEvidence extends Evidence {
  readonly text: string;
}

/** What a provider answers for one operation. */
interface RecipeLookup {
  /** Inputs that the provider answers: for a text the values or a regular expression, for a number the largest. What is not named is not limited. */
  readonly serves: Readonly<Record<string, readonly string[] | string | number>>;
  /** Where the form of the answer is documented. */
  readonly answer: Evidence;
  /** What this operation has beside or instead of the recipe's `relay`. */
  readonly relay?: JsonObject;
}

/** `recipes/<name>.json`: a provider of data in the form of a relay, and what its own pages say of it. What could not be read is null. */
export interface Recipe {
  readonly name: string;
  readonly provider: string;
  readonly site: string;
  /** Environment variables that hold the credentials; `${NAME}` in the relay stands for the value. */
  readonly variables: readonly { readonly name: string; readonly about: string }[];
  readonly price: (StatedEvidence & { readonly usdEach: number | null }) | null;
  readonly free: StatedEvidence | null;
  /** Where they stand. */
  readonly terms: Evidence | null;
  /** Where the forms of errors are documented. Null: the status alone tells a failure. */
  readonly errors: Evidence | null;
  readonly lookups: Readonly<Partial<Record<OperationId, RecipeLookup>>>;
  /** In the form of an entry of `SIGHTLINE_RELAYS`, without name, operation, price and caps. */
  readonly relay: JsonObject;
}

/** By recipe or id of a built-in source, operation and field of the resource: whether the documented example states it. Generated from the examples. */
export type Coverage = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, boolean>>>>>>;

const FOLDER = join(ROOT, 'recipes');
const read = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

/** Not its `<name>.example.json`. */
const isRecipe = (file: string): boolean => /^[a-z0-9-]+\.json$/.test(file);

/** Every recipe, by name. Their form is checked by a test: they are part of the program. */
export const RECIPES: readonly Recipe[] = readdirSync(FOLDER)
  .filter(isRecipe)
  .sort()
  .map((file) => ({ name: file.replace('.json', ''), ...(read(file) as Omit<Recipe, 'name'>) }));

/** The operations that a recipe answers. */
export const operationsIn = ({ lookups }: Pick<Recipe, 'lookups'>): readonly OperationId[] =>
  Object.keys(lookups).flatMap((id) => operationOf(id)?.id ?? []);

/** An answer in the provider's documented form, with the input that it belongs to. */
export interface Example {
  readonly input: Readonly<Record<string, string | number>>;
  readonly answer: unknown;
  /** Failures that the provider documents: status and body, and what they mean. */
  readonly failures: readonly { readonly status: number; readonly body: unknown; readonly tag: string }[];
}
export function exampleOf({ name }: Pick<Recipe, 'name'>, operation: OperationId): Example {
  const examples = read(`${name}.example.json`) as Partial<Record<OperationId, Example>>;
  const example = examples[operation];
  if (!example) throw new Error(`recipes/${name}.example.json has no ${operation}`);
  return example;
}

/** Empty where it was not generated yet. */
export const COVERAGE: Coverage = JSON.parse(readFileSync(new URL('./coverage.json', import.meta.url), 'utf8')) as Coverage;

/** What to show of a recipe before anybody pays: all of it but the requests, with the fields that its answers state. */
export function describeRecipe({ relay: _, lookups, ...recipe }: Recipe) {
  const shown = Object.entries(lookups).map(([id, { relay: _own, ...lookup }]) => [
    id,
    { ...lookup, coverage: COVERAGE[recipe.name]?.[id] ?? {} },
  ]);
  return {
    ...recipe,
    lookups: Object.fromEntries(shown) as Record<string, Omit<RecipeLookup, 'relay'> & { coverage: Record<string, boolean> }>,
  };
}
