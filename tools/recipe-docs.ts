import type { OperationId } from '../src/contract/operations/index.ts';
import { type Coverage, type Evidence, RECIPES, type Recipe } from '../src/sources/recipes/recipes.ts';
import { BUILT_IN, type BuiltIn, builtInCoverage, builtInExample, coverageOf } from './recipe-coverage.ts';

const BEGIN = '<!-- recipes: written by npm run generate -->';
const END = '<!-- end of recipes -->';

const BUILT_IN_SOURCES = Object.keys(BUILT_IN) as BuiltIn[];

/** Generates `src/sources/recipes/coverage.json`: the examples through their mappings, and those of built-in sources through their readers. */
export async function coverageFile(): Promise<string> {
  const rows = await Promise.all([
    ...BUILT_IN_SOURCES.map(async (id) => [id, await builtInCoverage(id, builtInExample(id).serp.answer)] as const),
    ...RECIPES.map(async (recipe) => [recipe.name, await coverageOf(recipe)] as const),
  ]);
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

/** The pages that show recipes, and the operations of each. */
export const RECIPE_PAGES = {
  'docs/searchengine.md': ['serp'],
  'docs/shortvideo.md': ['short-video'],
  'docs/microblog.md': ['microblog-post'],
  'docs/forum.md': ['forum-community', 'forum-search'],
} as const satisfies Readonly<Record<string, readonly OperationId[]>>;

const SEE = 'see the provider';
const read = ({ address, date, copy }: Evidence): string =>
  copy === undefined ? `[${date}](${address})` : `second-hand, in a [copy of ${date}](${copy})`;
const cell = (text: string): string => text.replaceAll('|', '\\|');

function overview(recipes: readonly Recipe[]): string {
  const rows = recipes.map(({ name, provider, site, variables, price, free, terms }) =>
    [
      `[${provider}](${site}), \`recipe/${name}\``,
      variables.map((variable) => `\`${variable.name}\``).join(', '),
      price ? `${cell(price.text)} (${read(price)})` : SEE,
      free ? `${cell(free.text)} (${read(free)})` : SEE,
      terms ? `[terms](${terms.address})` : SEE,
    ].join(' | '),
  );
  return `| Provider, source | Variable | Price | Free | Terms |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}

/** Which field each provider's documented answer states, and where that answer was read. Of searches the built-in sources come first. */
function matrix(recipes: readonly Recipe[], operation: OperationId, coverage: Coverage): string {
  const builtIn = operation === 'serp' ? BUILT_IN_SOURCES : [];
  const columns = [
    ...builtIn.map((id) => ({ provider: id as string, fields: coverage[id]?.serp ?? {}, forms: builtInExample(id).form })),
    ...recipes.flatMap(({ name, provider, lookups }) => {
      const form = lookups[operation]?.answer;
      return form ? [{ provider, fields: coverage[name]?.[operation] ?? {}, forms: [form] }] : [];
    }),
  ];
  const names = [...new Set(columns.flatMap(({ fields }) => Object.keys(fields)))].sort();
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [
    line(['Field', ...columns.map(({ provider }) => provider)]),
    `|---|${'---|'.repeat(columns.length)}\n`,
    // a field below a list or an object that a provider leaves out is not stated either
    ...names.map((name) => line([`\`${name}\``, ...columns.map(({ fields }) => (fields[name] ? 'yes' : 'no'))])),
    line(['answer read', ...columns.map(({ forms }) => forms.map(read).join(', '))]),
  ].join('');
}

/** A page with the tables of the recipes that answer these operations, between the marks. */
export function withRecipes(page: string, operations: readonly OperationId[], coverage: Coverage): string {
  const recipes = RECIPES.filter(({ lookups }) => operations.some((operation) => lookups[operation]));
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  const named = operations.length > 1;
  const tables = operations.map((operation) => `${named ? `\`${operation}\`:\n\n` : ''}${matrix(recipes, operation, coverage)}`);
  return `${before}${BEGIN}\n\n${[overview(recipes), ...tables].join('\n')}\n${END}${after}`;
}
