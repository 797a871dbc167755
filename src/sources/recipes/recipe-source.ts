import type { Input } from '../../contract/operations/index.ts';
import { type Outcome, refusedAccount } from '../outcome.ts';
import { askRelay } from '../relay/ask.ts';
import type { Relay } from '../relay/config.ts';
import { type Asks, type Attempt, lazily, type Source } from '../source.ts';
import { dailyCapOf } from '../source-budget.ts';
import type { Recipe } from './recipes.ts';

/** The value of a recipe's variable, read at each request; nothing where none is set. */
export type KeyOf = (variable: string) => string | undefined;

export const sourceIdOf = ({ name }: Pick<Recipe, 'name'>): string => `recipe/${name}`;

export function servesInput({ serves }: Pick<Recipe, 'serves'>, input: Input): boolean {
  const given: Readonly<Record<string, unknown>> = { ...input };
  return Object.entries(serves).every(([name, allowed]) => {
    const value = given[name];
    if (typeof allowed === 'number') return typeof value !== 'number' || value <= allowed;
    return typeof value !== 'string' || allowed.includes(value);
  });
}

/** The relay of a recipe with these credentials. */
export async function relayOf(recipe: Recipe, keyOf: KeyOf): Promise<Relay> {
  const { readRelay } = await import('../relay/config.ts');
  const { name, operation, relay, price } = recipe;
  const keys = Object.fromEntries(recipe.variables.map((variable) => [variable.name, keyOf(variable.name)]));
  const read = readRelay({ ...relay, name, operation, usdEach: price?.usdEach ?? 0 }, `recipes/${name}.json: `, keys);
  return { ...read, id: sourceIdOf(recipe) };
}

/** A source for the provider of a recipe; it is in use as soon as its variables have values. */
export function recipeSource(recipe: Recipe, keyOf: KeyOf): Source {
  const { provider, operation, variables, price } = recipe;
  const id = sourceIdOf(recipe);
  return lazily({
    id,
    operations: [operation],
    keys: variables.map(({ name }) => ({ variable: name, value: () => keyOf(name) })),
    // an error of a provider is no statement about the platform, and its list may be older than the platform's own
    knowsAbsence: 'where none failed',
    dailyCap: (settings) => dailyCapOf(settings, 'recipe', id, price?.usdEach ?? 0),
    serves: (_, input) => servesInput(recipe, input),
    about: `the data provider ${provider}, by its key`,
    load: async () => (ports, budget) => {
      let last: { readonly by: string; readonly relay: Relay } | null = null;
      const ask = async (input: Input, attempt: Attempt): Promise<Outcome> => {
        const missing = variables.find(({ name }) => !keyOf(name));
        if (missing) return refusedAccount('This service has no credentials for the data provider.', `${missing.name} is not set`);
        const by = JSON.stringify(variables.map(({ name }) => keyOf(name)));
        if (last?.by !== by) last = { by, relay: await relayOf(recipe, keyOf) };
        return askRelay(ports, budget, last.relay, input, attempt);
      };
      return { [operation]: ask } as Asks;
    },
  });
}
