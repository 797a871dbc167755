import type { Caller } from '../../accounts/types.ts';
import type { AccountCharge } from '../../billing/charge.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RouteDependencies } from './dependencies.ts';

/**
 * Sends an error. An authenticated caller also gets its remaining credits, and every credit held for the request back. `more`: further
 * headers, flat.
 */
export type RefuseCaller = (
  context: RequestContext,
  charge: AccountCharge | null,
  error: ServiceError,
  more?: readonly string[],
) => Promise<void>;

export function createRefuseCaller({ accounts, responder }: Pick<RouteDependencies, 'accounts' | 'responder'>): RefuseCaller {
  /** Null where the balance cannot be read: that must not replace the error to be sent. An unavailable store is logged elsewhere. */
  async function remainingIfKnown(context: RequestContext, caller: Caller): Promise<number | null> {
    try {
      return await accounts.ledger.remaining(caller.accountId);
    } catch (error) {
      if (!(error instanceof ServiceError)) responder.logDefect(context, error);
      return null;
    }
  }

  return async (context, charge, error, more = []) => {
    if (context.caller) {
      const outstanding = charge?.outstanding ?? 0;
      const remaining = await remainingIfKnown(context, context.caller);
      context.remaining = remaining === null ? null : remaining + outstanding;
    }
    charge?.unsold();
    charge?.release();
    responder.refuse(context, error, more);
  };
}
