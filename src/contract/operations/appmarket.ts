import type { Static } from 'typebox';
import { appHandle } from '../parameters/app-handle.ts';
import { inPath, integerOf, withDefault } from '../parameters/parameter.ts';
import { flag, orNull, record } from '../schema.ts';

export const Pagination = record(
  {
    hasNextPage: flag('A next page exists.'),
    totalPages: orNull.count('The largest page that the page names; without labels 1 on the first page, null on later ones.'),
    currentPage: orNull.count('This page.'),
  },
  'Where this page stands.',
);
export type Pagination = Static<typeof Pagination>;

/** What every list of apps states of an app. */
export const LISTED_APP = {
  name: orNull.text('Name of the app.'),
  url: orNull.url('Address of the app.'),
  handle: orNull.text('Handle of the app.'),
};

/** Where a ranking shows an app. */
export const LISTED_PLACE = {
  isSponsored: orNull.flag('An ad.'),
  isBuiltForPlatform: orNull.flag("Built to the marketplace operator's standard."),
  position: orNull.count('Organic: place over all pages; sponsored: place among the ads of its page.'),
};

export const ofApp = inPath('handle', appHandle, 'Handle of the app.', 'acme-reviews');
export const page = withDefault('page', integerOf(1, 100_000), 1, 'Page number, from 1.');
