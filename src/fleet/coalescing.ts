import { freshUntil } from '../orchestrator/cache.ts';
import type { Lead, Run, SharedCoalescing } from '../orchestrator/coalescing.ts';
import { failureOf } from '../orchestrator/failure.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import { decodeRun, ENDED, encodeRun, placeOf } from './cache-codec.ts';
import type { Channels, FleetTools } from './channels.ts';
import type { Leads } from './leads.ts';
import { reasonOf } from './redis.ts';

/** Interval at which followers check whether the leader is still active. */
const CHECK_MS = 1_000;
/** A claim fails if the connection has just been lost: the second one waits until it is restored. */
const MAX_FAILED_CLAIMS = 2;

interface RedisCoalescingParts extends FleetTools {
  readonly channels: Channels;
  readonly leads: Leads;
  /** The newest cached answer, the shared cache included; null where there is no shared cache. */
  readonly latest: ((cacheKey: string) => Promise<CachedAnswer | undefined>) | null;
}

/**
 * One gateway of a fleet leads a lookup, the others wait for its published result. A gateway that lost Redis, for example because it was
 * suspended, waits a second for it; then it leads its own lookups, whose attempts fail until Redis is back.
 */
export function createRedisCoalescing({ fleet, channels, leads, latest, clock, log }: RedisCoalescingParts): SharedCoalescing {
  const aheadMs = (): number => fleet.now() - clock.now();

  const leadOf = (cacheKey: string): Lead => ({
    // an answer that is in the shared cache is not sent in the message
    end: (run) => leads.end(cacheKey, run.cached && latest ? ENDED : encodeRun(run, aheadMs())),
    leave: () => leads.end(cacheKey, ENDED),
  });
  const LOCAL: Lead = { end: () => {}, leave: () => {} };

  /** The leadership, or the answer that another leader stored since `sinceMs`; null: another gateway leads. */
  async function claim(cacheKey: string, sinceMs: number): Promise<{ lead: Lead } | { run: Run } | null> {
    const lead = leadOf(cacheKey);
    if (leads.take(cacheKey)) return { lead };
    const claimed = await leads.claim(cacheKey);
    if (claimed === 'other leads') return null;
    if (claimed === 'claimed') return { lead };
    // another lookup may have ended between the caller's read of the cache and the claim
    let cached: CachedAnswer | undefined;
    try {
      cached = await latest?.(cacheKey);
    } catch (error) {
      log('warn', 'fleet: shared cache not read', { reason: reasonOf(error) });
      return { lead };
    }
    if (!cached || cached.at < sinceMs || freshUntil(cached) <= clock.now()) return { lead };
    lead.leave();
    return { run: { cached, error: null, attempts: [], upstreamMs: 0, stored: true } };
  }

  /** Waits for the leader's message. Null: no result arrived (leader lost, or Redis unavailable); the caller claims again. */
  async function follow(key: string, untilMs: number, hasLeader: () => Promise<boolean>): Promise<Run | null> {
    const over = new AbortController();
    let received: Run | null = null;
    const unsubscribe = await channels.listen(key, (message) => {
      try {
        received = decodeRun(message, aheadMs());
      } catch (error) {
        log('warn', 'fleet: unreadable coalescing message', { reason: reasonOf(error) });
      }
      over.abort('received');
    });
    const unwatch = fleet.watch((event) => event === 'down' && over.abort('down'));
    try {
      while (!over.signal.aborted && fleet.up && (await hasLeader())) {
        const leftMs = untilMs - clock.now();
        if (leftMs <= 0) return TIMED_OUT;
        await clock.sleep(Math.min(CHECK_MS, leftMs), over.signal);
      }
    } finally {
      unwatch();
      unsubscribe();
    }
    return received;
  }

  return {
    async enter(cacheKey, sinceMs, untilMs) {
      const { lead: key } = placeOf(cacheKey);
      for (let failed = 0; failed < MAX_FAILED_CLAIMS && (fleet.up || (await fleet.hasRejoined())); ) {
        try {
          const claimed = await claim(cacheKey, sinceMs);
          if (claimed) return claimed;
          const run = await follow(key, untilMs, async () => {
            const leader = await fleet.redis.get(key);
            return leader !== null && leader !== 'ended';
          });
          if (run) return { run };
        } catch (error) {
          if (++failed === MAX_FAILED_CLAIMS) log('warn', 'fleet: lookups not coalesced', { reason: reasonOf(error) });
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      return { lead: LOCAL };
    },
    close: () => leads.close(),
  };
}

const TIMED_OUT: Run = {
  cached: null,
  error: failureOf({ tag: 'timeout', what: 'The same lookup was already in progress, and its result did not arrive in time.', source: '' }),
  attempts: [],
  upstreamMs: 0,
  stored: false,
};
