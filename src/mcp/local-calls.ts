import { ServiceError } from '../contract/errors.ts';
import { priceOf } from '../contract/prices.ts';
import type { ToolCalls } from '../gateway/mcp/endpoint.ts';
import { ORDINARY, type Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { deadlineOf, type Settings } from '../settings.ts';

/** Nobody pays for lookups at one's own sources. */
const FREE = { hold: async () => {}, release: () => {} };

/** Tool calls on the sources of this machine, without a service: no account, no credits. */
export function createLocalCalls(orchestrator: Orchestrator, settings: Settings, clock: Clock): ToolCalls {
  return {
    async lookup({ operation, input, cachedOnly, signal, asking }) {
      const freshness = cachedOnly ? { ...ORDINARY, onlyIfCached: true, maxStaleMs: Number.POSITIVE_INFINITY } : ORDINARY;
      const deadlineMs = clock.now() + deadlineOf(operation, settings);
      const result = await orchestrator.lookup({
        operation: operation.id,
        input,
        freshness,
        charge: FREE,
        deadlineMs,
        requestId: 'mcp',
        signal,
        ...(asking && { asking }),
      });
      if (!result.ok) throw result.refusal.error;
      const { cached, cacheStatus } = result.answer;
      return {
        resource: JSON.parse(cached.bytes.toString()) as Record<string, unknown>,
        credits: 0,
        receipt: null,
        source: cached.source,
        cache: cacheStatus.how,
        readAt: new Date(cached.at).toISOString(),
        unread: cached.unread,
      };
    },
    async price(operation, _texts, input) {
      const cached = await orchestrator.peek(operation.id, input);
      const freshUntil = cached && new Date(cached.freshUntil).toISOString();
      return {
        operation: operation.id,
        price: priceOf(settings.SIGHTLINE_PRICES, operation.id, input),
        cached: cached !== null,
        freshUntil,
        charge: 0,
      };
    },
    account: async () => {
      throw new ServiceError('NOT_IMPLEMENTED', 'There is no account: without a service, lookups at your own sources cost no credits.');
    },
  };
}
