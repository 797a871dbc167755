import type { Static, TUnsafe } from 'typebox';
import {
  amount,
  count,
  flag,
  list,
  mapOf,
  matching,
  nullable,
  oneOf,
  orNull,
  record,
  requestBody,
  text,
  textMap,
  url,
  words,
} from '../schema.ts';
import type { WatchedField } from '../watched-field.ts';
import { EVERY, FEED_KINDS, NOTIFY_FORMS, STOP_REASONS } from './constants.ts';
import { NotifyTarget, newTargets } from './notify-schemas.ts';
import { pages } from './schemas.ts';

export const CHECK_OUTCOMES = ['same', 'changed', 'first', 'failed', 'skipped'] as const;

const anything = { description: 'A value of the answer, or an entry of a list.' } as object as TUnsafe<unknown>;
const FIELDS_WORDS =
  'Fields that count (`organic[example.com].rank`: of one entry); a number also as `{ path, least }`: from a difference on, `{ path, leastShare }`: a share, `{ path, crosses }`: when it passes it.';
const above0 = { exclusiveMinimum: 0 };
const path = text('Field; a number.');
export const WatchedNumber = record({ path, least: amount('Smallest difference that counts.', above0) });
export const WatchedShare = record({ path, leastShare: amount('Smallest share of the value before that counts: 0.1 is 10 %.', above0) });
export const WatchedCrossing = record({
  path,
  crosses: amount('The number that is passed, up or down. An entry that is not in the list counts as above it.'),
});
const field = { anyOf: [{ type: 'string' }, WatchedNumber, WatchedShare, WatchedCrossing] };
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const NAME_CHARACTERS = 100;
const TAG_CHARACTERS = 40;
const MOST_TAGS = 10;
const NOT_BLANK = `^[^${CONTROL}]*[^\\s${CONTROL}][^${CONTROL}]*$`;
const nameText = {
  ...matching(NOT_BLANK, `Name, not blank, ${NAME_CHARACTERS} characters at most.`),
  minLength: 1,
  maxLength: NAME_CHARACTERS,
};
const tag = { ...matching(NOT_BLANK, 'Tag, not blank.'), minLength: 1, maxLength: TAG_CHARACTERS };
const fields = { type: 'array', items: field, description: FIELDS_WORDS } as object as TUnsafe<readonly WatchedField[]>;
const webhookUrl = { ...url('https URL that receives a message for each change (Standard Webhooks).'), maxLength: 2_000 };

const ended = {
  at: text('When the check ended and its values were read, RFC 3339.'),
  slot: text('When it was to be made: earlier than `at` where no process ran.'),
  outcome: oneOf(CHECK_OUTCOMES, 'How the check ended.'),
  code: orNull.text('Error code of a failed check, reason of a skipped one, `unconfirmed` until a second check says the same.'),
};
const change = {
  at: text('When it was found, RFC 3339.'),
  kind: oneOf(
    FEED_KINDS,
    '`due`: a date is near. `failing` and `recovered` are notices: three checks in a row had no answer or the watch stopped checking, and there is an answer again.',
  ),
  field: text('Field; the list for an entry that was added or removed; empty where the whole answer is meant.'),
  key: orNull.text('Entry of the list, by its key.'),
};

export const Watch = record({
  watchId: text('Id of the watch.'),
  name: orNull.text('Its name.'),
  tags: words('Its tags.'),
  operation: text('Id of the operation.'),
  parameters: textMap('Parameters of the lookup.'),
  every: oneOf(EVERY, 'Time between two checks.'),
  fields: { ...fields, description: 'Fields that count, those of the operation included where none were asked for.' },
  creditsPerMonth: count('Budget: credits that its checks may cost in a calendar month (UTC).'),
  spentThisMonth: count('Of it spent in this month.'),
  costPerMonth: count('What its checks cost in a month at most, by the prices in force.'),
  paused: flag('Its checks are skipped.'),
  due: list(count('Whole days before the date.'), 'When it tells of a date that lies ahead, most days first; empty: never.'),
  dueDate: nullable(
    record({
      field: text('The date.'),
      on: text('Its last value, RFC 3339 or a day.'),
      daysLeft: amount('Whole days (UTC) from now on; below 0: it is over.'),
      readAt: text('When it was read, RFC 3339.'),
      source: orNull.text('Where it was read; null: that check is not among the last ones.'),
      nextAt: orNull.text('When it is told next; null: not before another date is read.'),
    }),
  ),
  latest: mapOf(anything, 'Values of its last answer by field: of `registration` `registrar.name`, `status`, `nameServers`; else empty.'),
  createdAt: text('When it was made, RFC 3339.'),
  nextAt: text('When it is checked next.'),
  keyId: text('Key that made it: its checks count against the caps of this key.'),
  mayChange: flag('Whether these credentials may change, run and delete it; else 403.'),
  state: oneOf(
    ['ok', 'failing', 'gone', 'free'],
    '`failing`: the last three checks had no answer. `gone`, `free`: what it watches is not there.',
  ),
  stopped: nullable(oneOf(STOP_REASONS, 'Why it does not check; null: it does.')),
  lastCheck: nullable(record(ended)),
  lastChange: nullable(record(change)),
  notify: nullable(list(NotifyTarget, 'Targets that its messages are sent to, beside the webhook; null: those of the account.')),
  course: nullable(
    record({
      field: text('The first number that `fields` names one by one, else the first one of the operation outside of lists.'),
      values: list(nullable(amount('Null: not read.')), 'Its values in the last 14 checks, oldest first.'),
    }),
  ),
  webhook: nullable(
    record({
      url: webhookUrl,
      secret: orNull.text('Signing secret; shown when it is made, else null.'),
      failingSince: orNull.text('Since when it cannot be reached.'),
      disabledAt: orNull.text(
        'When messages to it stopped, because it answered 410 or failed for three days. Set the URL again to resume.',
      ),
      lastError: orNull.text('What the last failed attempt met.'),
    }),
  ),
});
export type Watch = Static<typeof Watch>;

/** A date that is nearer is due soon. */
export const DUE_SOON_DAYS = 30;
export const Watches = record({
  watches: list(Watch, 'Watches of the account, oldest first.'),
  total: count('Watches that the account has.'),
  most: count('Watches that it may have, by SIGHTLINE_WATCHES_PER_ACCOUNT.'),
  dueSoon: count(`Of those that the caller may look up: dates at most ${DUE_SOON_DAYS} days ahead (UTC), or over.`),
  ...pages,
});
export type Watches = Static<typeof Watches>;

const check = { ...ended, credits: count('What it cost.'), source: orNull.text('Source that answered.') };
export const WatchCheck = record(check);
export type WatchCheck = Static<typeof WatchCheck>;

export const WatchChange = record({
  id: text('Id of the change, and of the message to the webhook.'),
  cursor: text('Its place in the feed.'),
  watchId: text('Watch that found it.'),
  name: orNull.text('Name of the watch.'),
  operation: text('Id of the operation.'),
  ...change,
  before: anything,
  after: anything,
  source: orNull.text('Source of both answers.'),
  daysLeft: orNull.count('Of `due`: whole days (UTC) to the date; 0 also once it is over.'),
  readAt: orNull.text('Of `due`: when the date was read, RFC 3339.'),
});
export type WatchChange = Static<typeof WatchChange>;
export const WatchChanges = record({
  changes: list(WatchChange, 'Oldest first, or newest first.'),
  after: orNull.text('Cursor of the last change of this page: the next request begins there. Null: there is none yet.'),
  hasMore: flag('Whether there are more now.'),
});
export type WatchChanges = Static<typeof WatchChanges>;

const point = record({
  field: text('Path of the number.'),
  key: orNull.text('Entry of the list.'),
  value: nullable(amount('Its value.')),
});
export const WatchHistory = record({
  checks: list(
    record({
      ...check,
      series: list(point, 'Numbers of its answer: first those of the entries that `fields` names (`organic[example.com].rank`), then all.'),
    }),
    'Checks, newest first.',
  ),
  ...pages,
});
export type WatchHistory = Static<typeof WatchHistory>;

export const WatchDeliveries = record({
  deliveries: list(
    record({
      id: text('Id of the message.'),
      cursor: text('Place in the feed of the last change that it tells of.'),
      as: nullable(oneOf(['webhook', ...NOTIFY_FORMS], 'What was told; null: a target that was removed.')),
      to: orNull.text('Host and last four characters of its address.'),
      kinds: words('Kinds of the changes.'),
      createdAt: text('When the changes were found.'),
      attempts: count('Attempts so far.'),
      nextAt: orNull.text('Next attempt; null: none.'),
      deliveredAt: orNull.text('When the target took it.'),
      result: orNull.text('HTTP status, or what the last attempt met.'),
    }),
    'Newest first.',
  ),
  ...pages,
});
export type WatchDeliveries = Static<typeof WatchDeliveries>;

export const Calendar = record({
  createdAt: orNull.text('When its address was made, RFC 3339; null: it has none, or the key that made it has ended.'),
});
export type Calendar = Static<typeof Calendar>;
export const WatchCalendar = record({
  url: text('Address to subscribe to, with a token that reads this calendar alone; shown this once.'),
  createdAt: text('When it was made, RFC 3339; an earlier address ended then.'),
});
export type WatchCalendar = Static<typeof WatchCalendar>;

/** What a body may set, with its limits: they are checked, and told in words, by these schemas. */
export const SETTABLE = {
  fields: nullable({ ...fields, minItems: 1, maxItems: 50 }),
  creditsPerMonth: count('Credits that its checks may cost in a calendar month.', { minimum: 1, maximum: 1_000_000_000 }),
  every: oneOf(EVERY, 'Time between two checks.'),
  name: nullable(nameText),
  tags: { ...list(tag, `Tags, ${MOST_TAGS} of ${TAG_CHARACTERS} characters at most.`), maxItems: MOST_TAGS },
  paused: flag('Skip its checks.'),
  webhook: nullable(requestBody({ url: webhookUrl }, {})),
  notify: nullable(newTargets('Targets that its messages are sent to, five at most; null: those of the account, empty: none.')),
  due: nullable({
    ...list(
      count('Whole days before the date.', { minimum: 0, maximum: 3_650 }),
      'When to tell of a date that lies ahead; null: as the operation does, empty: never.',
    ),
    maxItems: 10,
  }),
};
const { creditsPerMonth, every, ...optional } = SETTABLE;
const textOrNumber = { anyOf: [{ type: 'string' }, { type: 'number' }] } as object as TUnsafe<string | number>;
/** Body of `POST /v1/account/watches`. */
export const NewWatch = requestBody(
  { operation: text('Id of the operation.'), parameters: mapOf(textOrNumber, 'Parameters of the lookup.'), every, creditsPerMonth },
  optional,
);
const editable = {
  ...SETTABLE,
  takeOver: flag('From now on the key of this request pays for its checks: for keys that manage the account.'),
};
/** Body of `PATCH /v1/account/watches/{watchId}`. */
export const WatchEdit = requestBody({}, editable);
export type WatchEdit = { readonly [Name in keyof typeof editable]?: Static<(typeof editable)[Name]> | undefined };
