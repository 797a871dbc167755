import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import type { Fleet } from '../outside/fleet.ts';
import { script } from '../outside/redis.ts';
import type { Channels } from '../outside/redis-channels.ts';
import type { Clock } from '../outside/world.ts';
import type { AnswerCache } from './cache.ts';
import type { Lead, Run, Union } from './twins.ts';
import { packRun, unpackRun } from './wire.ts';

/** A lead whose gateway says nothing for so long is over: another gateway leads. */
const LEAD_MS = 3_000;
const RENEW_MS = 1_000;
/** Those who wait look so often whether the one who leads is still there. */
const LOOK_MS = 1_000;
/** Nobody leads any more, and nothing was found: whoever waits may lead. */
const LEFT = Buffer.from('=');

const renewScript = script(`if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`);
const endScript = script(
  `if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end redis.call('PUBLISH', KEYS[1], ARGV[2])`,
);
const keyOf = (question: string): string => `sightline:lead:{${createHash('sha256').update(question).digest('base64url')}}`;

export interface UnionParts {
  readonly fleet: Fleet;
  readonly channels: Channels;
  readonly cache: AnswerCache;
  readonly clock: Clock;
}

/**
 * The same question across the gateways of a fleet: one of them leads, the others wait for what it finds, which comes as a message. While
 * Redis is away each gateway leads for itself.
 */
export function createUnion({ fleet, channels, cache, clock }: UnionParts): Union {
  const leading = new Map<string, string>();
  const ended = new AbortController();
  const aheadMs = (): number => fleet.now() - clock.now();
  let count = 0;

  const leadOf = (key: string, token: string): Lead => {
    leading.set(key, token);
    const end = (message: Buffer): void => {
      leading.delete(key);
      if (fleet.up) endScript(fleet.redis, [key], [token, message]).catch(() => undefined); // the lead ends by itself
    };
    return { end: (run) => end(packRun(run, aheadMs())), leave: () => end(LEFT) };
  };
  const ALONE: Lead = { end: () => {}, leave: () => {} };

  async function renew(): Promise<void> {
    while (!ended.signal.aborted) {
      await clock.sleep(RENEW_MS, ended.signal);
      if (!fleet.up) continue;
      for (const [key, token] of leading) renewScript(fleet.redis, [key], [token, LEAD_MS]).catch(() => undefined);
    }
  }
  const renewing = renew();

  /** The lead, or what was found since by whoever had it; null: another one has it. */
  async function claim(question: string, key: string, sinceMs: number): Promise<{ lead: Lead } | { run: Run } | null> {
    const token = `${fleet.id}/${count++}`;
    if ((await fleet.redis.set(key, token, 'PX', LEAD_MS, 'NX')) === null) return null;
    const lead = leadOf(key, token);
    // somebody may have found it between our look into the cache and now
    const kept = await cache.get(question);
    if (!kept || kept.at < sinceMs || kept.freshUntil <= clock.now()) return { lead };
    lead.leave();
    return { run: { kept, error: null, attempts: [], upstreamMs: 0, stored: true } };
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
    async enter(question, sinceMs, untilMs) {
      const key = keyOf(question);
      while (fleet.up) {
        try {
          const claimed = await claim(question, key, sinceMs);
          if (claimed) return claimed;
          const run = await follow(key, untilMs, async () => (await fleet.redis.exists(key)) === 1);
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
  kept: null,
  error: new ServiceError('UPSTREAM_TIMEOUT', 'The same question was being asked already, and its answer did not come in time.'),
  attempts: [],
  upstreamMs: 0,
  stored: false,
});
