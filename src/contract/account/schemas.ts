import type { Static } from 'typebox';
import { codeOf, ERRORS, type ErrorName } from '../errors.ts';
import { amount, count, exactly, flag, list, nullable, oneOf, orNull, record, text, textMap, words } from '../schema.ts';

/** `GET /v1/account`: the account, its credits and the credentials of the request. */
export const Account = record({
  accountId: text('Id of the account.'),
  name: text('Name of the account.'),
  credits: record({ balance: count('Credits of the account, held ones included.'), held: count('Credits held for lookups that run.') }),
  key: record({
    keyId: text('Id of the key or of the OAuth client; never the key itself.'),
    label: text('Its label.'),
    createdAt: text('When it was made.'),
    expiresAt: orNull.text('When it ends; null: never.'),
    operations: nullable(words('Ids of the operations that these credentials may use; null: all.')),
  }),
  limits: record({ ratePerSecond: count('Requests a second, sustained.'), burst: count('Requests at once.') }),
});
export type Account = Static<typeof Account>;

export const pages = {
  after: orNull.text('Cursor: `after` of the next request; null on the last page.'),
  hasMore: flag('Whether there is another page.'),
};

/** `GET /v1/account/usage`: requests and credits by day, operation, key and status. */
export const AccountUsage = record({
  from: text('First day, `YYYY-MM-DD`, UTC.'),
  to: text('Last day, included.'),
  days: list(
    record({
      day: text('Day, `YYYY-MM-DD`, UTC.'),
      operation: text('Id of the operation.'),
      keyId: text('Id of the key or of the OAuth client.'),
      status: count('HTTP status.'),
      requests: count('Number of requests.'),
      credits: count('Credits charged.'),
    }),
    'One entry for each day, operation, key and status, in this order.',
  ),
  timings: list(
    record({
      day: orNull.text('Day, `YYYY-MM-DD`, UTC; null: all of these days.'),
      operation: orNull.text('Id of the operation; null: all operations.'),
      requests: count('Number of lookups.'),
      cacheHits: count('Of these, answered from the cache.'),
      medianMs: amount('Half of them took no longer, milliseconds.'),
      p95Ms: amount('95 of 100 took no longer, milliseconds.'),
    }),
    'With `include=timings`: by day, by operation, and over all, of the newest 20,000 lookups in the request log; else empty.',
  ),
  ...pages,
});
export type AccountUsage = Static<typeof AccountUsage>;

export const ENTRY_KINDS = ['grant', 'hold', 'capture', 'release', 'expire'] as const;
/** `GET /v1/account/ledger`: the ledger entries of the account, newest first. */
export const AccountLedger = record({
  entries: list(
    record({
      at: text('When it was written, RFC 3339.'),
      kind: oneOf(ENTRY_KINDS, 'A hold ends as `capture` (charged), `release` (given back) or `expire`.'),
      credits: count('Change of the credits that the account owns.'),
      held: count('Change of the credits that are held.'),
      balance: orNull.count(
        'Credits of the account after it, held ones included: the sum of `credits` up to it. Null for entries that were written before balances were stored.',
      ),
      receipt: orNull.text('The receipt that it belongs to, as `X-Receipt` says; null for a grant.'),
      keyId: orNull.text('Key or OAuth client that caused it.'),
      operation: orNull.text('Operation that it paid for.'),
      requestId: orNull.text('Id of the request.'),
      label: orNull.text('`X-Request-Id` that the caller sent with it.'),
      note: orNull.text('Words with a grant.'),
      reference: orNull.text('Reference of a grant: the same one is granted once.'),
    }),
  ),
  ...pages,
});
export type AccountLedger = Static<typeof AccountLedger>;

/** `GET /v1/account/price`: what a lookup would cost now. */
export const AccountPrice = record({
  operation: text('Id of the operation.'),
  price: count('Credits that the lookup costs where a source has to be asked; less where fewer results come.'),
  cached: flag('Whether a fresh answer is kept: the lookup would be answered from it.'),
  freshUntil: orNull.text('Until when that answer is fresh; null where none is kept.'),
  charge: count('Credits that the lookup would cost now: 0 from the cache, unless the operator charges for that.'),
});
export type AccountPrice = Static<typeof AccountPrice>;

const REQUEST = {
  requestId: text('Id of the request: `X-Request-Id` of its answer, unless the caller sent one.'),
  label: orNull.text('`X-Request-Id` that the caller sent; several requests may have the same.'),
  at: text('When it arrived, RFC 3339.'),
  operation: text('Id of the operation, or of the account endpoint.'),
  status: count('HTTP status.'),
  code: orNull.text('Code of the error; null for an answer.'),
  source: orNull.text('Source that answered, as `X-Data-Source` names it.'),
  cache: orNull.text('`hit`, `miss`, `stale` or `collapsed` (joined the same lookup while it ran); null where the cache was not asked.'),
  credits: count('Credits charged.'),
  durationMs: amount('Milliseconds from its arrival to its answer.'),
  keyId: text('Key or OAuth client that made it.'),
  parameters: nullable(textMap('Parameters of a lookup by their names, as they were sent; null where they were not valid.')),
};
export const AccountRequest = record(REQUEST);
export type AccountRequest = Static<typeof AccountRequest>;

/** `GET /v1/account/requests`: the requests of the account, newest first. */
export const AccountRequests = record({ requests: list(AccountRequest), ...pages });
export type AccountRequests = Static<typeof AccountRequests>;

/** Why a request was charged or not. */
export const CHARGE_RULES = {
  charged: 'This request caused the lookup, which succeeded: it costs its price, less what the source could not deliver.',
  'cached-charged': 'The answer came from the cache, and the operator of this service charges for that.',
  cached: 'The answer came from the cache, which is free.',
  joined: 'The same lookup was already running for another request, which paid for it: joining it is free.',
  stale: 'A kept answer was served instead of a new one: it is free.',
  error: 'Every error is free.',
  check: 'The request ran a check of a watch: the request of that check, which has the same receipt, says what it cost and why.',
  account: 'Requests for the own account are free.',
  'no-price': 'The operation costs nothing on this service.',
} as const;
export type ChargeRule = keyof typeof CHARGE_RULES;

/** `GET /v1/account/requests/{requestId}`: what happened to one request. */
export const RequestExplanation = record({
  ...REQUEST,
  message: orNull.text('Message of the error.'),
  freshness: orNull.text('`Cache-Control` of the request; null: none.'),
  attempts: list(
    record({
      source: text('Source that was asked.'),
      outcome: text('`found`, `absent`, `blocked`, `limited`, `unreachable`, `timeout`, `changed`, `refused` or `defect`.'),
      startMs: orNull.count('Milliseconds from the arrival of the request to its begin; null where another request had begun it before.'),
      durationMs: count('Milliseconds of the attempt.'),
      reason: orNull.text('Why it did not answer; null where it did.'),
    }),
    'Attempts at sources, in order. None: the answer was kept, or no source was asked.',
  ),
  rule: oneOf(Object.keys(CHARGE_RULES) as ChargeRule[], 'Rule by which it was charged or not.'),
  ruleInWords: text('The same rule as a sentence.'),
  receipt: orNull.text('`X-Receipt`: the ledger lists its entries under it; null where nothing was charged.'),
  unread: words('Fields that are null because their content was not understood, as `X-Fields-Unread` says.'),
  upstreamMs: amount('Milliseconds that sources took.'),
  steps: list(
    record({
      step: oneOf(['admission', 'cache', 'hold', 'answer'], 'Credentials and parameters; cache; hold of the credits; check and answer.'),
      startMs: amount('Milliseconds from the arrival of the request.'),
      durationMs: amount('Milliseconds that it took.'),
    }),
    'What the service did besides the attempts, where a source was asked, in order; empty where it was not recorded.',
  ),
  others: list(
    record({ requestId: text('Id of the request.'), at: REQUEST.at, operation: REQUEST.operation, status: REQUEST.status }),
    'Where it was asked for by a label: the other requests with this label, newest first, 1,000 at most.',
  ),
});
export type RequestExplanation = Static<typeof RequestExplanation>;

const VERSION = text('Version of the service.');
export const Health = record({ status: exactly('ok'), version: VERSION });
export const Ready = record({
  status: exactly('ready'),
  version: VERSION,
  sunsets: list(
    record({
      source: text('Name of the source.'),
      date: orNull.text('Last announced day, `YYYY-MM-DD`; null where the end is announced without a day.'),
      daysLeft: orNull.count('Days until that day; negative after it, null where none is announced.'),
      what: text('What ends.'),
      instead: text('What remains.'),
    }),
    'Configured sources whose platform announced the end of the interface, from 180 days before on.',
  ),
});

export const ErrorDetails = record({
  code: oneOf(
    [...new Set((Object.keys(ERRORS) as ErrorName[]).map(codeOf))],
    'Stable code: programs decide by it. New codes may be added; treat one that you do not know by the status.',
  ),
  message: text('What was wrong, with which value, and what to do.'),
});
const ErrorSchema = record({ error: ErrorDetails }, 'Every error has this body.');

export { ErrorSchema as Error };
