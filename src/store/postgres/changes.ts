import pg from 'pg';
import type { Clock } from '../../runtime/clock.ts';
import { KEY_CHANNEL } from '../changes.ts';
import type { KeyChanges, StoreLog } from '../store.ts';
import { reasonOf } from '../unavailable.ts';

const POLL_MS = 400;
/** A counter that was read longer ago than this is stale. */
const FRESH_MS = 1_000;

/** Watches key changes by LISTEN and by polling a counter: the poll finds a change whose notification was lost with a connection. */
export function watchKeyChanges(
  config: pg.ClientConfig,
  clock: Clock,
  log: StoreLog,
  poll: () => Promise<number>,
): KeyChanges & { close(): Promise<void> } {
  const ending = new AbortController();
  const { signal } = ending;
  const running: Promise<void>[] = [];
  const listeners: ((hash: string | null) => void)[] = [];
  const notify = (hash: string | null): void => {
    for (const listener of listeners) listener(hash);
  };
  let client: pg.Client | null = null;
  let seen: number | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;

  async function pollOn(): Promise<void> {
    while (!signal.aborted) {
      const asked = clock.now();
      try {
        const n = await poll();
        if (n !== seen) notify(null);
        seen = n;
        seenAt = asked;
      } catch (error) {
        if (!signal.aborted) log('warn', 'store: key changes cannot be asked for', { reason: reasonOf(error) });
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

  async function listenOn(): Promise<void> {
    while (!signal.aborted) {
      const made = new pg.Client({ ...config, statement_timeout: 0, query_timeout: 0 });
      client = made;
      const lost = new Promise<unknown>((resolve) => {
        made.on('error', resolve);
        made.on('end', () => resolve(null));
      });
      try {
        made.on('notification', ({ payload }) => notify(payload || null));
        // a client that ends while connecting reports it only by its event
        const connected = await Promise.race([made.connect().then(() => true), lost.then(() => false)]);
        if (connected) {
          await made.query(`listen ${KEY_CHANNEL}`);
          notify(null); // notifications sent before LISTEN are lost
          await lost;
        }
      } catch (error) {
        if (!signal.aborted) log('warn', 'store: nobody listens for key changes', { reason: reasonOf(error) });
      }
      leave(made);
      await clock.sleep(POLL_MS, signal);
    }
  }

  return {
    listen(changed) {
      listeners.push(changed);
      if (listeners.length === 1) running.push(pollOn(), listenOn());
    },
    fresh: () => clock.now() - seenAt < FRESH_MS,
    async close() {
      ending.abort();
      if (client) leave(client);
      await Promise.all(running);
    },
  };
}

/** Not awaited: the promise never settles if the connection has already ended; events report the end. */
const leave = (client: pg.Client): void => void client.end().catch(() => undefined);
