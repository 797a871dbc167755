import type { AccountLedger, AccountRequests } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AccountHandler } from './dependencies.ts';

/** `GET /v1/account/ledger`: the ledger entries of the account, newest first; with `receipt` those of one answer. */
export const accountLedger: AccountHandler<'account-ledger'> = async ({ accounts }, _context, caller, input) => {
  const { receipt = null, after = null, limit } = input;
  const page = await accounts.statement(caller, { receipt, after, limit });
  const json: AccountLedger = { entries: page.entries.map((e) => ({ ...e })), after: page.after, hasMore: page.after !== null };
  return { json };
};

/** `GET /v1/account/requests`: the requests of the account, newest first. */
export const accountRequests: AccountHandler<'account-requests'> = async ({ accounts }, _context, caller, input) => {
  const { operation = null, status = null, label = null, from = null, to = null, after = null, limit } = input;
  if (from !== null && to !== null && from > to)
    throw new ServiceError('INVALID_REQUEST', `Parameter from is "${from}", but it must not be after to, "${to}".`);
  const page = await accounts.requests(caller, { operation, status, label, from, to, after, limit });
  const json: AccountRequests = { requests: [...page.entries], after: page.after, hasMore: page.after !== null };
  return { json };
};

/** `GET /v1/account/requests/{requestId}`: what happened to one request, by its id or its label. */
export const accountRequest: AccountHandler<'account-request'> = async ({ accounts }, _context, caller, { requestId }) => {
  const json = await accounts.request(caller, requestId);
  if (json) return { json };
  throw new ServiceError('NOT_FOUND', `This account made no request ${requestId} in the last 30 days.`);
};
