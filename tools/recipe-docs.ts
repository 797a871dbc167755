import { type Coverage, type Evidence, RECIPES, type Recipe } from '../src/sources/recipes/recipes.ts';
import { coverageOf } from './recipe-coverage.ts';

const BEGIN = '<!-- recipes: written by npm run generate -->';
const END = '<!-- end of recipes -->';

/** Generates `src/sources/recipes/coverage.json`: the examples through their mappings. */
export async function coverageFile(): Promise<string> {
  const rows = await Promise.all(RECIPES.map(async (recipe) => [recipe.name, await coverageOf(recipe)] as const));
  return `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
}

const read = ({ address, date }: Evidence): string => `[${date}](${address})`;
const cell = (text: string): string => text.replaceAll('|', '\\|');

function overview(recipes: readonly Recipe[]): string {
  const rows = recipes.map(({ name, provider, site, variables, price, free, terms }) =>
    [
      `[${provider}](${site}), \`recipe/${name}\``,
      variables.map((variable) => `\`${variable.name}\``).join(', '),
      price ? `${cell(price.text)} (${read(price)})` : 'see the provider',
      free ? `${cell(free.text)} (${read(free)})` : 'see the provider',
      terms ? `[terms](${terms.address})` : 'see the provider',
    ].join(' | '),
  );
  return `| Provider, source | Variable | Price | Free | Terms |\n|---|---|---|---|---|\n${rows.map((row) => `| ${row} |`).join('\n')}\n`;
}

/** The fields that each provider's documented answer has. */
function matrix(recipes: readonly Recipe[], coverage: Coverage): string {
  const fields = [...new Set(recipes.flatMap(({ name }) => Object.keys(coverage[name] ?? {})))].sort();
  // a field below a list or an object that a provider leaves out is not stated either
  const stated = (recipe: Recipe, field: string): string => (coverage[recipe.name]?.[field] ? 'yes' : 'no');
  const head = `| Field | ${recipes.map(({ provider }) => provider).join(' | ')} |\n|---|${'---|'.repeat(recipes.length)}\n`;
  return `${head}${fields.map((field) => `| \`${field}\` | ${recipes.map((recipe) => stated(recipe, field)).join(' | ')} |`).join('\n')}\n`;
}

/** A page with the tables of the recipes that answer these operations, between the marks. */
export function withRecipes(page: string, operations: readonly string[], coverage: Coverage): string {
  const recipes = RECIPES.filter(({ operation }) => operations.includes(operation));
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? '';
  return `${before}${BEGIN}\n\n${overview(recipes)}\n${matrix(recipes, coverage)}\n${END}${after}`;
}
