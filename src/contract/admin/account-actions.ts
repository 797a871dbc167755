import { day, integerOf } from '../parameters/parameter.ts';
import { count, list, nullable, oneOf, record, text } from '../schema.ts';
import { ACCOUNT, defineActions, fields, line, NO_FIELDS, options } from './define.ts';
import * as answer from './schemas.ts';

const ID = { accountId: line('id of the account') };
const ONE_ACCOUNT = fields(ID);
/** How the fields of a page are read: through the admin API, and by a command on the store itself. */
export const PAGE_FIELDS = { from: day, to: day, limit: integerOf(1, 10_000) };
const page = (entries: number) => ({
  after: line('cursor of the previous page'),
  limit: { ...count(`entries of a page; default: ${entries}`), ...PAGE_FIELDS.limit.schema },
});

export const ACCOUNT_ACTIONS = defineActions({
  createAccount: {
    summary: 'create an account',
    requests: ['POST /accounts'],
    command: 'accounts create <name>',
    input: fields({ name: line('name of the account') }, { credits: count('initial credits; default: 0') }),
    answer: answer.AccountSummary,
  },
  listAccounts: {
    summary: 'list all accounts with their balances and what they used in 7 days',
    requests: ['GET /accounts'],
    command: 'accounts list',
    input: options({
      search: line('a part of the name, the begin of the account id, or the id of a key or request'),
      order: oneOf(['age', 'use'], 'oldest first, or those with the most requests of 7 days; default: age'),
      ...page(10_000),
    }),
    answer: list(answer.ListedAccount),
  },
  showAccount: {
    summary: 'show the free and the held credits of an account',
    requests: ['GET /accounts/{accountId}', 'GET /account'],
    command: 'credits show',
    input: options(ACCOUNT),
    answer: answer.AccountSummary,
  },
  renameAccount: {
    summary: 'rename an account',
    requests: ['PATCH /accounts/{accountId}'],
    command: 'accounts rename <accountId> <name>',
    input: fields({ ...ID, name: line('its new name') }),
    answer: answer.AccountSummary,
  },
  endSessions: {
    summary: 'end all console sessions of an account',
    requests: ['POST /accounts/{accountId}/sessions/end'],
    command: 'accounts end-sessions <accountId>',
    input: ONE_ACCOUNT,
    answer: record({ ended: count('Sessions that were ended.') }),
  },
  suspendAccount: {
    summary:
      'refuse the keys and OAuth clients of an account until it is resumed; in force when the request returns, in a fleet within a second',
    requests: ['POST /accounts/{accountId}/suspend'],
    command: 'accounts suspend <accountId>',
    input: ONE_ACCOUNT,
    answer: answer.AccountSummary,
  },
  resumeAccount: {
    summary: 'accept the keys and OAuth clients of a suspended account again',
    requests: ['POST /accounts/{accountId}/resume'],
    command: 'accounts resume <accountId>',
    input: ONE_ACCOUNT,
    answer: answer.AccountSummary,
  },
  deleteAccount: {
    summary: 'delete an account: revoke its keys and clients, take its free credits, erase its name; ledger, audit log and usage stay',
    requests: ['DELETE /accounts/{accountId}'],
    command: 'accounts delete <accountId>',
    input: ONE_ACCOUNT,
    answer: record({ accountId: text('Id of the account.'), creditsTaken: count('Free credits that it had.') }),
  },
  accountUsage: {
    summary: 'show requests and credits of an account by day, operation, key and status',
    requests: ['GET /accounts/{accountId}/usage'],
    command: 'accounts usage <accountId>',
    input: fields(ID, {
      from: line('first day (UTC), such as 2027-01-31; default: 29 days ago'),
      to: line('last day (UTC); default: today'),
      ...page(1000),
    }),
    answer: answer.UsagePage,
  },
  accountLedger: {
    summary: 'show the ledger entries of an account, newest first',
    requests: ['GET /accounts/{accountId}/ledger'],
    command: 'accounts ledger <accountId>',
    input: fields(ID, {
      receipt: line('only entries of this receipt'),
      by: oneOf(['lookup'], 'one entry a lookup, with what it was charged'),
      from: line('first day (UTC), such as 2027-01-31'),
      to: line('last day (UTC)'),
      ...page(100),
    }),
    answer: answer.LedgerPage,
  },
  accountRequests: {
    summary:
      'list the requests of an account, newest first, of the last 30 days; a page may be shorter than its limit although there are more',
    requests: ['GET /accounts/{accountId}/requests'],
    command: 'accounts requests <accountId>',
    input: fields(ID, {
      operation: line('only this operation'),
      status: count('only this HTTP status'),
      label: line('only requests with this X-Request-Id of the caller'),
      from: line('first day (UTC), such as 2027-01-31'),
      to: line('last day (UTC)'),
      ...page(100),
    }),
    answer: answer.RequestsPage,
  },
  explainRequest: {
    summary:
      'show what happened to a request of the last 30 days, and why it was charged or not; by a label (X-Request-Id of the caller) all requests with it',
    requests: ['GET /requests/{requestId}'],
    command: 'explain <requestId>',
    input: fields({ requestId: line('id or label of the request') }),
    answer: answer.OperatorExplanation,
  },
  ensureFirstAccount: {
    summary: 'create the first account, with the free credits and a key; answers null where there is an account',
    requests: ['POST /accounts/first'],
    input: NO_FIELDS,
    answer: nullable(answer.NewKey),
  },
  grant: {
    summary: 'add credits to an account; a negative amount takes them away',
    requests: ['POST /accounts/{accountId}/grants', 'POST /grants'],
    command: 'credits grant <credits>',
    input: fields(
      { credits: count('number of credits') },
      {
        ...ACCOUNT,
        note: { ...line('reason, shown in the ledger'), maxLength: 200 },
        reference: { ...line('idempotency key: a second grant with the same reference changes nothing'), maxLength: 200 },
      },
    ),
    answer: answer.AccountSummary,
  },
});
