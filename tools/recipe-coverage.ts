import { OPERATIONS } from '../src/contract/operations/index.ts';
import { presenceIn } from '../src/monitoring/field-presence.ts';
import type { Outcome } from '../src/sources/outcome.ts';
import { relayOf } from '../src/sources/recipes/recipe-source.ts';
import { type Coverage, exampleOf, type Recipe } from '../src/sources/recipes/recipes.ts';
import { readMapped } from '../src/sources/relay/map.ts';

/** Maps a provider's body by the recipe. `at`: when the body arrived. */
export async function mapAnswer(recipe: Recipe, body: unknown, input: object, at = 0): Promise<Outcome> {
  const { reading, operation } = await relayOf(recipe, () => 'key');
  if (reading.by === 'reader') throw new Error(`${recipe.name} is read by a reader of the platform's own answers, not mapped`);
  const read = OPERATIONS[operation].readInput(Object.entries(input).map(([name, value]) => [name, String(value)]));
  if (!read.ok) throw new Error(`the input of ${recipe.name}.example.json: ${read.why}`);
  const answer = { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: '', atMs: at };
  const outcome = await readMapped(answer, { ...reading, operation, input: read.value, earlier: [] });
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

export async function coverageOf(recipe: Recipe): Promise<Coverage[string]> {
  const { input, answer } = exampleOf(recipe);
  const outcome = await mapAnswer(recipe, answer, input);
  if (outcome.tag !== 'found') throw new Error(`${recipe.name}.example.json gives ${outcome.tag}: ${outcome.detail ?? outcome.what}`);
  const { present, missing } = presenceIn(outcome.resource as object);
  const fields = [...present.map((field) => [field, true] as const), ...missing.map((field) => [field, false] as const)];
  return Object.fromEntries(fields.filter(([field]) => !SAME_EVERYWHERE.has(field)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
