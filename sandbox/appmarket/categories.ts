export interface CategoryFacts {
  readonly name: string;
  readonly handle: string;
  readonly parent: string | null;
  readonly level: 'topic' | 'secondary' | 'tertiary';
  readonly sentence: string;
}

/** Topics, their subcategories, and the leaf categories below those. */
const TREE: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Sales channels': { 'Selling online': ['Marketplaces', 'Product feeds'], 'Selling in person': ['Store locator'] },
  'Finding products': { 'Sourcing options': ['Dropshipping', 'Print on demand', 'Wholesale'] },
  'Selling products': { 'Pricing and quotes': ['Discounts', 'Price lists'], 'Custom products': ['Product options'] },
  'Orders and shipping': { 'Shipping solutions': ['Shipping', 'Shipping rates', 'Delivery dates'], Returns: ['Returns and exchanges'] },
  'Store design': { 'Site optimization': ['SEO', 'Page speed'], Storefronts: ['Page builder'] },
  'Marketing and conversion': {
    Marketing: ['Email marketing', 'Banners', 'SMS'],
    'Social trust': ['Product reviews', 'Social proof'],
    'Upsell and bundles': ['Cart upsell', 'Product bundles'],
  },
  'Store management': { Operations: ['Workflow automation', 'Backups'], Support: ['Chat', 'Help desk'] },
};

const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

const sentenceOf = (name: string): string => `Everything a shop needs for ${name.toLowerCase()}, “out of the box” & well kept.`;

/** A handle is the parent's handle followed by the category's name, so a leaf's handle may be a prefix of another's. */
export const CATEGORIES: readonly CategoryFacts[] = Object.entries(TREE).flatMap(([topic, below]) => {
  const top = slug(topic);
  return [
    { name: topic, handle: top, parent: null, level: 'topic' as const, sentence: sentenceOf(topic) },
    ...Object.entries(below).flatMap(([secondary, leaves]) => {
      const middle = `${top}-${slug(secondary)}`;
      return [
        { name: secondary, handle: middle, parent: top, level: 'secondary' as const, sentence: sentenceOf(secondary) },
        ...leaves.map((leaf) => ({
          name: leaf,
          handle: `${middle}-${slug(leaf)}`,
          parent: middle,
          level: 'tertiary' as const,
          sentence: sentenceOf(leaf),
        })),
      ];
    }),
  ];
});
export const categoryOf = (handle: string): CategoryFacts | undefined => CATEGORIES.find((c) => c.handle === handle);
export const LEAVES: readonly CategoryFacts[] = CATEGORIES.filter((c) => c.level === 'tertiary');
/** The path from the topic to the category, both included. */
export function pathTo(category: CategoryFacts): CategoryFacts[] {
  const parent = category.parent === null ? undefined : categoryOf(category.parent);
  return parent ? [...pathTo(parent), category] : [category];
}
export const below = (handle: string): CategoryFacts[] => CATEGORIES.filter((c) => c.parent === handle);
