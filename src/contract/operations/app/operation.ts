import type { Static } from 'typebox';
import { list, nullable, oneOf, orNull, record, text, words } from '../../schema.ts';
import { ofApp } from '../appmarket.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours } from '../define.ts';

export const AppProfile = record({
  name: orNull.text('Name of the app.'),
  description: orNull.text('Description as shown.'),
  handle: text('Handle of the app.'),
  rating: orNull.text('Rating as shown.'),
  reviewCount: orNull.count('Number of reviews as stated.'),
  developer: record({
    name: orNull.text('Name of the developer.'),
    address: orNull.text('Postal address.'),
    url: orNull.url("Developer's page in the marketplace."),
    website: orNull.url("Developer's own site."),
  }),
  languages: words('Languages of the app.'),
  categories: list(
    record({ name: orNull.text('Name.'), url: orNull.url('Address.'), handle: orNull.text('Handle.') }),
    'Categories of the app.',
  ),
  worksWith: words('What the app works with.'),
  pricing: orNull.text('Price line as shown.'),
  pricings: list(
    record({
      name: orNull.text('Name of the plan.'),
      price: orNull.text('Amount as shown, without its period.'),
      period: orNull.text('Period of the price.'),
      description: orNull.text('What else the plan says.'),
      features: words('Features of the plan.'),
    }),
    'Plans in the order shown.',
  ),
  launchedDate: orNull.day('Day of launch.'),
  builtForPlatform: nullable(oneOf(['TRUE', 'FALSE'], "Built to the marketplace operator's standard.")),
  logo: orNull.url('Logo.'),
});
export type AppProfile = Static<typeof AppProfile>;

export const app = defineOperation({
  id: 'app',
  method: 'app',
  area: AREAS.appmarket,
  path: '/v1/appmarket/apps/{handle}',
  summary: 'Profile of one app',
  parameters: [ofApp],
  resource: { AppProfile },
  rows: { entries: 'pricings' },
  watch: {
    lists: { categories: { key: ['handle'] }, pricings: { key: ['name'] } },
    fields: [
      ...['name', 'description', 'developer', 'languages', 'categories.handle', 'worksWith', 'pricing', 'launchedDate'],
      ...['pricings.name', 'pricings.price', 'pricings.period', 'pricings.description', 'pricings.features', 'builtForPlatform'],
      'rating',
    ],
    never: [],
    series: ['rating', 'reviewCount'],
  },
  freshForMs: () => hours(6),
});
