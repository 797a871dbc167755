import type { AccountCharge } from '../../billing/charge.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RouteDependencies } from './dependencies.ts';

/**
 * Sends an error. An authenticated caller gets the remaining credits, and every credit held for the request is released. `more`: further
 * headers, flat.
 */
export type RefuseCaller = (
  context: RequestContext,
  charge: AccountCharge | null,
  error: ServiceError,
  more?: readonly string[],
) => Promise<void>;

export function createRefuseCaller({ charges, responder }: Pick<RouteDependencies, 'charges' | 'responder'>): RefuseCaller {
  return async (context, charge, error, more = []) => {
    if (charge) context.remaining = charge.cancel();
    else if (context.caller) context.remaining = charges.remaining(context.caller.accountId);
    responder.refuse(context, error, more);
  };
}
