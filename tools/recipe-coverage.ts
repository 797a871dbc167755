import { readFileSync } from 'node:fs';
import { type Input, OPERATIONS, type OperationId } from '../src/contract/operations/index.ts';
import { presenceIn } from '../src/monitoring/field-presence.ts';
import { readerOf } from '../src/sources/index.ts';
import type { Outcome } from '../src/sources/outcome.ts';
import { relayOf } from '../src/sources/recipes/recipe-source.ts';
import { type Coverage, type Evidence, type Example, exampleOf, operationsIn, type Recipe } from '../src/sources/recipes/recipes.ts';
import { readMapped } from '../src/sources/relay/map.ts';

function inputOf(operation: OperationId, input: Example['input'], name: string): Input {
  const read = OPERATIONS[operation].readInput(Object.entries(input).map(([key, value]) => [key, String(value)]));
  if (!read.ok) throw new Error(`the input of ${operation} in the example of ${name}: ${read.why}`);
  return read.value;
}
const answerOf = (body: unknown, atMs: number) => ({
  ...{ status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: '', atMs },
});

/** Maps a provider's body by the recipe. `at`: when the body arrived. */
export async function mapAnswer(recipe: Recipe, operation: OperationId, body: unknown, at = 0): Promise<Outcome> {
  const { reading } = await relayOf(recipe, operation, () => 'key');
  if (reading.by === 'reader') throw new Error(`${recipe.name} is read by a reader of the platform's own answers, not mapped`);
  const input = inputOf(operation, exampleOf(recipe, operation).input, recipe.name);
  const outcome = await readMapped(answerOf(body, at), { ...reading, operation, input, earlier: [] });
  if (outcome.tag === 'next') throw new Error(`${recipe.name} asks for a further page`);
  return outcome;
}

/** Fields that repeat the input, or that no source leaves out: they say nothing about a provider. */
const SAME_EVERYWHERE: ReadonlySet<string> = new Set([
  'keyword',
  'searchEngine',
  'location',
  'language',
  'device',
  'checkedAt',
  'scrapedAt',
]);
const isToldApart = (operation: OperationId, field: string): boolean => operation !== 'serp' || !SAME_EVERYWHERE.has(field);

/** A list of sections that names the results alone says nothing of sections. */
const told = (resource: object): object =>
  'features' in resource && String(resource.features) === 'organic' ? { ...resource, features: [] } : resource;

/** Each field of what the example of a source gives, and whether it has a value. */
function fieldsIn(outcome: Outcome, operation: OperationId, name: string): Record<string, boolean> {
  if (outcome.tag !== 'found')
    throw new Error(`${operation} of the example of ${name} gives ${outcome.tag}: ${outcome.detail ?? outcome.what}`);
  const { present, missing } = presenceIn(told(outcome.resource as object));
  const fields = [...present.map((field) => [field, true] as const), ...missing.map((field) => [field, false] as const)];
  return Object.fromEntries(fields.filter(([field]) => isToldApart(operation, field)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function coverageOf(recipe: Recipe): Promise<Coverage[string]> {
  const rows = operationsIn(recipe).map(async (operation) => {
    const outcome = await mapAnswer(recipe, operation, exampleOf(recipe, operation).answer);
    return [operation, fieldsIn(outcome, operation, recipe.name)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** Built-in sources of search results with an answer in their provider's documented form, and the name of their reader and its folder. */
export const BUILT_IN = { DataForSEO: 'dataforseo', SerpApi: 'serpapi', SearXNG: 'searxng' } as const;
export type BuiltIn = keyof typeof BUILT_IN;
interface BuiltInExample {
  /** Where the form of the answer is documented. */
  readonly form: readonly Evidence[];
  readonly serp: Pick<Example, 'input' | 'answer'>;
}
export const builtInExample = (id: BuiltIn): BuiltInExample =>
  JSON.parse(readFileSync(`src/sources/searchengine/${BUILT_IN[id]}/example.json`, 'utf8')) as BuiltInExample;

/** An answer of a built-in source, by its own reader. `input`: of the example, unless another is given. */
export async function builtInCoverage(id: BuiltIn, answer: unknown, input: Example['input'] = builtInExample(id).serp.input) {
  const reader = await readerOf(`serp/${BUILT_IN[id]}`)?.load();
  if (!reader) throw new Error(`${id} has no reader`);
  return { serp: fieldsIn(reader(answerOf(answer, 0), inputOf('serp', input, id)), 'serp', id) };
}
