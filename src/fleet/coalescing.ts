import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Lead, Run, SharedCoalescing } from '../orchestrator/coalescing.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { decodeRun, ENDED, encodeRun } from './cache-codec.ts';
import type { Channels } from './channels.ts';
import type { Fleet } from './membership.ts';
import { type RedisLog, reasonOf, script } from './redis.ts';

/** A leadership expires after this unless it is renewed; then another gateway leads. */
const LEAD_MS = 3_000;
const RENEW_MS = 1_000;
/** Interval at which followers check whether the leader is still active. */
const CHECK_MS = 1_000;
/** How long an ended leadership is recorded: longer than a lookup takes from its read of the cache to its claim. */
const ENDED_MS = 5_000;

const claimScript = script('lead-claim');
const renewScript = script('lead-renew');
const endScript = script('lead-end');
/** Results of `lead-claim.lua`. */
const OTHER_LEADS = 0;
const CLAIMED = 1;
const keyOf = (cacheKey: string): string => `sightline:lead:{${createHash('sha256').update(cacheKey).digest('base64url')}}`;

export interface RedisCoalescingParts {
  readonly fleet: Fleet;
  readonly channels: Channels;
  /** The newest cached answer, the shared cache included; null where there is no shared cache. */
  readonly latest: ((cacheKey: string) => Promise<CachedAnswer | undefined>) | null;
  readonly clock: Clock;
  readonly log: RedisLog;
}

/**
 * Coalesces equal lookups over the gateways of a fleet: one of them leads, the others wait for its result, which is published as a message.
 * While Redis is unavailable each gateway leads its own lookups.
 */
export function createRedisCoalescing({ fleet, channels, latest, clock, log }: RedisCoalescingParts): SharedCoalescing {
  const leading = new Map<string, { readonly token: string; readonly sinceMs: number }>();
  const closed = new AbortController();
  const aheadMs = (): number => fleet.now() - clock.now();
  let count = 0;

  const leadOf = (key: string, token: string): Lead => {
    leading.set(key, { token, sinceMs: clock.now() });
    const end = (message: Buffer): void => {
      leading.delete(key);
      // a leadership that could not be ended expires
      if (fleet.up) endScript(fleet.redis, [key], [token, message, ENDED_MS]).catch(() => undefined);
    };
    return {
      // an answer that is in the shared cache is not sent in the message
      end: (run) => end(run.cached && latest ? ENDED : encodeRun(run, aheadMs())),
      leave: () => end(ENDED),
    };
  };
  const LOCAL: Lead = { end: () => {}, leave: () => {} };

  async function renew(): Promise<void> {
    while (!closed.signal.aborted) {
      await clock.sleep(RENEW_MS, closed.signal);
      if (!fleet.up) continue;
      for (const [key, { token, sinceMs }] of leading)
        if (clock.now() - sinceMs >= RENEW_MS) renewScript(fleet.redis, [key], [token, LEAD_MS]).catch(() => undefined);
    }
  }
  const renewing = renew();

  /** The leadership, or the answer that another leader stored since `sinceMs`; null: another gateway leads. */
  async function claim(cacheKey: string, key: string, sinceMs: number): Promise<{ lead: Lead } | { run: Run } | null> {
    const token = `${fleet.id}/${count++}`;
    const claimed = await claimScript(fleet.redis, [key], [token, LEAD_MS]);
    if (claimed === OTHER_LEADS) return null;
    const lead = leadOf(key, token);
    if (claimed === CLAIMED) return { lead };
    // another lookup may have ended between the caller's read of the cache and the claim
    let cached: CachedAnswer | undefined;
    try {
      cached = await latest?.(cacheKey);
    } catch (error) {
      log('warn', 'fleet: shared cache not read', { reason: reasonOf(error) });
      return { lead };
    }
    if (!cached || cached.at < sinceMs || cached.freshUntil <= clock.now()) return { lead };
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
      const key = keyOf(cacheKey);
      while (fleet.up) {
        try {
          const claimed = await claim(cacheKey, key, sinceMs);
          if (claimed) return claimed;
          const run = await follow(key, untilMs, async () => {
            const leader = await fleet.redis.get(key);
            return leader !== null && leader !== 'ended';
          });
          if (run) return { run };
        } catch (error) {
          log('warn', 'fleet: lookups not coalesced', { reason: reasonOf(error) });
          break;
        }
      }
      return { lead: LOCAL };
    },
    async close() {
      closed.abort('closed');
      await renewing;
    },
  };
}

const TIMED_OUT: Run = {
  cached: null,
  error: new ServiceError('UPSTREAM_TIMEOUT', 'The same lookup was already in progress, and its result did not arrive in time.'),
  attempts: [],
  upstreamMs: 0,
  stored: false,
};
