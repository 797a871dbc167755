import type { SourceState } from '../../contract/admin/schemas.ts';
import { ALWAYS } from '../../contract/admin/source-words.ts';
import type { OperationId } from '../../contract/operations/index.ts';
import { sourceIdOf } from './recipe-source.ts';
import { COVERAGE, type Coverage, describeRecipe, RECIPES, type Recipe } from './recipes.ts';

type Offer = NonNullable<SourceState['offer']>;
/** Sources that are built in: what the providers' own price pages said in August 2026 (docs/searchengine.md). */
const BUILT_IN: Readonly<Record<string, Omit<Offer, 'states' | 'lacks'>>> = {
  SerpApi: {
    price: 'by plan: see the provider',
    usdEach: null,
    free: '250 searches a month',
    terms: null,
    readOn: '2026-08-01',
    copied: [],
  },
  DataForSEO: {
    price: '$2.00 for 1,000 searches of ten results; the smallest payment is $50',
    usdEach: 0.002,
    free: '$1 once',
    terms: null,
    readOn: '2026-08-01',
    copied: [],
  },
  SearXNG: { price: 'nothing', usdEach: 0, free: ALWAYS, terms: null, readOn: '2026-06-14', copied: [] },
};

/** The name of the provider of a recipe; of other sources their own. */
export const providerOf = (id: string): string => RECIPES.find((one) => sourceIdOf(one) === id)?.provider ?? id;

/** Of price, allowance, terms, answers and errors those that were read in a copy by others. */
function copiedIn({ price, free, terms, errors, lookups }: Recipe): string[] {
  const answers = Object.values(lookups).map(({ answer }) => answer);
  const stated = Object.entries({ price: [price], free: [free], terms: [terms], answers, errors: [errors] });
  return stated.filter(([, evidence]) => evidence.some((one) => one?.copy !== undefined)).map(([name]) => name);
}

/** The fields of these answers that are stated, and those that are not; of several operations each field after its own. */
function statedIn(answers: Coverage[string]): Pick<Offer, 'states' | 'lacks'> {
  const entries = Object.entries(answers);
  const fields = entries.flatMap(([operation, coverage]) =>
    Object.entries(coverage).map(([field, isStated]) => ({ isStated, field: entries.length > 1 ? `${operation} ${field}` : field })),
  );
  const fieldsOf = (wanted: boolean) => fields.filter(({ isStated }) => isStated === wanted).map(({ field }) => field);
  return { states: fieldsOf(true), lacks: fieldsOf(false) };
}

/** What a provider costs and states, to compare before anybody pays; null for sources that are not compared. `operation`: the fields of this one alone. */
export function offerOf(id: string, operation?: OperationId): SourceState['offer'] {
  const recipe = RECIPES.find((one) => sourceIdOf(one) === id);
  const own = BUILT_IN[id];
  if (!recipe) return own ? { ...own, ...statedIn(COVERAGE[id] ?? {}) } : null;
  const { price, free, terms, lookups } = describeRecipe(recipe);
  const entries = Object.entries(lookups).filter(([one]) => operation === undefined || one === operation);
  return {
    price: price?.text ?? null,
    usdEach: price?.usdEach ?? null,
    free: free?.text ?? null,
    terms: terms?.address ?? null,
    readOn: price?.date ?? Object.values(lookups)[0]?.answer.date ?? '',
    ...statedIn(Object.fromEntries(entries.map(([one, { coverage }]) => [one, coverage]))),
    copied: copiedIn(recipe),
  };
}
