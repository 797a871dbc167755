import type { SourceState } from '../../contract/admin/schemas.ts';
import { sourceIdOf } from './recipe-source.ts';
import { describeRecipe, RECIPES } from './recipes.ts';

type Offer = NonNullable<SourceState['offer']>;
/** Providers that are built in: what their own price pages said in August 2026 (docs/searchengine.md). What they state is not compared here. */
const BUILT_IN: Readonly<Record<string, Offer>> = {
  SerpApi: {
    price: 'by plan: see the provider',
    free: '250 searches a month',
    terms: null,
    readOn: '2026-08-01',
    states: [],
    lacks: [],
  },
  DataForSEO: {
    price: '$2.00 for 1,000 searches of ten results; the smallest payment is $50',
    free: '$1 once',
    terms: null,
    readOn: '2026-08-01',
    states: [],
    lacks: [],
  },
};

/** The name of the provider of a recipe; of other sources their own. */
export const providerOf = (id: string): string => RECIPES.find((one) => sourceIdOf(one) === id)?.provider ?? id;

/** What the provider of a recipe costs and states, to compare before anybody pays; of built-in providers what is free and what it costs; null for other sources. */
export function offerOf(id: string): SourceState['offer'] {
  const recipe = RECIPES.find((one) => sourceIdOf(one) === id);
  if (!recipe) return BUILT_IN[id] ?? null;
  const { price, free, terms, answer, coverage } = describeRecipe(recipe);
  const fields = Object.entries(coverage);
  return {
    price: price?.text ?? null,
    free: free?.text ?? null,
    terms: terms?.address ?? null,
    readOn: price?.date ?? answer.date,
    states: fields.filter(([, isStated]) => isStated).map(([field]) => field),
    lacks: fields.filter(([, isStated]) => !isStated).map(([field]) => field),
  };
}
