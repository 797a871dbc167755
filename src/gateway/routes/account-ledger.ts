import type { AccountLedger } from '../../contract/account/schemas.ts';
import type { AccountHandler } from './account-route.ts';

/** `GET /v1/account/ledger`: the ledger entries of the account, newest first; with `receipt` those of one answer. */
export const accountLedger: AccountHandler<'account-ledger'> = async ({ accounts }, _context, caller, input) => {
  const { receipt = null, after = null, limit } = input;
  const page = await accounts.statement(caller, { receipt, after, limit });
  const json: AccountLedger = { entries: page.entries.map((e) => ({ ...e })), after: page.after, hasMore: page.after !== null };
  return { json };
};
