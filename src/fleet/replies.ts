import type { FleetTools } from './channels.ts';
import { decodeReply, type Reply, repliesKey } from './codec.ts';
import { connectRedis } from './redis.ts';

const BLOCK_MS = 4_000;
const BATCH = 256;
/** The stream of a gateway that stopped expires after this. */
const RETENTION_MS = 15_000;
const PAUSE_MS = 20;
const TRIM_MS = 200;

/** Reads the replies of workers from this gateway's stream (blocking XREAD on a connection of its own) and reconnects when it is lost. */
export function createReplies({ fleet, clock, log }: FleetTools, url: string, answered: (attempt: number, reply: Reply) => void) {
  const reader = connectRedis(url, log);
  const ended = new AbortController();

  /** Creates the stream of the current id. Sent before any job of this gateway, because they share the connection. */
  function open(): void {
    const key = repliesKey(fleet.id);
    const opened = Promise.all([fleet.redis.xadd(key, '*', 'opened', ''), fleet.redis.pexpire(key, RETENTION_MS)]);
    opened.catch((error) => log('warn', 'fleet: stream of replies not opened', { reason: String(error) }));
  }
  const unwatch = fleet.watch((event) => {
    if (event === 'up') open();
    if (event === 'down') reader.disconnect(true);
  });
  open();

  async function read(): Promise<void> {
    // a failure is logged by the error event; ioredis connects again
    reader.connect().catch(() => undefined);
    while (!ended.signal.aborted) {
      if (!fleet.up || reader.status !== 'ready') {
        await clock.sleep(PAUSE_MS, ended.signal);
        continue;
      }
      const { id } = fleet;
      let after = '0';
      let trimmedAt = 0;
      while (fleet.up && fleet.id === id && !ended.signal.aborted) {
        const got = await reader.xreadBuffer('COUNT', BATCH, 'BLOCK', BLOCK_MS, 'STREAMS', repliesKey(id), after).catch(() => undefined);
        if (got === undefined) break;
        const entries = got?.[0]?.[1] ?? [];
        for (const [entry, fields] of entries) {
          after = entry.toString();
          const [name, reply] = fields;
          if (reply && name?.toString() === 'r') deliver(reply);
        }
        if (clock.now() - trimmedAt < TRIM_MS) continue;
        trimmedAt = clock.now();
        // entries that were read are trimmed; a failure is repaired by the next trim
        fleet.redis.xtrim(repliesKey(id), 'MINID', after).catch(() => undefined);
        fleet.redis.pexpire(repliesKey(id), RETENTION_MS).catch(() => undefined);
      }
    }
  }
  function deliver(encoded: Buffer): void {
    try {
      const { attempt, reply } = decodeReply(encoded);
      answered(attempt, reply);
    } catch (error) {
      log('warn', 'fleet: unreadable reply', { reason: String(error) });
    }
  }
  const reading = read();

  return {
    async close(): Promise<void> {
      unwatch();
      ended.abort('closed');
      reader.disconnect();
      await reading;
      if (fleet.up) await fleet.redis.del(repliesKey(fleet.id)).catch(() => undefined); // it expires anyway
    },
  };
}
