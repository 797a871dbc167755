import type { Caller } from '../../accounts/types.ts';
import type { AccountEndpoint, EndpointId } from '../../contract/account/endpoints.ts';
import type { Account } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { refuseBody } from '../http/message-limits.ts';
import { readQuery } from '../http/query.ts';
import type { RequestContext } from '../http/request-context.ts';
import { accountLedger, accountRequest, accountRequests } from './account-pages.ts';
import { accountPrice } from './account-price.ts';
import { accountUsage } from './account-usage.ts';
import type { AccountHandler, RouteDependencies } from './dependencies.ts';
import { createRefuseCaller } from './refusal.ts';

/** The caller's account, credits, credentials and limits. */
export async function accountOf({ accounts, admission }: RouteDependencies, caller: Caller): Promise<Account> {
  const view = await accounts.view(caller);
  const { ratePerSecond, burst } = admission.limitsOf(caller);
  return {
    accountId: view.accountId,
    name: view.name,
    credits: { ...view.credits },
    key: { ...view.key, operations: view.key.operations && [...view.key.operations] },
    limits: { ratePerSecond, burst },
  };
}

const HANDLERS: { readonly [Id in EndpointId]: AccountHandler<Id> } = {
  account: async (routes, _context, caller) => ({ json: await accountOf(routes, caller) }),
  'account-usage': accountUsage,
  'account-ledger': accountLedger,
  'account-price': accountPrice,
  'account-requests': accountRequests,
  'account-request': accountRequest,
};

/** Serves requests for the caller's own account: authenticated, rate-limited and recorded like lookups, and free. Never rejects. */
export function createAccountRoute(
  routes: RouteDependencies,
): (context: RequestContext, endpoint: AccountEndpoint, params: Readonly<Record<string, string>>) => Promise<void> {
  const { admission, responder, charges } = routes;
  const refuseCaller = createRefuseCaller(routes);
  return async (context, endpoint, params) => {
    admission.enter();
    try {
      admission.checkArrival(context);
      refuseBody(context.request);
      const caller = await admission.admitCaller(context, null, 'header or session');
      const query = readQuery(context.request.url ?? '');
      if (!query.ok) throw new ServiceError('INVALID_REQUEST', query.why);
      const input = endpoint.readInput([...Object.entries(params), ...query.value]);
      if (!input.ok) throw new ServiceError('INVALID_REQUEST', input.why);
      const handler: AccountHandler = HANDLERS[endpoint.id];
      const served = await handler(routes, context, caller, input.value);
      context.remaining = charges.remaining(caller.accountId);
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
