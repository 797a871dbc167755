import type { Static } from 'typebox';
import { count, flag, list, oneOf, orNull, record, requestBody, text, textMap } from '../schema.ts';
import { SETTABLE } from './watch-schemas.ts';

/** Characters and lines of a list. */
export const [MOST_LIST_CHARACTERS, MOST_LIST_LINES] = [1_000_000, 10_000];
const { every, name: _, paused: __, creditsPerMonth: ___, ...ofEach } = SETTABLE;
/** What `POST /v1/account/watches/import` takes beside `operation`, `every` and what each watch may have. */
export const OF_LIST = {
  lines: {
    ...text(`A value a line, or CSV with a header, such as the export of a registrar; ${MOST_LIST_LINES} lines at most.`),
    minLength: 1,
    maxLength: MOST_LIST_CHARACTERS,
  },
  creditsPerMonth: count('Budget of each watch; left out: what its checks cost in a month at most.', {
    minimum: 1,
    maximum: 1_000_000_000,
  }),
  make: flag('Make them. Left out: the answer says which would be made, and what they cost.'),
  skipInvalid: flag('Make the others where a line cannot be read; else nothing is made.'),
};
const { lines, ...whether } = OF_LIST;
/** Body of `POST /v1/account/watches/import`. */
export const NewWatchList = requestBody({ operation: text('Id of the operation.'), every, lines }, { ...ofEach, ...whether });
export const WatchImport = record({
  watches: list(
    record({
      line: count('Line of the list.'),
      parameters: textMap('Parameters of the lookup.'),
      costPerMonth: count('What its checks cost in a month at most.'),
      watchId: orNull.text('Id of the watch; null: it was not made.'),
    }),
    'Lines that become watches.',
  ),
  leftOut: list(
    record({
      line: count('Line of the list.'),
      text: text('The line, 200 characters at most.'),
      why: text('Why it becomes no watch.'),
      reason: oneOf(
        ['unreadable', 'repeated', 'watched'],
        '`repeated`: another line has the same lookup. `watched`: the account has that watch.',
      ),
    }),
    'Lines that do not.',
  ),
  made: flag('Whether they were made.'),
  costPerMonth: count('What the checks of all of them cost in a month at most.'),
  creditsPerMonth: count('Their budgets together.'),
});
export type WatchImport = Static<typeof WatchImport>;
