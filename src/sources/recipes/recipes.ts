import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../contract/json-object.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { ROOT } from '../../runtime/installation.ts';

/** The copy that a statement was read in. `date`: of the copy, or of the day on which it was read where the copy has none. */
export interface Evidence {
  readonly address: string;
  readonly date: string;
}
interface StatedEvidence extends Evidence {
  readonly text: string;
}

/** `recipes/<name>.json`: a provider of data in the form of a relay, and what its own pages say of it. What could not be read is null. */
export interface Recipe {
  readonly name: string;
  readonly provider: string;
  readonly site: string;
  /** Environment variables that hold the credentials; `${NAME}` in the relay stands for the value. */
  readonly variables: readonly { readonly name: string; readonly about: string }[];
  readonly operation: OperationId;
  /** Inputs that the provider answers: for a text the values, for a number the largest. What is not named is not limited. */
  readonly serves: Readonly<Record<string, readonly string[] | number>>;
  readonly price: (StatedEvidence & { readonly usdEach: number | null }) | null;
  readonly free: StatedEvidence | null;
  /** Where they stand. */
  readonly terms: Evidence | null;
  /** Where the form of the answer is documented, and the forms of its errors. Null: the status alone tells a failure. */
  readonly answer: Evidence;
  readonly errors: Evidence | null;
  /** In the form of an entry of `SIGHTLINE_RELAYS`, without name, operation, price and caps. */
  readonly relay: JsonObject;
}

/** By recipe and field of the resource: whether the documented example states it. Generated from the recipes and their examples. */
export type Coverage = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

const FOLDER = join(ROOT, 'recipes');
const read = (file: string): unknown => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));

/** Not its `<name>.example.json`. */
const isRecipe = (file: string): boolean => /^[a-z0-9-]+\.json$/.test(file);

/** Every recipe, by name. Their form is checked by a test: they are part of the program. */
export const RECIPES: readonly Recipe[] = readdirSync(FOLDER)
  .filter(isRecipe)
  .sort()
  .map((file) => ({ name: file.replace('.json', ''), ...(read(file) as Omit<Recipe, 'name'>) }));

/** An answer in the provider's documented form, with the input that it belongs to. */
export interface Example {
  readonly input: Readonly<Record<string, string | number>>;
  readonly answer: unknown;
  /** Failures that the provider documents: status and body, and what they mean. */
  readonly failures: readonly { readonly status: number; readonly body: unknown; readonly tag: string }[];
}
export const exampleOf = ({ name }: Pick<Recipe, 'name'>): Example => read(`${name}.example.json`) as Example;

/** Empty where it was not generated yet. */
export const COVERAGE: Coverage = JSON.parse(readFileSync(new URL('./coverage.json', import.meta.url), 'utf8')) as Coverage;

/** What to show of a recipe before anybody pays: all of it but the request, with the fields that its answer states. */
export const describeRecipe = ({ relay, ...recipe }: Recipe) => ({ ...recipe, coverage: COVERAGE[recipe.name] ?? {} });
