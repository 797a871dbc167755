import type { SourceState } from '../../contract/admin/schemas.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { sourceIdOf } from './recipe-source.ts';
import { describeRecipe, RECIPES, type Recipe } from './recipes.ts';

type Offer = NonNullable<SourceState['offer']>;
/** Providers that are built in: what their own price pages said in August 2026 (docs/searchengine.md). What they state is not compared here. */
const BUILT_IN: Readonly<Record<string, Offer>> = {
  SerpApi: {
    price: 'by plan: see the provider',
    usdEach: null,
    free: '250 searches a month',
    terms: null,
    readOn: '2026-08-01',
    states: [],
    lacks: [],
    copied: [],
  },
  DataForSEO: {
    price: '$2.00 for 1,000 searches of ten results; the smallest payment is $50',
    usdEach: 0.002,
    free: '$1 once',
    terms: null,
    readOn: '2026-08-01',
    states: [],
    lacks: [],
    copied: [],
  },
};

/** The name of the provider of a recipe; of other sources their own. */
export const providerOf = (id: string): string => RECIPES.find((one) => sourceIdOf(one) === id)?.provider ?? id;

/** Of price, allowance, terms, answers and errors those that were read in a copy by others. */
function copiedIn({ price, free, terms, errors, lookups }: Recipe): string[] {
  const answers = Object.values(lookups).map(({ answer }) => answer);
  const stated = Object.entries({ price: [price], free: [free], terms: [terms], answers, errors: [errors] });
  return stated.filter(([, evidence]) => evidence.some((one) => one?.copy !== undefined)).map(([name]) => name);
}

/** What the provider of a recipe costs and states, to compare before anybody pays; of built-in providers what is free and what it costs; null for other sources. `operation`: the fields of this one alone. */
export function offerOf(id: string, operation?: OperationId): SourceState['offer'] {
  const recipe = RECIPES.find((one) => sourceIdOf(one) === id);
  if (!recipe) return BUILT_IN[id] ?? null;
  const { price, free, terms, lookups } = describeRecipe(recipe);
  const entries = Object.entries(lookups).filter(([one]) => operation === undefined || one === operation);
  const fields = entries.flatMap(([one, { coverage }]) =>
    Object.entries(coverage).map(([field, isStated]) => ({ isStated, field: entries.length > 1 ? `${one} ${field}` : field })),
  );
  const fieldsOf = (wanted: boolean) => fields.filter(({ isStated }) => isStated === wanted).map(({ field }) => field);
  return {
    price: price?.text ?? null,
    usdEach: price?.usdEach ?? null,
    free: free?.text ?? null,
    terms: terms?.address ?? null,
    readOn: price?.date ?? Object.values(lookups)[0]?.answer.date ?? '',
    states: fieldsOf(true),
    lacks: fieldsOf(false),
    copied: copiedIn(recipe),
  };
}
