import type { Caller } from '../../accounts/types.ts';
import type { Account } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { refuseBody } from '../http/message-limits.ts';
import { readQuery } from '../http/query.ts';
import type { RequestContext } from '../http/request-context.ts';
import { accountLedger } from './account-ledger.ts';
import { accountPrice } from './account-price.ts';
import { type AccountRoute, inputOf, type Pairs, type Served } from './account-route.ts';
import { accountUsage } from './account-usage.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createRefuseCaller } from './refusal.ts';

async function account(
  { accounts, admission }: RouteDependencies,
  _context: RequestContext,
  caller: Caller,
  given: Pairs,
): Promise<Served> {
  inputOf([], given);
  const view = await accounts.view(caller);
  const { ratePerSecond, burst } = admission.limitsOf(caller);
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

/** Serves requests for the caller's own account: authenticated, rate-limited and recorded like lookups, and free. Never rejects. */
export function createAccountRoute(routes: RouteDependencies): (context: RequestContext, route: AccountRoute) => Promise<void> {
  const { admission, responder, charges } = routes;
  const refuseCaller = createRefuseCaller(routes);
  return async (context, route) => {
    admission.enter();
    try {
      admission.checkArrival(context);
      refuseBody(context.request);
      const caller = await admission.admitCaller(context, null);
      const query = readQuery(context.request.url ?? '');
      if (!query.ok) throw new ServiceError('INVALID_REQUEST', query.why);
      const served = await route.serve(routes, context, caller, query.value);
      context.remaining = await charges.remaining(caller.accountId);
      if ('json' in served) responder.writeJson(context, served.json);
      else {
        const headers = ['Content-Length', String(served.bytes.length), 'Cache-Control', 'private, no-store', ...served.headers];
        responder.write(context, 200, headers, served.bytes);
      }
    } catch (thrown) {
      await refuseCaller(context, null, responder.refusalOf(context, thrown));
    } finally {
      admission.leave();
    }
  };
}
