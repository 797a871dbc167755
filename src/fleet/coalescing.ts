import type { AnswerCache } from '../orchestrator/cache.ts';
import { type Lead, type Run, ranAs, type SharedCoalescing } from '../orchestrator/coalescing.ts';
import { failureOf } from '../orchestrator/failure.ts';
import type { SharedCache, SharedClaim } from './cache.ts';
import type { Channels, FleetTools } from './channels.ts';
import type { Leads } from './leads.ts';
import { redisReason } from './redis.ts';
import { placeOf } from './wire/keys.ts';
import { decodeRun, ENDED, encodeRun } from './wire/messages.ts';

/** Interval at which followers check whether the leader is still active. */
const CHECK_MS = 1_000;
/** A claim fails if the connection has just been lost: the second one waits until it is restored. */
const MAX_FAILED_CLAIMS = 2;

interface RedisCoalescingParts extends FleetTools {
  readonly channels: Channels;
  readonly leads: Leads;
  /** Null: there is no shared cache. */
  readonly cache: Pick<SharedCache, 'claim' | 'storeAndEnd'> | null;
  readonly local: AnswerCache;
}

/**
 * One gateway of a fleet leads a lookup, the others wait for its published result. A gateway that lost Redis, for example because it was
 * suspended, waits a second for it; then it leads its own lookups, whose attempts fail until Redis is back.
 */
export function createRedisCoalescing({ fleet, channels, leads, cache, local, clock, log }: RedisCoalescingParts): SharedCoalescing {
  const aheadMs = (): number => fleet.now() - clock.now();

  const leadOf = (cacheKey: string): Lead => ({
    end(run) {
      // an answer that is in the shared cache is not sent in the message
      if (run.cached && cache) return cache.storeAndEnd(cacheKey, run.cached);
      if (run.cached) local.set(cacheKey, run.cached);
      leads.end(cacheKey, encodeRun(run, aheadMs()));
    },
    leave: () => leads.end(cacheKey, ENDED),
  });
  const leadAlone = (cacheKey: string): Lead => ({
    end(run) {
      if (run.cached) local.set(cacheKey, run.cached);
    },
    leave: () => {},
  });

  async function claimLead(cacheKey: string): Promise<SharedClaim> {
    return (await leads.claim(cacheKey)) === 'other leads' ? { kind: 'other leads' } : { kind: 'lead', known: local.local(cacheKey) };
  }

  /** Waits for the leader's message. Null: no result arrived (leader lost, or Redis unavailable); the caller claims again. */
  async function follow(key: string, untilMs: number, hasLeader: () => Promise<boolean>): Promise<Run | null> {
    const over = new AbortController();
    let received: Run | null = null;
    const stopListening = await channels.listen(key, (message) => {
      try {
        received = decodeRun(message, aheadMs());
      } catch (error) {
        log('warn', 'fleet: unreadable coalescing message', { reason: redisReason(error) });
      }
      over.abort('received');
    });
    const unsubscribe = fleet.subscribe((event) => event === 'down' && over.abort('down'));
    try {
      while (!over.signal.aborted && fleet.up && (await hasLeader())) {
        const leftMs = untilMs - clock.now();
        if (leftMs <= 0) return TIMED_OUT;
        await clock.sleep(Math.min(CHECK_MS, leftMs), over.signal);
      }
    } finally {
      unsubscribe();
      stopListening();
    }
    return received;
  }

  return {
    async claim(cacheKey, acceptance, untilMs) {
      const { lead: key } = placeOf(cacheKey);
      let hasFollowed = false;
      for (let failed = 0; failed < MAX_FAILED_CLAIMS && (fleet.up || (await fleet.hasRejoined())); ) {
        try {
          const claimed = await (cache?.claim(cacheKey, acceptance) ?? claimLead(cacheKey));
          if (claimed.kind === 'cached') return hasFollowed ? { run: ranAs(claimed.cached) } : claimed;
          if (claimed.kind === 'lead') return { lead: leadOf(cacheKey), known: claimed.known };
          const run = await follow(key, untilMs, async () => {
            const leader = await fleet.redis.get(key);
            return leader !== null && leader !== 'ended';
          });
          if (run) return { run };
          hasFollowed = true;
        } catch (error) {
          if (++failed === MAX_FAILED_CLAIMS) log('warn', 'fleet: lookups not coalesced', { reason: redisReason(error) });
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      return { lead: leadAlone(cacheKey), known: local.local(cacheKey) };
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
