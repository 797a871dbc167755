import type { Static } from 'typebox';
import { DEVICES, ENGINES } from '../operations/serp/operation.ts';
import { amount, count, list, nullable, oneOf, orNull, record, requestBody, text, words } from '../schema.ts';
import { MOST_RIVALS } from './constants.ts';

export const MOST_SEEN = 12;
const own = 'Your own site, as a registrable domain; null: none.';
const rivals = `Sites to compare it with, ${MOST_RIVALS} at most.`;

const ownApp = 'Your own app, as the handle in its address; null: none.';
const rivalApps = `Apps to compare it with, ${MOST_RIVALS} at most.`;

export const AccountApps = record({ own: orNull.text(ownApp), rivals: words(rivalApps) }, 'Apps of the app marketplace.');
export type AccountApps = Static<typeof AccountApps>;
export const AccountSites = record({ own: orNull.text(own), rivals: words(rivals), apps: AccountApps });
export type AccountSites = Static<typeof AccountSites>;
/** Body of `PUT /v1/account/sites`. */
export const SitesEdit = requestBody(
  { own: orNull.text(own) },
  {
    rivals: words(rivals),
    apps: {
      ...requestBody({ own: orNull.text(ownApp) }, { rivals: words(rivalApps) }),
      description: 'Apps of the app marketplace; left out: they stay as they are.',
    },
  },
);

const place = (description: string) => orNull.count(description);
const visible = (description: string) => amount(description, { minimum: 0, maximum: 1 });
const sources = words('Sources whose answers these are.');
const figure = (what: string) =>
  record({
    now: count(`${what}, by the last answered check of each.`),
    before: orNull.count('By the answered check of the first day of each; null: none was answered on two days.'),
  });
const VISIBILITY = {
  visibility: nullable(visible('Its visibility on the last of these days that has an answer; null: none has.')),
  visibilityBefore: nullable(visible('The same on the first such day; null: there is only one, or none.')),
};
const MOVED = {
  up: count('Keywords for which its place is better than on their first answered day.'),
  down: count('Keywords for which it is worse.'),
};
export const Rankings = record({
  from: text('First day, UTC.'),
  to: text('Last day, UTC.'),
  sites: words('The own site first, then the rivals: the order of all lists of places.'),
  keywords: list(
    record({
      watchId: text('Watch whose checks these are.'),
      keyword: text('The keyword.'),
      location: text('Country.'),
      language: text('Language.'),
      device: oneOf(DEVICES, 'Device.'),
      engine: oneOf(ENGINES, 'Search engine.'),
      depth: count('Results that were asked for: a site without a place is beyond it.'),
      tags: words('Tags of the watch.'),
      checkedAt: orNull.text('When the last check of these days that was answered ended; null: none was.'),
      failedAt: orNull.text('When the last check of these days failed, if none was answered after it; null: none did.'),
      snippet: orNull.text('Host of the featured snippet in it; null: there is none.'),
      cited: nullable(words('Hosts that its AI overview cites; null: it shows none.')),
      sites: list(
        record({
          site: text('The site.'),
          place: place('Its best place in the last answered check; null: it is not in the depth that was asked for.'),
          before: place('The same in the answered check of the day before that one; null: it was not there, or there is none.'),
          best: place('Its best place in these days.'),
          first: place('Its best place in the answered check of the first of these days that has one; null: it is not in the depth.'),
          change: nullable(
            amount('Places gained from `first` to `place`; below 0: lost. Null: one of both is not there, or only one day was answered.'),
          ),
          hasSnippet: orNull.flag('Whether the featured snippet of the last answered check is its; null: none was.'),
          isCited: orNull.flag('Whether the AI overview of it cites the site; null: none was.'),
        }),
        'A site each.',
      ),
      days: list(
        record({ day: text('Day, UTC.'), places: list(nullable(amount('Best place.')), 'Of each site; null: not in the depth.') }),
        'Days with an answered check, oldest first; of two checks the last that was answered. A day that is missing had no answer.',
      ),
    }),
    'Watched keywords.',
  ),
  visibility: list(
    record({
      day: text('Day, UTC.'),
      keywords: count('Keywords that were answered that day.'),
      sources,
      depths: list(count('Results that were asked for.'), 'Of these keywords, the least first.'),
      sites: list(nullable(visible('Mean of 1 / place to place 20, else 0; null: no keyword was answered.')), 'Of each site.'),
    }),
    'Each day, oldest first.',
  ),
  standing: record({
    keywords: count('Keywords with an answered check in these days.'),
    overviews: figure('Keywords whose answer shows an AI overview'),
    sites: list(
      record({
        site: text('The site.'),
        ...VISIBILITY,
        firstThree: figure('Keywords for which it has a place to 3'),
        firstPage: figure('Keywords for which it has a place to 10'),
        cited: figure('Keywords whose AI overview cites it'),
        ...MOVED,
        left: count('Keywords for which it was on the first page then, and is not now.'),
      }),
      'A site each.',
    ),
  }),
  seen: list(
    record({ site: text('A registrable domain.'), keywords: count('Keywords for which it has a place to 20 in the last answered check.') }),
    `The sites that are there most often, beside those of the account: ${MOST_SEEN} at most.`,
  ),
  choices: record(
    {
      locations: words('Countries.'),
      devices: words('Devices.'),
      engines: words('Search engines.'),
      tags: words('Tags.'),
    },
    'What all watched keywords have, whatever is asked for: the values that choose.',
  ),
});
export type Rankings = Static<typeof Rankings>;

export const AppRankings = record({
  from: text('First day, UTC.'),
  to: text('Last day, UTC.'),
  apps: words('The own app first, then the rivals: the order of all lists of places.'),
  keywords: list(
    record({
      watchId: text('Watch whose checks these are.'),
      keyword: text('The keyword.'),
      depth: orNull.count(
        'The last organic place of the last answered check: an app without a place is beyond it; null: none was answered.',
      ),
      tags: words('Tags of the watch.'),
      checkedAt: orNull.text('When the last check of these days that was answered ended; null: none was.'),
      failedAt: orNull.text('When the last check of these days failed, if none was answered after it; null: none did.'),
      apps: list(
        record({
          app: text('Handle of the app.'),
          place: place('Its organic place in the last answered check; null: it is not on the first page.'),
          before: place('The same in the answered check of the day before that one; null: it was not there, or there is none.'),
          best: place('Its best place in these days.'),
          first: place('Its place in the answered check of the first of these days that has one; null: it is not on the first page.'),
          change: nullable(
            amount('Places gained from `first` to `place`; below 0: lost. Null: one of both is not there, or only one day was answered.'),
          ),
        }),
        'An app each.',
      ),
      days: list(
        record({ day: text('Day, UTC.'), places: list(nullable(amount('Place.')), 'Of each app; null: not on the first page.') }),
        'Days with an answered check, oldest first; of two checks the last that was answered. A day that is missing had no answer.',
      ),
    }),
    'Watched keywords of the app marketplace.',
  ),
  visibility: list(
    record({
      day: text('Day, UTC.'),
      keywords: count('Keywords that were answered that day.'),
      sources,
      apps: list(nullable(visible('Mean of 1 / place to place 20, else 0; null: no keyword was answered.')), 'Of each app.'),
    }),
    'Each day, oldest first.',
  ),
  standing: record({
    keywords: count('Keywords with an answered check in these days.'),
    apps: list(
      record({
        app: text('Handle of the app.'),
        ...VISIBILITY,
        firstThree: figure('Keywords for which it has a place to 3'),
        firstTen: figure('Keywords for which it has a place to 10'),
        ...MOVED,
        left: count('Keywords for which it had a place to 10 then, and has none now.'),
      }),
      'An app each.',
    ),
  }),
  seen: list(
    record({ app: text('Handle of an app.'), keywords: count('Keywords for which it has a place to 20 in the last answered check.') }),
    `The apps that are there most often, beside those of the account: ${MOST_SEEN} at most.`,
  ),
  choices: record({ tags: words('Tags.') }, 'What all watched keywords have, whatever is asked for: the values that choose.'),
});
export type AppRankings = Static<typeof AppRankings>;
