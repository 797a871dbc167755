import { OPERATIONS, type OperationId } from '../src/contract/operations/index.ts';
import { presenceIn } from '../src/monitoring/field-presence.ts';
import type { Outcome } from '../src/sources/outcome.ts';
import { relayOf } from '../src/sources/recipes/recipe-source.ts';
import { type Coverage, exampleOf, operationsIn, type Recipe } from '../src/sources/recipes/recipes.ts';
import { readMapped } from '../src/sources/relay/map.ts';

/** Maps a provider's body by the recipe. `at`: when the body arrived. */
export async function mapAnswer(recipe: Recipe, operation: OperationId, body: unknown, at = 0): Promise<Outcome> {
  const { reading } = await relayOf(recipe, operation, () => 'key');
  if (reading.by === 'reader') throw new Error(`${recipe.name} is read by a reader of the platform's own answers, not mapped`);
  const { input } = exampleOf(recipe, operation);
  const read = OPERATIONS[operation].readInput(Object.entries(input).map(([name, value]) => [name, String(value)]));
  if (!read.ok) throw new Error(`the input of ${operation} in ${recipe.name}.example.json: ${read.why}`);
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
const isToldApart = (operation: OperationId, field: string): boolean => operation !== 'serp' || !SAME_EVERYWHERE.has(field);

async function fieldsOf(recipe: Recipe, operation: OperationId): Promise<Record<string, boolean>> {
  const outcome = await mapAnswer(recipe, operation, exampleOf(recipe, operation).answer);
  if (outcome.tag !== 'found')
    throw new Error(`${operation} of ${recipe.name}.example.json gives ${outcome.tag}: ${outcome.detail ?? outcome.what}`);
  const { present, missing } = presenceIn(outcome.resource as object);
  const fields = [...present.map((field) => [field, true] as const), ...missing.map((field) => [field, false] as const)];
  return Object.fromEntries(fields.filter(([field]) => isToldApart(operation, field)).sort(([a], [b]) => (a < b ? -1 : 1)));
}

export async function coverageOf(recipe: Recipe): Promise<Coverage[string]> {
  const rows = await Promise.all(operationsIn(recipe).map(async (operation) => [operation, await fieldsOf(recipe, operation)] as const));
  return Object.fromEntries(rows);
}
