import { type Input, OPERATIONS, type OperationId } from '../../contract/operations/index.ts';
import { type Outcome, refusedAccount } from '../outcome.ts';
import { askRelay } from '../relay/ask.ts';
import type { Relay } from '../relay/config.ts';
import { type Asks, type Attempt, lazily, type Source } from '../source.ts';
import { dailyCapOf } from '../source-budget.ts';
import { operationsIn, type Recipe } from './recipes.ts';

/** The value of a recipe's variable, read at each request; nothing where none is set. */
export type KeyOf = (variable: string) => string | undefined;

export const sourceIdOf = ({ name }: Pick<Recipe, 'name'>): string => `recipe/${name}`;

/** The recipe's relay for one operation, as its files state it. */
const relayFields = ({ relay, lookups }: Recipe, operation: OperationId) => ({ ...relay, ...lookups[operation]?.relay });

export function servesInput(recipe: Recipe, operation: OperationId, input: Input): boolean {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const allows = ([name, allowed]: readonly [string, readonly string[] | string | number]): boolean => {
    const value = given[name];
    if (typeof allowed === 'number') return typeof value !== 'number' || value <= allowed;
    if (typeof value !== 'string') return true;
    return typeof allowed === 'string' ? new RegExp(allowed, 'u').test(value) : allowed.includes(value);
  };
  if (!Object.entries(recipe.lookups[operation]?.serves ?? {}).every(allows)) return false;
  // a short link has no id to insert into the request
  const request = JSON.stringify(relayFields(recipe, operation));
  return OPERATIONS[operation].parameters.every(({ field, parts }) => {
    const stated = parts?.of(String(given[field] ?? ''));
    return !parts?.names.some((name) => request.includes(`{${name}}`) && stated?.[name] === undefined);
  });
}

/** The relay of a recipe with these credentials, for one operation. */
export async function relayOf(recipe: Recipe, operation: OperationId, keyOf: KeyOf): Promise<Relay> {
  const { readRelay } = await import('../relay/config.ts');
  const { name, price } = recipe;
  const keys = Object.fromEntries(recipe.variables.map((variable) => [variable.name, keyOf(variable.name)]));
  const fields = { ...relayFields(recipe, operation), name, operation, usdEach: price?.usdEach ?? 0 };
  return { ...readRelay(fields, `recipes/${name}.json: ${operation}`, keys), id: sourceIdOf(recipe) };
}

/** A source for the provider of a recipe; it is in use as soon as its variables have values. */
export function recipeSource(recipe: Recipe, keyOf: KeyOf): Source {
  const { provider, variables, price } = recipe;
  const id = sourceIdOf(recipe);
  const operations = operationsIn(recipe);
  return lazily({
    id,
    operations,
    keys: variables.map(({ name }) => ({ variable: name, value: () => keyOf(name) })),
    // an error of a provider is no statement about the platform, and its list may be older than the platform's own
    knowsAbsence: 'where none failed',
    dailyCap: (settings) => dailyCapOf(settings, 'recipe', id, { usdEach: price?.usdEach ?? 0 }),
    serves: (operation, input) => servesInput(recipe, operation, input),
    about: `the data provider ${provider}, by its key`,
    load: async () => (ports, budget) => {
      const asker = (operation: OperationId) => {
        let last: { readonly by: string; readonly relay: Relay } | null = null;
        return async (input: Input, attempt: Attempt): Promise<Outcome> => {
          const missing = variables.find(({ name }) => !keyOf(name));
          if (missing) return refusedAccount('This service has no credentials for the data provider.', `${missing.name} is not set`);
          const by = JSON.stringify(variables.map(({ name }) => keyOf(name)));
          if (last?.by !== by) last = { by, relay: await relayOf(recipe, operation, keyOf) };
          return askRelay(ports, budget, last.relay, input, attempt);
        };
      };
      return Object.fromEntries(operations.map((operation) => [operation, asker(operation)])) as Asks;
    },
  });
}
