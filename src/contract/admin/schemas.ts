import type { TUnknown } from 'typebox';
import { AccountLedger, AccountRequest, AccountUsage, pages, RequestExplanation } from '../account/schemas.ts';
import { amount, count, flag, list, mapOf, nullable, oneOf, orNull, record, text, words } from '../schema.ts';
import type { ValueOf } from './define.ts';
import { SOURCE_STATES } from './source-words.ts';

const ACCOUNT_ID = text('Id of the account.');
const CREATED = text('When it was made, RFC 3339.');
const LIFE = {
  createdAt: CREATED,
  expiresAt: orNull.text('When it ends; null: never.'),
  revokedAt: orNull.text('When it was revoked; null: it was not.'),
};
const LAST_USED = orNull.text('When it was last used, to the minute or so; null: never.');
const CREDITS_PER_DAY = orNull.count('Most credits a day, UTC; null: no limit.');

export const AccountSummary = record({
  accountId: ACCOUNT_ID,
  name: text('Name of the account.'),
  createdAt: CREATED,
  balance: count('Free credits.'),
  held: count('Credits held for lookups that run.'),
  suspendedAt: orNull.text('Since this time its keys and clients are refused; null: they are not.'),
});
export type AccountSummary = ValueOf<typeof AccountSummary>;
export const ListedAccount = record({
  ...AccountSummary.properties,
  keys: count('Keys that are not revoked.'),
  lastUsedAt: orNull.text('When one of its keys was last used, to the minute or so; null: never.'),
  lastWeek: record({
    requests: count('Requests of the last 7 days, today included.'),
    errors: count('Of these, answered with an error.'),
    credits: count('Credits charged in these days.'),
  }),
});
export type ListedAccount = ValueOf<typeof ListedAccount>;

const KEY = {
  keyId: text('Id of the key.'),
  accountId: ACCOUNT_ID,
  label: text('Its label.'),
  hint: text('First characters of the key.'),
  ...LIFE,
  lastUsedAt: LAST_USED,
  operations: nullable(words('Ids of the operations that it may use; null: all.')),
  addresses: nullable(words('CIDRs from which it is accepted; null: any address.')),
  creditsPerDay: CREDITS_PER_DAY,
  creditsPerMonth: orNull.count('Most credits a month, UTC; null: no limit.'),
  ratePerSecond: orNull.count('Requests a second, sustained; null: the limit of the account.'),
  rateBurst: orNull.count('Requests at once; null: the limit of the account.'),
  replacedBy: orNull.text('Id of the key that replaced this one.'),
  manages: flag('Whether it may make, change, replace and revoke keys of its account.'),
  madeBy: orNull.text('The key, or the session opened by a link, that made it; null: the operator.'),
};
export const KeySummary = record(KEY);
export type KeySummary = ValueOf<typeof KeySummary>;
const spentOf = (period: string, limit: string) =>
  orNull.count(
    `Credits that count against ${limit} ${period}, UTC, held ones and those of the key that it replaced included; null: no limit.`,
  );
export const ListedKey = record({
  ...KEY,
  depth: count('Number of makers above it: each key follows the one that made it.'),
  spentToday: spentOf('today', 'creditsPerDay'),
  spentThisMonth: spentOf('this month', 'creditsPerMonth'),
});
export type ListedKey = ValueOf<typeof ListedKey>;
export const RevokePreview = record({
  keyIds: words('Ids of the keys that would be revoked, itself included; empty: it is revoked already.'),
  watchIds: words('Ids of the watches that would stop.'),
});
const OPERATOR_KEY = { hint: text("First characters of the operator's key."), createdAt: CREATED };
export const OperatorKeySummary = record(OPERATOR_KEY);
export type OperatorKeySummary = ValueOf<typeof OperatorKeySummary>;
export const NewOperatorKey = record({ ...OPERATOR_KEY, key: text('The key itself: no other answer has it.') });
export type NewOperatorKey = ValueOf<typeof NewOperatorKey>;
export const NewKey = record({ ...KEY, key: text('The key itself: no other answer has it.') });
export type NewKey = ValueOf<typeof NewKey>;

const CLIENT = {
  clientId: text('Id of the OAuth client.'),
  accountId: ACCOUNT_ID,
  label: text('Its label.'),
  ...LIFE,
  lastUsedAt: LAST_USED,
  scopes: nullable(words('Scopes of its access tokens; null: all.')),
};
export const ClientSummary = record(CLIENT);
export type ClientSummary = ValueOf<typeof ClientSummary>;
export const NewClient = record({ ...CLIENT, clientSecret: text('The secret: no other answer has it.') });
export type NewClient = ValueOf<typeof NewClient>;

/** What a person granted to an app. It is a key: revoking the key ends it. */
export const GrantSummary = record({
  keyId: text('Id of the key behind the grant.'),
  accountId: ACCOUNT_ID,
  clientId: text('Id of the app.'),
  label: text('Name of the app and host of its redirect.'),
  redirectUri: text('Where its answer went.'),
  scopes: words('Scopes of its access tokens.'),
  creditsPerDay: CREDITS_PER_DAY,
  ...LIFE,
});
export type GrantSummary = ValueOf<typeof GrantSummary>;

const { after } = pages;
export const UsagePage = record({ entries: AccountUsage.properties.days, after });
export const LedgerPage = record({ entries: AccountLedger.properties.entries, after });
export const RequestsPage = record({ entries: list(AccountRequest), after });

export const OperatorExplanation = record({
  ...RequestExplanation.properties,
  accountId: ACCOUNT_ID,
  others: list(
    record({ ...RequestExplanation.properties.others.items.properties, accountId: ACCOUNT_ID }),
    'Where it was asked for by a label: the other requests with this label, of any account.',
  ),
  inputHash: orNull.text('SHA-256 of operation and parameters, the same for the same lookup; null where the parameters were not valid.'),
  details: list(orNull.text('Details of an attempt.'), 'One for each attempt.'),
  captures: words('Ids of its captures in the data folder of the process that answers.'),
});
export type OperatorExplanation = ValueOf<typeof OperatorExplanation>;

const faults = words('Faults; empty: sums and chains are valid.');
export const LedgerReport = record({ accounts: count('Accounts.'), links: count('Links.'), entries: count('Entries.'), faults });
export type LedgerReport = ValueOf<typeof LedgerReport>;
export const AuditReport = record({ entries: count('Entries.'), faults });
export type AuditReport = ValueOf<typeof AuditReport>;
export const AuditEntry = record({
  seq: count('Number in the chain.'),
  at: text('When it was written, RFC 3339.'),
  actor: text('Who changed it.'),
  action: text('`key.create`, `credits.grant`, …'),
  subject: text('Id of the changed account, key or client.'),
  facts: mapOf({} as TUnknown, 'What was changed, by field.'),
});
export type AuditEntry = ValueOf<typeof AuditEntry>;

/** One source, as the operator sees it. Breaker and health are those of the process that answers. */
export const SourceState = record({
  name: text('Unique among all sources.'),
  area: text('Area of its operations.'),
  operations: words('Ids of the operations that it answers.'),
  about: text('What it is.'),
  sunset: nullable(
    record(
      {
        date: orNull.text('Last announced day, `YYYY-MM-DD`; null where the end is announced without a day.'),
        what: text('What ends.'),
        instead: text('What remains.'),
        reference: text('Where it was announced.'),
      },
      'The announced end of the interface, from 180 days before on.',
    ),
  ),
  terms: orNull.text("What the platform's terms say against automated access, where its robots.txt allows it."),
  state: oneOf(SOURCE_STATES, 'Its state: the worst that holds.'),
  configured: flag('Whether it is used.'),
  lacking: words('Settings that keep it from being used.'),
  breaker: oneOf(['closed', 'open', 'half-open'], 'The worst state of its parts.'),
  restingUntil: orNull.text('When its longest rest ends, RFC 3339; null: it does not rest.'),
  last24h: record({
    attempts: count('Attempts.'),
    found: count('Attempts that found the thing.'),
    absent: count('Attempts that proved that it is not there.'),
    failures: mapOf(count('Attempts.'), 'Number of attempts by the tag of their failure.'),
    successShare: orNull.amount('Share of attempts that found or disproved the thing, 0 to 1; null: no attempts.'),
    medianMs: orNull.amount('Median of their duration, ms.'),
    hours: list(
      record({ attempts: count('Attempts.'), good: count('Of these, found or disproved the thing, every field read.') }),
      'One for each hour, the oldest first, this one included.',
    ),
  }),
  offer: nullable(
    record(
      {
        price: orNull.text('What it costs, as its own pages say; null: see the provider.'),
        usdEach: orNull.amount('Of it the price of one request, US dollars; null: it is not stated.'),
        free: orNull.text('What is free; null: see the provider.'),
        terms: orNull.text('Address of its terms.'),
        readOn: text('Day of the copy of these pages that was read, `YYYY-MM-DD`.'),
        states: words('Fields that its documented example answer states.'),
        lacks: words('Fields that it does not state.'),
        copied: words(
          "Of `price`, `free`, `terms`, `answers` and `errors` those that were read in a copy by others: the provider's own page could not be read.",
        ),
      },
      'Null: it is not one of the providers that are compared.',
    ),
  ),
  drifting: words('Fields that are lost more often than usual; `answer` where whole answers have an unknown shape.'),
  spending: nullable(
    record(
      {
        requestsToday: count('Requests of this UTC day.'),
        maxRequestsPerDay: count('Their cap.'),
        usdToday: amount('Stated cost of this UTC day, US dollars.'),
        maxUsdPerDay: amount('Its cap.'),
      },
      'Null: it has no daily cap.',
    ),
  ),
});
export type SourceState = ValueOf<typeof SourceState>;
/** The last result of a lookup with facts that must hold. */
export const CanaryResult = record({
  name: text('Its name in the file of SIGHTLINE_CANARIES.'),
  operation: text('Id of the operation.'),
  source: orNull.text('The source that answered; null: none did.'),
  at: text('When it ran, RFC 3339.'),
  ok: flag('Whether every fact holds.'),
  why: orNull.text('What does not hold; null where all does.'),
  past: list(
    record({ at: text('When it ran.'), ok: flag('Whether every fact held.') }),
    'Results, this one included, oldest first: 30 at most.',
  ),
});
export type CanaryResult = ValueOf<typeof CanaryResult>;
/** What a source answered when it was asked for a fact that holds for years. */
export const SourceCheck = record({
  source: text('The source.'),
  operation: text('Id of the operation that it was asked.'),
  fact: orNull.text('Name of the fact; null: none is known that it could answer.'),
  state: oneOf(
    ['works', 'blocked', 'limited', 'changed', 'unreachable', 'refused', 'not_asked'],
    '`changed`: an answer in another form, or in which the fact does not hold. `refused`: credentials or plan.',
  ),
  why: orNull.text('What it answered, or why it was not asked; null: nothing to say.'),
  advice: orNull.text('What to do; null: nothing.'),
  usd: amount('What it costs at most, US dollars; 0: it is free.'),
  durationMs: orNull.amount('Duration, ms; null: it was not asked.'),
  requestId: orNull.text('By which its captures are found; null: it was not asked.'),
});
export type SourceCheck = ValueOf<typeof SourceCheck>;
export const ConsoleLink = record({
  url: text('Signs in once. The code is in the fragment, which browsers send to no server.'),
  accountId: orNull.text('Null: for the operator.'),
  expiresAt: text('When the link ends, RFC 3339.'),
});
export type ConsoleLink = ValueOf<typeof ConsoleLink>;
