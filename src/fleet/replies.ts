import type { Clock } from '../runtime/clock.ts';
import type { Ports } from '../sources/source.ts';
import { type Reply, repliesKey } from './codec.ts';
import type { Fleet } from './membership.ts';
import { connectRedis } from './redis.ts';

const BLOCK_MS = 1_000;
const AT_ONCE = 256;
/** A stream whose gateway has gone is dropped after this. */
const KEPT_MS = 15_000;
const PAUSE_MS = 20;
const TIDY_MS = 200;

export interface RepliesParts {
  readonly fleet: Fleet;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Ports['log'];
  readonly answered: (attempts: readonly number[], reply: Reply) => void;
}

/** Hands over what workers send to this gateway, as it comes: a blocking read of its own stream, which survives a lost connection. */
export function createReplies({ fleet, url, clock, log, answered }: RepliesParts): { close(): Promise<void> } {
  const reader = connectRedis(url, log);
  const ended = new AbortController();

  /** The stream of who we are now. Sent before any job of ours: they share the connection. */
  function open(): void {
    const key = repliesKey(fleet.id);
    const opened = Promise.all([fleet.redis.xadd(key, '*', 'begun', ''), fleet.redis.pexpire(key, KEPT_MS)]);
    opened.catch((error) => log('warn', 'engine: no stream of replies', { reason: String(error) }));
  }
  const unwatch = fleet.watch((event) => {
    if (event === 'up') open();
    if (event === 'down') reader.disconnect(true);
  });
  open();

  async function read(): Promise<void> {
    // its failure is told as an error event, and it tries again
    reader.connect().catch(() => undefined);
    while (!ended.signal.aborted) {
      if (!fleet.up || reader.status !== 'ready') {
        await clock.sleep(PAUSE_MS, ended.signal);
        continue;
      }
      const { id } = fleet;
      let after = '0';
      let tidiedAt = 0;
      while (fleet.up && fleet.id === id && !ended.signal.aborted) {
        const got = await reader.xread('COUNT', AT_ONCE, 'BLOCK', BLOCK_MS, 'STREAMS', repliesKey(id), after).catch(() => undefined);
        if (got === undefined) break;
        const entries = got?.[0]?.[1] ?? [];
        for (const [entry, fields] of entries) {
          after = entry;
          if (fields[0] === 'r') deliver(fields[1] ?? '');
        }
        if (clock.now() - tidiedAt < TIDY_MS) continue;
        tidiedAt = clock.now();
        // what was read is dropped; a failure of this is mended by the next one
        fleet.redis.xtrim(repliesKey(id), 'MINID', after).catch(() => undefined);
        fleet.redis.pexpire(repliesKey(id), KEPT_MS).catch(() => undefined);
      }
    }
  }
  function deliver(text: string): void {
    const { n, r } = JSON.parse(text) as { n: number[]; r: Reply };
    answered(n, r);
  }
  const reading = read();

  return {
    async close() {
      unwatch();
      ended.abort('closed');
      reader.disconnect();
      await reading;
      if (fleet.up) await fleet.redis.del(repliesKey(fleet.id)).catch(() => undefined); // it expires anyway
    },
  };
}
