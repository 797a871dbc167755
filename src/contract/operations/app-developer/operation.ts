import type { Static } from 'typebox';
import { handleIn } from '../../parameters/app-handle.ts';
import { inPath } from '../../parameters/parameter.ts';
import { list, orNull, record } from '../../schema.ts';
import { LISTED_APP } from '../appmarket.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const DeveloperProfile = record({
  name: orNull.text('Name of the developer.'),
  apps: list(
    record({
      ...LISTED_APP,
      pricing: orNull.text('Price line as shown.'),
      description: orNull.text('Tagline.'),
      iconUrl: orNull.url('Icon.'),
      rating: orNull.amount('Rating.'),
      reviewCount: orNull.count('Number of reviews.'),
    }),
    'All apps of the developer.',
  ),
});
export type DeveloperProfile = Static<typeof DeveloperProfile>;

export const appDeveloper = defineOperation({
  id: 'app-developer',
  method: 'developer',
  area: AREAS.appmarket,
  path: '/v1/appmarket/apps/developers/{handle}',
  summary: 'A developer with all apps',
  parameters: [inPath('handle', handleIn('partners'), 'Handle of the developer.', 'acme-widgets')],
  resource: { DeveloperProfile },
  rows: { entries: 'apps' },
  watch: {
    lists: { apps: { key: ['handle'] } },
    fields: ['name', 'apps.handle', 'apps.name', 'apps.pricing', 'apps.description'],
    never: [],
    series: ['apps.rating', 'apps.reviewCount'],
  },
  freshForMs: () => hours(6),
});
