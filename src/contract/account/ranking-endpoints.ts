import { DEVICES, ENGINES } from '../operations/serp/operation.ts';
import { country } from '../parameters/iso.ts';
import { oneOfTexts, optional, textOf } from '../parameters/parameter.ts';
import { day, defineEndpoint, format } from './define.ts';
import { AccountSites, Rankings, SitesEdit } from './ranking-schemas.ts';

const CSV =
  'watchId,keyword,location,language,device,engine,checkedAt,site,place,before,best\r\nwat_5f0c2d,running shoes,US,en,desktop,engine_a,2026-01-31T12:00:00.000Z,acme-widgets.com,3,5,2\r\n';

export const RANKING_ENDPOINTS = [
  defineEndpoint({
    id: 'account-sites',
    path: '/v1/account/sites',
    summary: 'The own site and its rivals',
    description: 'Free.',
    parameters: [],
    resource: { AccountSites },
  }),
  defineEndpoint({
    id: 'account-sites-set',
    method: 'PUT',
    path: '/v1/account/sites',
    summary: 'Set the own site and its rivals',
    description: 'Free. A site is a registrable domain: an entry belongs to it by its host.',
    parameters: [],
    body: { name: 'SitesEdit', schema: SitesEdit },
    exampleOf: 'account-sites',
    resource: { AccountSites },
  }),
  defineEndpoint({
    id: 'account-rankings',
    path: '/v1/account/rankings',
    summary: 'Places of the own site and its rivals for the watched keywords',
    description:
      'Free: from stored checks alone, no lookup is made. 366 days at most. Visibility of a site on a day is the mean over the keywords that were answered that day of 1 / place to place 20, else 0. Also as CSV, by `format` or `Accept: text/csv`: a row for each keyword and site.',
    parameters: [
      optional('from', day, 'First day, UTC; default: 29 days before `to`.', '2026-01-01'),
      optional('to', day, 'Last day, UTC, included; default: today.', '2026-01-31'),
      optional('location', country, 'Only this country.', 'US'),
      optional('device', oneOfTexts(DEVICES), 'Only this device.', 'desktop'),
      optional('engine', oneOfTexts(ENGINES), 'Only this engine.', 'engine_a'),
      optional('tag', textOf(40), 'Only watches with this tag.', 'shoes'),
      format('json', 'csv'),
    ],
    texts: { 'text/csv': CSV },
    headers: ['Vary'],
    resource: { Rankings },
  }),
] as const;
