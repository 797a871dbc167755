import { inPath, integerOf, matching, oneOfTexts, optional, textLike, withDefault } from '../parameters/parameter.ts';
import { afterOf, defineEndpoint, format, limit, MUST_BE_AFTER, NoContent } from './define.ts';
import { Notify, NotifyEdit, NotifyTest, NotifyTestResult } from './notify-schemas.ts';
import { NewWatchList, WatchImport } from './watch-list-schemas.ts';
import {
  Calendar,
  NewWatch,
  Watch,
  WatchCalendar,
  WatchChanges,
  WatchCheck,
  WatchDeliveries,
  WatchEdit,
  Watches,
  WatchHistory,
} from './watch-schemas.ts';

const after = (description?: string) =>
  afterOf(matching({ pattern: '^\\d{1,15}$', must: MUST_BE_AFTER, value: Number }), '118', description);
const watchIdType = textLike('^wat_\\w{1,40}$', 'must be the id of a watch');
const watchId = inPath('watchId', watchIdType, 'Id of the watch.', 'wat_5f0c2d');
const ONE = '/v1/account/watches/{watchId}';

const CSV =
  'at,slot,outcome,code,credits,source,field,key,value\r\n2026-01-01T06:00:02.000Z,2026-01-01T06:00:00.000Z,same,,1,DataForSEO,organic.rank,https://www.acme-widgets.com/,3\r\n';
const NDJSON =
  '{"at":"2026-01-01T06:00:02.000Z","slot":"2026-01-01T06:00:00.000Z","outcome":"same","code":null,"credits":1,"source":"DataForSEO","field":"organic.rank","key":"https://www.acme-widgets.com/","value":3}\n';

export const WATCH_ENDPOINTS = [
  defineEndpoint({
    id: 'account-watches',
    path: '/v1/account/watches',
    summary: 'Watches of the account',
    description: 'Free. A watch is a stored lookup that is made again at its times and tells what changed.',
    parameters: [limit(1000, 100), after()],
    resource: { Watches },
  }),
  defineEndpoint({
    id: 'account-watch-create',
    method: 'POST',
    path: '/v1/account/watches',
    summary: 'Create a watch',
    description:
      'Free; each of its checks costs what the lookup costs. The answer says when it is checked first, what it costs a month at most, and the secret of its webhook, this once.',
    parameters: [],
    body: { name: 'NewWatch', schema: NewWatch },
    status: 201,
    headers: ['Location'],
    resource: { Watch },
  }),
  defineEndpoint({
    id: 'account-watch-import',
    method: 'POST',
    path: '/v1/account/watches/import',
    summary: 'Create a watch for each line of a list',
    description:
      'Free; each of their checks costs what the lookup costs. Without `make` the answer is the price, and nothing is made. Lines that cannot be read, that repeat another one, or are watched already are named. More watches than the account may have are refused before the first is made.',
    parameters: [],
    body: { name: 'NewWatchList', schema: NewWatchList, maxBytes: 1_048_576 },
    resource: { WatchImport },
  }),
  defineEndpoint({
    id: 'account-watch',
    path: ONE,
    summary: 'One watch',
    description: 'Free. What it looks up, when it is checked next, and what it costs a month at most.',
    parameters: [watchId],
    resource: { Watch },
  }),
  defineEndpoint({
    id: 'account-watch-edit',
    method: 'PATCH',
    path: ONE,
    summary: 'Change a watch',
    description: 'Free. A webhook that is set again gets a new secret, is enabled, and for a day is signed with the old secret too.',
    parameters: [watchId],
    body: { name: 'WatchEdit', schema: WatchEdit },
    resource: { Watch },
  }),
  defineEndpoint({
    id: 'account-watch-delete',
    method: 'DELETE',
    path: ONE,
    summary: 'Delete a watch with its history',
    description: 'Free. Its checks, changes and messages are deleted with it.',
    parameters: [watchId],
    status: 204,
    resource: { NoContent },
  }),
  defineEndpoint({
    id: 'account-watch-run',
    method: 'POST',
    path: `${ONE}/run`,
    summary: 'Check a watch now',
    description:
      'Costs what the lookup costs, within the budget of the watch and the caps of the caller; above `X-Max-Credits` it is 402, and there is no check. Its slots stay as they are.',
    isCharged: true,
    parameters: [watchId],
    resource: { WatchCheck },
  }),
  defineEndpoint({
    id: 'account-watch-history',
    path: `${ONE}/history`,
    summary: 'Checks of a watch with the numbers that they read, newest first',
    description:
      'Free. With `format` or `Accept: text/csv`, `application/x-ndjson` the whole history, one row for each check and number; `limit` and `after` belong to the pages of JSON alone. Checks are stored for a year.',
    parameters: [watchId, limit(1000, 100), after(), format('json', 'csv', 'ndjson')],
    texts: { 'text/csv': CSV, 'application/x-ndjson': NDJSON },
    jsonOnly: ['limit', 'after'],
    headers: ['Vary'],
    resource: { WatchHistory },
  }),
  defineEndpoint({
    id: 'account-watch-deliveries',
    path: `${ONE}/deliveries`,
    summary: 'Messages of a watch, newest first',
    description: 'Free. What was sent, to whom, when, with what result, and when it is sent again.',
    parameters: [
      watchId,
      limit(1000, 100),
      after(),
      withDefault(
        'to',
        oneOfTexts(['webhook', 'all']),
        'webhook',
        'Messages to the webhook, or to every target: then a page has those of so many checks.',
      ),
    ],
    resource: { WatchDeliveries },
  }),
  defineEndpoint({
    id: 'account-watch-repeat',
    method: 'POST',
    path: `${ONE}/deliveries/{cursor}/repeat`,
    summary: 'Send a message to the webhook again',
    description: 'Free. Under the same id.',
    parameters: [watchId, inPath('cursor', integerOf(1, 999_999_999_999), 'Cursor of the message.', 118)],
    exampleOf: 'account-watch-deliveries',
    resource: { WatchDeliveries },
  }),
  defineEndpoint({
    id: 'account-notify',
    path: '/v1/account/notify',
    summary: 'Where messages of watches are sent, and how that went',
    description:
      'Free. The default of the account, for watches without targets of their own. Addresses are whole to who manages the account.',
    parameters: [],
    resource: { Notify },
  }),
  defineEndpoint({
    id: 'account-notify-set',
    method: 'PUT',
    path: '/v1/account/notify',
    summary: 'Set where messages of watches are sent',
    description:
      'Free. Five targets at most. One that stays as it is keeps its state, and is enabled again. A mail address gets a mail first, and messages once it has confirmed.',
    parameters: [],
    body: { name: 'NotifyEdit', schema: NotifyEdit },
    exampleOf: 'account-notify',
    resource: { Notify },
  }),
  defineEndpoint({
    id: 'account-notify-test',
    method: 'POST',
    path: '/v1/account/notify/test',
    summary: 'Send a test message',
    description: 'Free; an account may send ten at once, and then one every six minutes. Says what the target answered.',
    parameters: [],
    body: { name: 'NotifyTest', schema: NotifyTest },
    resource: { NotifyTestResult },
  }),
  defineEndpoint({
    id: 'account-watch-notify-test',
    method: 'POST',
    path: `${ONE}/notify/test`,
    summary: 'Send a test message to a target of a watch',
    description: 'Free; an account may send ten at once, and then one every six minutes. Says what the target answered.',
    parameters: [watchId],
    body: { name: 'NotifyTest', schema: NotifyTest },
    exampleOf: 'account-notify-test',
    resource: { NotifyTestResult },
  }),
  defineEndpoint({
    id: 'account-calendar',
    path: '/v1/account/watches/calendar',
    summary: 'Whether the calendar of due dates has an address',
    description: 'Free. When the address was made; the address itself is shown when it is made, and never again.',
    parameters: [],
    resource: { Calendar },
  }),
  defineEndpoint({
    id: 'account-calendar-make',
    method: 'POST',
    path: '/v1/account/watches/calendar',
    summary: 'Make the address of the calendar of due dates',
    description:
      'Free. An address for calendar programs (iCalendar, RFC 5545) with the dates that the watches of the account tell of. It replaces the one before, and ends with the key that made it.',
    parameters: [],
    status: 201,
    resource: { WatchCalendar },
  }),
  defineEndpoint({
    id: 'account-calendar-end',
    method: 'DELETE',
    path: '/v1/account/watches/calendar',
    summary: 'End the address of the calendar',
    description: 'Free. The address answers 404 from now on.',
    parameters: [],
    status: 204,
    resource: { NoContent },
  }),
  defineEndpoint({
    id: 'account-changes',
    path: '/v1/account/changes',
    summary: 'What the watches of the account found',
    description: 'Free. One feed with a cursor, oldest first: ask again with the last `after` to continue, in the same order.',
    parameters: [
      limit(1000, 100),
      after('Cursor: `after` of the answer before; without it the feed begins with its first change, or with its last.'),
      withDefault('order', oneOfTexts(['oldest', 'newest']), 'oldest', 'Which changes come first.'),
      optional('watch', watchIdType, 'Only changes of this watch.', 'wat_5f0c2d'),
    ],
    resource: { WatchChanges },
  }),
] as const;
