import type { Caller } from '../../accounts/types.ts';
import { isStatementCursor } from '../../billing/statement.ts';
import type { AccountLedger } from '../../contract/account/schemas.ts';
import { bad, good, optional, type Parameter } from '../../contract/parameters/parameter.ts';
import type { RequestContext } from '../http/request-context.ts';
import { inputOf, type Pairs, pageParameters, type Served } from './account-route.ts';
import type { RouteDependencies } from './dependencies.ts';

const PARAMETERS: readonly Parameter[] = [
  ...pageParameters(1000, 100, isStatementCursor),
  optional({
    name: 'receipt',
    description: 'X-Receipt of an answer.',
    example: '',
    schema: { type: 'string' },
    read: (text) => (/^[\w.-]{3,100}$/.test(text) ? good(text) : bad('must be the X-Receipt of an answer')),
  }),
];

/** `GET /v1/account/ledger`: the entries of the own account, newest first; with `receipt` those of one answer. */
export async function accountLedger(
  { accounts }: RouteDependencies,
  _context: RequestContext,
  caller: Caller,
  given: Pairs,
): Promise<Served> {
  const { receipt = null, after = null, limit } = inputOf(PARAMETERS, given) as { receipt?: string; after?: string; limit: number };
  const page = await accounts.statement(caller, { receipt, after, limit });
  const json: AccountLedger = { entries: page.entries.map((e) => ({ ...e })), after: page.after, hasMore: page.after !== null };
  return { json };
}
