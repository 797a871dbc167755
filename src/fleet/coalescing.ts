import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Lead, Run, SharedCoalescing } from '../orchestrator/coalescing.ts';
import type { CachedAnswer } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { packRun, unpackRun } from './cache-codec.ts';
import type { Channels } from './channels.ts';
import type { Fleet } from './membership.ts';
import { script } from './redis.ts';

/** A lead whose gateway says nothing for so long is over: another gateway leads. */
const LEAD_MS = 3_000;
const RENEW_MS = 1_000;
/** Those who wait look so often whether the one who leads is still there. */
const LOOK_MS = 1_000;
/** Nobody leads any more: whoever waits looks into the cache, and may lead. */
const LEFT = Buffer.from('=');

/** Left in the place of a lead that ended, for as long as somebody may still have looked into the cache before it. */
const ENDED = 'ended';
const ENDED_MS = 5_000;
/** Gives 1: led by nobody, and nobody was lately; 2: somebody did a moment ago; 0: somebody leads. */
const claimScript = script(`local now = redis.call('GET', KEYS[1])
if now and now ~= '${ENDED}' then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return now and 2 or 1`);
const renewScript = script(`if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`);
const endScript = script(`if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], '${ENDED}', 'PX', ${ENDED_MS}) end
redis.call('PUBLISH', KEYS[1], ARGV[2])`);
const keyOf = (cacheKey: string): string => `sightline:lead:{${createHash('sha256').update(cacheKey).digest('base64url')}}`;

export interface RedisCoalescingParts {
  readonly fleet: Fleet;
  readonly channels: Channels;
  /** The newest answer that any gateway keeps; null where they share none. */
  readonly latest: ((cacheKey: string) => Promise<CachedAnswer | undefined>) | null;
  readonly clock: Clock;
}

/**
 * The same question across the gateways of a fleet: one of them leads, the others wait for what it finds, which comes as a message. While
 * Redis is away each gateway leads for itself.
 */
export function createRedisCoalescing({ fleet, channels, latest, clock }: RedisCoalescingParts): SharedCoalescing {
  const leading = new Map<string, { token: string; sinceMs: number }>();
  const ended = new AbortController();
  const aheadMs = (): number => fleet.now() - clock.now();
  let count = 0;

  const leadOf = (key: string, token: string): Lead => {
    leading.set(key, { token, sinceMs: clock.now() });
    const end = (message: Buffer): void => {
      leading.delete(key);
      if (fleet.up) endScript(fleet.redis, [key], [token, message]).catch(() => undefined); // the lead ends by itself
    };
    return {
      // what all can read in the shared cache is not sent as well
      end: (run) => end(run.cached && latest ? LEFT : packRun(run, aheadMs())),
      leave: () => end(LEFT),
    };
  };
  const ALONE: Lead = { end: () => {}, leave: () => {} };

  async function renew(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(RENEW_MS, ended.signal);
      if (!fleet.up) continue;
      for (const [key, { token, sinceMs }] of leading)
        if (clock.now() - sinceMs >= RENEW_MS) renewScript(fleet.redis, [key], [token, LEAD_MS]).catch(() => undefined);
    }
  }
  const renewing = renew();

  /** The lead, or what was found since by whoever had it; null: another one has it. */
  async function claim(cacheKey: string, key: string, sinceMs: number): Promise<{ lead: Lead } | { run: Run } | null> {
    const token = `${fleet.id}/${count++}`;
    const claimed = await claimScript(fleet.redis, [key], [token, LEAD_MS]);
    if (claimed === 0) return null;
    const lead = leadOf(key, token);
    if (claimed === 1) return { lead };
    // somebody may have found it between our look into the cache and now
    const cached = await latest?.(cacheKey);
    if (!cached || cached.at < sinceMs || cached.freshUntil <= clock.now()) return { lead };
    lead.leave();
    return { run: { cached, error: null, attempts: [], upstreamMs: 0, stored: true } };
  }

  /** Waits for a message of whoever leads; null: he left, fell silent or Redis went, and it is to be claimed again. */
  async function follow(key: string, untilMs: number, again: () => Promise<boolean>): Promise<Run | null> {
    const over = new AbortController();
    let told: Run | null = null;
    const leave = await channels.listen(key, (message) => {
      if (!message.equals(LEFT)) told = unpackRun(message, aheadMs());
      over.abort('told');
    });
    const unwatch = fleet.watch((event) => event === 'down' && over.abort('down'));
    try {
      while (!over.signal.aborted && fleet.up && (await again())) {
        const leftMs = untilMs - clock.now();
        if (leftMs <= 0) return late();
        await clock.sleep(Math.min(LOOK_MS, leftMs), over.signal);
      }
    } finally {
      unwatch();
      leave();
    }
    return told;
  }

  return {
    async enter(cacheKey, sinceMs, untilMs) {
      const key = keyOf(cacheKey);
      while (fleet.up) {
        try {
          const claimed = await claim(cacheKey, key, sinceMs);
          if (claimed) return claimed;
          const run = await follow(key, untilMs, async () => {
            const now = await fleet.redis.get(key);
            return now !== null && now !== ENDED;
          });
          if (run) return { run };
        } catch {
          break; // Redis went: each for itself
        }
      }
      return { lead: ALONE };
    },
    async close() {
      ended.abort('closed');
      await renewing;
    },
  };
}

const late = (): Run => ({
  cached: null,
  error: new ServiceError('UPSTREAM_TIMEOUT', 'The same question was being asked already, and its answer did not come in time.'),
  attempts: [],
  upstreamMs: 0,
  stored: false,
});
