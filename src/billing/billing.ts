import { ServiceError } from '../contract/errors.ts';
import { type Input, type OperationId, priceOf } from '../contract/operations/index.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { type BillingParts, Charge, type PaidLookup } from './charge.ts';

export type Billing = ReturnType<typeof createBilling>;

export function createBilling(given: Omit<BillingParts, 'captures' | 'remaining'>) {
  const { ledger, log, prices, chargeCacheHits } = given;
  const captures = new Set<Promise<void>>();
  /** Free credits of an account as this process knows them; null: not known now, and read for later requests. */
  function remaining(accountId: string): number | null {
    const known = ledger.remaining(accountId);
    if (!(known instanceof Promise)) return known;
    known.catch((error) => {
      // an unavailable store is logged where it is used
      if (!(error instanceof ServiceError)) log.error({ err: error, account: accountId }, 'the remaining credits could not be read');
    });
    return null;
  }
  const parts: BillingParts = { ...given, captures, remaining };
  return {
    openCharge: (lookup: PaidLookup) => new Charge(parts, lookup),
    /** Price of a lookup at a source, and the charge for the same request now. `cached`: a fresh answer, if there is one. */
    quote(operation: OperationId, input: Input, cached: CachedAnswer | null): { price: number; charge: number } {
      const price = priceOf(prices, operation, input);
      if (!cached) return { price, charge: price };
      // a cached "not found" is an error, and free
      const isFree = !chargeCacheHits || cached.absent !== undefined;
      return { price, charge: isFree ? 0 : priceOf(prices, operation, input, cached.delivered) };
    },
    remaining,
    async settled() {
      await Promise.all(captures);
    },
  };
}
