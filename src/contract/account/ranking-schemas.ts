import type { Static } from 'typebox';
import { DEVICES, ENGINES } from '../operations/serp/operation.ts';
import { amount, count, list, nullable, oneOf, openRecord, orNull, record, text, words } from '../schema.ts';

export const MOST_RIVALS = 5;
const own = 'Your own site, as a registrable domain; null: none.';
const rivals = `Sites to compare it with, ${MOST_RIVALS} at most.`;

export const AccountSites = record({ own: orNull.text(own), rivals: words(rivals) });
export type AccountSites = Static<typeof AccountSites>;
/** Body of `PUT /v1/account/sites`. */
export const SitesEdit = openRecord({}, { own: orNull.text(own), rivals: words(rivals) });

const place = (description: string) => orNull.count(description);
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
      snippet: orNull.text('Host of the featured snippet in it; null: there is none.'),
      cited: nullable(words('Hosts that its AI overview cites; null: it shows none.')),
      sites: list(
        record({
          site: text('The site.'),
          place: place('Its best place in the last answered check; null: it is not in the depth that was asked for.'),
          before: place('The same in the answered check of the day before that one; null: it was not there, or there is none.'),
          best: place('Its best place in these days.'),
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
      sites: list(nullable(amount('Mean of 1 / place to place 20, else 0; null: no keyword was answered.')), 'Of each site.'),
    }),
    'Each day, oldest first.',
  ),
});
export type Rankings = Static<typeof Rankings>;
