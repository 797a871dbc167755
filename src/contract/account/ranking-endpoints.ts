import { DEVICES, ENGINES } from '../operations/serp/operation.ts';
import { country } from '../parameters/iso.ts';
import { day, oneOfTexts, optional, textUpTo } from '../parameters/parameter.ts';
import { csvOf } from '../tables.ts';
import { defineEndpoint, format } from './define.ts';
import { AccountSites, AppRankings, Rankings, SitesEdit } from './ranking-schemas.ts';

/** Columns of the CSV: of a keyword, then of one of its sites or apps. */
export const CSV_COLUMNS = {
  keyword: ['watchId', 'keyword', 'location', 'language', 'device', 'engine', 'checkedAt'],
  site: ['site', 'place', 'before', 'best', 'first', 'change', 'hasSnippet', 'isCited'],
  appKeyword: ['watchId', 'keyword', 'checkedAt'],
  app: ['app', 'place', 'before', 'best', 'first', 'change'],
} as const;
const CHECKED = '2026-01-31T12:00:00.000Z';
const CSV = csvOf({
  columns: [...CSV_COLUMNS.keyword, ...CSV_COLUMNS.site],
  rows: [['wat_5f0c2d', 'running shoes', 'US', 'en', 'desktop', 'engine_a', CHECKED, 'acme-widgets.com', 3, 5, 2, 9, 6, false, true]],
});
const APP_CSV = csvOf({
  columns: [...CSV_COLUMNS.appKeyword, ...CSV_COLUMNS.app],
  rows: [['wat_5f0c2d', 'product reviews', CHECKED, 'acme-reviews', 3, 5, 2, 9, 6]],
});

const HTML =
  '<!doctype html><html lang="en"><head><title>Acme Widgets in search</title></head><body><h1>Acme Widgets in search</h1></body></html>';

const from = optional('from', day, 'First day, UTC; default: 29 days before `to`.', '2026-01-01');
const to = optional('to', day, 'Last day, UTC, included; default: today.', '2026-01-31');
const tag = optional('tag', textUpTo(40), 'Only watches with this tag.', 'shoes');

export const RANKING_ENDPOINTS = [
  defineEndpoint({
    id: 'account-sites',
    path: '/v1/account/sites',
    summary: 'The own site and its rivals, and the own app and its rivals',
    description: 'Free.',
    parameters: [],
    resource: { AccountSites },
  }),
  defineEndpoint({
    id: 'account-sites-set',
    method: 'PUT',
    path: '/v1/account/sites',
    summary: 'Set the own site and its rivals, and the own app and its rivals',
    description:
      'Free. A site is a registrable domain: an entry belongs to it by its host. An app is named by its handle. `own` and `rivals` are replaced as a whole; `apps` stays as it is where it is left out.',
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
      'Free: from stored checks alone, no lookup is made. 366 days at most. Visibility of a site on a day is the mean over the keywords that were answered that day of 1 / place to place 20, else 0. Also as CSV, by `format` or `Accept: text/csv`: a row for each keyword and site; and as a report to print (`html`), a page without script; `title`, `client` and `sender` belong to the report alone.',
    parameters: [
      from,
      to,
      optional('location', country, 'Only this country.', 'US'),
      optional('device', oneOfTexts(DEVICES), 'Only this device.', 'desktop'),
      optional('engine', oneOfTexts(ENGINES), 'Only this engine.', 'engine_a'),
      tag,
      format('json', 'csv', 'html'),
      optional('title', textUpTo(100), 'Of the report: its title.', 'Acme Widgets in search'),
      optional('client', textUpTo(100), 'Of the report: whom it is for.', 'Acme Widgets'),
      optional('sender', textUpTo(100), 'Of the report: who made it.', 'Northlight'),
    ],
    texts: { 'text/csv': CSV, 'text/html': HTML },
    htmlOnly: ['title', 'client', 'sender'],
    headers: ['Vary'],
    resource: { Rankings },
  }),
  defineEndpoint({
    id: 'account-app-rankings',
    path: '/v1/account/app-rankings',
    summary: 'Places of the own app and its rivals for the watched keywords of the app marketplace',
    description:
      'Free: from stored checks alone, no lookup is made. 366 days at most. It reads the watches of `app-keywords` that ask for the first page; ads have no place. Visibility of an app is that of a site in `/v1/account/rankings`. Also as CSV, by `format` or `Accept: text/csv`: a row for each keyword and app.',
    parameters: [from, to, tag, format('json', 'csv')],
    texts: { 'text/csv': APP_CSV },
    headers: ['Vary'],
    resource: { AppRankings },
  }),
] as const;
