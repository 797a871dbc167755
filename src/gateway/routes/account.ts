import type { Caller } from '../../accounts/types.ts';
import type { Account } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { admitAtDoor, admitCaller, freeCredits, refuseBody, ruleOf } from '../admission/admit.ts';
import { readQuery } from '../http/query.ts';
import type { RequestContext } from '../http/request-context.ts';
import { refusalOf, write, writeJson } from '../http/response.ts';
import { accountLedger } from './account-ledger.ts';
import { accountPrice } from './account-price.ts';
import { type AccountRoute, inputOf, type Pairs, type Served } from './account-route.ts';
import { accountUsage } from './account-usage.ts';
import { refuseKnown } from './lookup.ts';

async function account(x: RequestContext, caller: Caller, given: Pairs): Promise<Served> {
  inputOf([], given);
  const view = await x.desk.accounts.view(caller);
  const { ratePerSecond, burst } = ruleOf(caller, x.desk.accountRule);
  const json: Account = {
    accountId: view.accountId,
    name: view.name,
    credits: { ...view.credits },
    key: { ...view.key, operations: view.key.operations && [...view.key.operations] },
    limits: { ratePerSecond, burst },
  };
  return { json };
}

export const ACCOUNT_ROUTES: readonly AccountRoute[] = [
  { path: '/v1/account', operation: 'account', serve: account },
  { path: '/v1/account/usage', operation: 'account-usage', serve: accountUsage },
  { path: '/v1/account/ledger', operation: 'account-ledger', serve: accountLedger },
  { path: '/v1/account/price', operation: 'account-price', serve: accountPrice },
];

/** One request about the caller's own account: authenticated, limited and recorded like any, and free. Never rejects. */
export async function serveAccount(x: RequestContext, route: AccountRoute): Promise<void> {
  x.desk.loadShedder.enter();
  try {
    admitAtDoor(x);
    refuseBody(x.request);
    const caller = await admitCaller(x, null);
    const query = readQuery(x.request.url ?? '');
    if (!query.ok) throw new ServiceError('INVALID_REQUEST', query.why);
    const served = await route.serve(x, caller, query.value);
    x.remaining = await freeCredits(x, caller);
    if ('json' in served) writeJson(x, served.json);
    else {
      const headers = ['Content-Length', String(served.bytes.length), 'Cache-Control', 'private, no-store', ...served.headers];
      write(x, 200, headers, served.bytes);
    }
  } catch (thrown) {
    await refuseKnown(x, null, refusalOf(x, thrown));
  } finally {
    x.desk.loadShedder.leave();
  }
}
