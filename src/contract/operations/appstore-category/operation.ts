import type { Static } from 'typebox';
import { handleIn } from '../../parameters/app-handle.ts';
import { inPath } from '../../parameters/parameter.ts';
import { list, nullable, oneOf, orNull, record, words } from '../../schema.ts';
import { LISTED_APP, LISTED_PLACE, Pagination, page } from '../appmarket.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const CATEGORY_LEVELS = ['topic', 'secondary', 'tertiary'] as const;

export const CategoryDetail = record({
  name: orNull.text('Name of the category.'),
  description: orNull.text('Description of the category.'),
  appCount: orNull.count('Number of apps as stated; null for a topic.'),
  apps: list(record({ ...LISTED_APP, ...LISTED_PLACE }), 'Apps of this page in the order shown.'),
  pagination: Pagination,
  breadcrumbs: list(
    record({
      name: orNull.text('Name.'),
      url: orNull.url('Address.'),
      handle: orNull.text('Handle.'),
      parentHandle: orNull.text('Handle of the category above.'),
    }),
    'Path from the topic to this category.',
  ),
  subCategories: words('Handles of the categories below.'),
  level: nullable(oneOf(CATEGORY_LEVELS, 'Depth of the category.')),
});
export type CategoryDetail = Static<typeof CategoryDetail>;

export const appstoreCategory = defineOperation({
  id: 'appstore-category',
  method: 'category',
  pages: 'page',
  area: AREAS.appmarket,
  path: '/v1/appmarket/appstore/category/{handle}',
  summary: 'A category with one page of its apps',
  parameters: [
    inPath('handle', handleIn('categories'), 'Handle of the category.', 'marketing-and-conversion-social-trust-product-reviews'),
    page,
  ],
  resource: { CategoryDetail },
  parts: { Pagination },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle', 'isSponsored'], rank: 'position' }, breadcrumbs: { key: ['handle', 'url'] } },
    fields: ['name', 'description', 'apps.handle', 'apps.position', 'subCategories', 'level'],
    never: ['pagination'],
    series: ['appCount', 'apps.position'],
    more: 'pagination.hasNextPage',
  },
  freshForMs: () => hours(6),
});
