import { camelCase, OPERATIONS, type Operation, type OperationId } from '../operations/index.ts';
import { mustBeOneOf } from '../parameters/misspelt.ts';
import type { ValueType } from '../parameters/parameter.ts';
import { bad, day, good, inPath, integerOf, oneOfTexts, optional, readAfter, required, textLike } from '../parameters/parameter.ts';
import { afterOf, defineEndpoint, type Endpoint, format, limit, MUST_BE_AFTER, operationParameters } from './define.ts';
import { DEMANDS, type EndpointId } from './demands.ts';
import { RANKING_ENDPOINTS } from './ranking-endpoints.ts';
import { Account, AccountLedger, AccountPrice, AccountRequests, AccountUsage, RequestExplanation } from './schemas.ts';
import { WATCH_ENDPOINTS } from './watch-endpoints.ts';

const FREE = 'Free.';

const afterParameter = (pattern: string, example: string) => afterOf(textLike(pattern, MUST_BE_AFTER), example);

/** One of these ids, in both of its forms: `forum-comments` and `forumComments`. */
const idIn = (ids: readonly string[]): ValueType<string> => ({
  schema: { type: 'string', enum: [...new Set(ids.flatMap((id) => [id, camelCase(id)]))] },
  read(text) {
    const found = ids.find((id) => id === text || camelCase(id) === text);
    return found === undefined ? bad(mustBeOneOf(ids, text)) : good(found);
  },
});
const operation = readAfter(idIn(Object.keys(OPERATIONS)), (id) => good<Operation>(OPERATIONS[id as OperationId]));

/** Ids in the request log: operations, account endpoints, and other interfaces that know their caller. */
const LOGGED_IDS: readonly string[] = [...Object.keys(OPERATIONS), ...Object.keys(DEMANDS), 'mcp', 'console'];
const requestName = textLike('^[\\w.:\\-]{1,128}$', 'must be the X-Request-Id of an answer');

const account = defineEndpoint({
  id: 'account',
  path: '/v1/account',
  summary: 'Balance, key and limits of the caller',
  description: FREE,
  parameters: [],
  resource: { Account },
});

const usage = defineEndpoint({
  id: 'account-usage',
  path: '/v1/account/usage',
  summary: 'Requests and credits by day, operation, key and status',
  description:
    'Free. 366 days at most. Also as CSV, by `format` or `Accept: text/csv`; there `Link` with `rel="next"` leads to the next page.',
  parameters: [
    optional('from', day, 'First day, UTC; default: 29 days before `to`.', '2026-01-01'),
    optional('to', day, 'Last day, UTC, included; default: today.', '2026-01-31'),
    limit(10_000, 1000),
    afterParameter('^\\d{4}-\\d\\d-\\d\\d~[\\w-]{1,60}~\\w{1,60}~\\d{3}$', '2026-01-03~registration~key_5f0c~200'),
    optional(
      'include',
      oneOfTexts(['timings']),
      '`timings`: also how long lookups took and how many came from the cache; in JSON alone.',
      'timings',
    ),
    format('json', 'csv'),
  ],
  texts: { 'text/csv': 'day,operation,keyId,status,requests,credits\r\n2026-01-01,registration,key_5f0c,200,12,9\r\n' },
  jsonOnly: ['include'],
  headers: ['Vary', 'Link'],
  resource: { AccountUsage },
});

const ledger = defineEndpoint({
  id: 'account-ledger',
  path: '/v1/account/ledger',
  summary: 'Every ledger entry of the account, newest first',
  description: FREE,
  parameters: [
    limit(1000, 100),
    afterParameter('^\\d{1,15}\\.\\d{1,9}$', '118.0'),
    optional(
      'receipt',
      textLike('^[\\w.-]{3,100}$', 'must be the X-Receipt of an answer'),
      '`X-Receipt` of an answer: its hold, and how the hold ended.',
      'acc_5f0c2d.118.0198c2a4-6b1e-7c3a-9f10-2b3c4d5e6f70',
    ),
    optional(
      'by',
      oneOfTexts(['lookup']),
      '`lookup`: one entry a lookup, with what it was charged; a hold is one only while it is open.',
      'lookup',
    ),
    optional('from', day, 'First day, UTC.', '2026-01-01'),
    optional('to', day, 'Last day, UTC, included.', '2026-01-31'),
  ],
  resource: { AccountLedger },
});

const price = defineEndpoint({
  id: 'account-price',
  path: '/v1/account/price',
  summary: 'What a lookup would cost now',
  description:
    "Free: no request is sent to a source, and nothing is held. Give the operation's own parameters by their names, those of its path included.",
  parameters: [required('operation', operation, 'Id of the operation.', 'registration')],
  rest: operationParameters,
  resource: { AccountPrice },
});

const requests = defineEndpoint({
  id: 'account-requests',
  path: '/v1/account/requests',
  summary: 'Requests of the account, newest first',
  description: 'Free. Requests of the last 30 days. A page may be shorter than `limit`, also empty, although `hasMore` is true.',
  parameters: [
    optional('operation', idIn(LOGGED_IDS), 'Only this operation or account endpoint.', 'registration'),
    optional('status', integerOf(100, 599), 'Only this HTTP status.', 502),
    optional('label', requestName, 'Only requests with this `X-Request-Id` of the caller.', 'ticket-77'),
    optional('key', textLike('^\\w{1,60}$', 'must be the id of a key'), 'Only requests of this key or OAuth client.', 'key_5f0c'),
    optional('source', textLike('^[\\w/.-]{1,60}$', 'must be the name of a source'), 'Only answers of this source.', 'registration/rdap'),
    optional(
      'kind',
      oneOfTexts(['lookup', 'error']),
      '`lookup`: no requests to account endpoints; `error`: only errors of lookups.',
      'lookup',
    ),
    optional('from', day, 'First day, UTC.', '2026-01-01'),
    optional('to', day, 'Last day, UTC, included.', '2026-01-31'),
    limit(1000, 100),
    afterParameter('^\\d{1,15}\\.\\d{1,9}$', '48112.7'),
  ],
  resource: { AccountRequests },
});

const request = defineEndpoint({
  id: 'account-request',
  path: '/v1/account/requests/{requestId}',
  summary: 'What happened to one request, and why it was charged or not',
  description: 'Free. A request of the last 30 days. By a label that several requests have: the newest, and the ids of the others.',
  parameters: [
    inPath(
      'requestId',
      requestName,
      '`X-Request-Id` of the answer: the id of the request, or the label that the caller sent.',
      'h2k9d0qlw1ztb5-ml29f9c0-1f',
    ),
  ],
  resource: { RequestExplanation },
});

const ENDPOINTS = [account, usage, ledger, price, requests, request, ...WATCH_ENDPOINTS, ...RANKING_ENDPOINTS] as const;
type Defined = (typeof ENDPOINTS)[number];

export type { EndpointId } from './demands.ts';

type Inputs = { readonly [E in Defined as E['id']]: E extends Endpoint<string, infer I> ? I : never };
export type AccountInput<Id extends EndpointId = EndpointId> = Inputs[Id];
export type AccountEndpoint = Endpoint<EndpointId, AccountInput>;

/** The account endpoints. Routes and OpenAPI description loop over them. */
export const accountEndpoints: readonly AccountEndpoint[] = ENDPOINTS;
