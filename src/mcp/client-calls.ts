import type { LookupInput } from '../client/methods.ts';
import { Sightline } from '../client/sightline.ts';
import type { ToolCalls } from '../gateway/mcp/endpoint.ts';

/** Longer than any lookup takes at the service. */
const DEADLINE_MS = 130_000;
/** Stale answers that a cursor may continue; the service keeps none for longer. */
const MAX_STALE_S = 7 * 86_400;

/** Tool calls of a service elsewhere, over its HTTP interface. Throws a TypeError where URL or key are not usable. */
export function createClientCalls(baseUrl: string, apiKey: string, now: () => number): ToolCalls {
  // the model decides about retries: it is told whether and when one may help
  const client = new Sightline({ baseUrl, apiKey, deadlineMs: DEADLINE_MS, maxRetries: 0 });
  return {
    async lookup({ operation, input, maxCredits, cachedOnly, signal }) {
      const answer = await client
        .lookup(operation.id, input as LookupInput, {
          signal,
          ...(maxCredits !== null && { maxCredits }),
          ...(cachedOnly && { onlyIfCached: true, maxStale: MAX_STALE_S }),
        })
        .withResponse();
      const { data, credits, receipt, source, cache, ageMs, unread } = answer;
      return {
        resource: { ...data },
        credits: credits.charged,
        receipt,
        source,
        cache,
        readAt: ageMs === null ? null : new Date(now() - ageMs).toISOString(),
        unread,
      };
    },
    price: (operation, _texts, input) => Promise.resolve(client.account.price(operation.id, input as LookupInput)),
    account: () => Promise.resolve(client.account.get()),
  };
}
