import { Queue } from 'bullmq';
import type { OperationId } from '../contract/operations/index.ts';
import { type AttemptOutcome, DefectError, type Engine, EngineAwayError, type Work } from '../orchestrator/engine.ts';
import { after } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import { timeout } from '../sources/outcome.ts';
import type { FleetTools } from './channels.ts';
import type { Leads } from './leads.ts';
import type { Fleet } from './membership.ts';
import { connectRedis, redisReason } from './redis.ts';
import { PREFIX, repliesKey } from './wire/keys.ts';
import { decodeReply, type JobData, type Reply, VERSION } from './wire/messages.ts';

/** A worker ends an attempt at its deadline; its reply may take this long. */
const GRACE_MS = 250;
/** A job that a lost worker still has locked is withdrawn by a later try. */
const WITHDRAW_EVERY_MS = 1_000;
const MAX_PRIORITY = 2_097_152;
/** Length of BullMQ's stream of events, which is not used: results come through the stream of replies. */
const MAX_EVENTS = 100;

interface Waiting extends Pick<Work, 'source'> {
  readonly queue: string;
  /** Null: no reply is waited for any longer. */
  readonly end: (reply: Reply | null) => void;
  readonly fail: (error: Error) => void;
}
/** Runs attempts on the workers, one BullMQ job each. They fail at once when Redis or the last worker of their queue becomes unavailable. */
export async function createBullEngine(parts: FleetTools & { readonly url: string; readonly leads: Pick<Leads, 'of'> }): Promise<Engine> {
  const { fleet, url, clock, log, leads } = parts;
  const outage = createOutage(clock, log, 'fleet: queue failed', 'fleet: queue works again');
  await prepareQueue(fleet, outage);
  const queues = new Map<string, Queue<JobData>>();
  const waiting = new Map<number, Waiting>();
  const ended = new AbortController();
  let last = 0;

  const failAll = (why: (w: Waiting) => string | null): void => {
    for (const w of [...waiting.values()]) {
      const reason = why(w);
      if (reason !== null) w.fail(unavailable(reason));
    }
  };
  const unsubscribe = fleet.subscribe((event) => {
    if (event === 'up') outage.worked();
    if (event === 'down') failAll(() => REDIS_UNAVAILABLE);
    if (event === 'members') failAll((w) => (fleet.isServed(w.queue) ? null : noWorker(w.source)));
  });
  const replies = createReplies({ fleet, clock, log }, url, (attempt, reply) => waiting.get(attempt)?.end(reply));
  const opened = (name: string): Queue<JobData> => {
    const queue = queues.get(name) ?? openQueue(name, fleet, outage);
    queues.set(name, queue);
    return queue;
  };

  /** An account's first attempt goes before another's second: BullMQ takes lower numbers first. */
  const priorityOf = (work: Work): number => Math.max(1, Math.min(counts.get(sourceAndAccount(work)) ?? 0, MAX_PRIORITY));
  /** Attempts that wait, by source and account. */
  const counts = new Map<string, number>();
  function count(work: Work, more: 1 | -1): void {
    const place = sourceAndAccount(work);
    const left = (counts.get(place) ?? 0) + more;
    if (left > 0) counts.set(place, left);
    else counts.delete(place);
  }

  const jobIdOf = (attempt: number): string => `${fleet.id}-${attempt}`;
  function add(work: Work, queue: string, attempt: number): Promise<unknown> {
    const { source, operation, input, leftMs, account, requestId, cacheKey } = work;
    const address = { gatewayId: fleet.id, attempt };
    const untilMs = Math.ceil(fleet.now() + leftMs);
    const lead = cacheKey === undefined ? null : leads.of(cacheKey);
    const data: JobData = { v: VERSION, ...address, operation, input, untilMs, account, requestId, lead };
    return opened(queue).add(source, data, { jobId: jobIdOf(attempt), priority: priorityOf(work) });
  }

  /** Takes back the job of an attempt that was given up, so that no worker makes it beside the next one for the same cache key. */
  async function withdraw(added: Promise<unknown>, queue: string, jobId: string, untilMs: number): Promise<void> {
    await added.catch(() => undefined);
    // workers drop jobs whose deadline is over
    while (!ended.signal.aborted && fleet.now() < untilMs) {
      const removed =
        fleet.up &&
        (await opened(queue)
          .remove(jobId)
          .catch(() => 0));
      if (removed === 1) return;
      await clock.sleep(WITHDRAW_EVERY_MS, ended.signal);
    }
  }

  async function attempt<Id extends OperationId>(work: Work<Id>): Promise<AttemptOutcome> {
    if (!fleet.up) throw unavailable(REDIS_UNAVAILABLE);
    const queue = fleet.queueFor(work.source);
    if (queue === null) throw unavailable(noWorker(work.source));
    const n = ++last;
    const replied = new Promise<Reply | null>((end, fail) => waiting.set(n, { source: work.source, queue, end, fail }));
    count(work, 1);
    const abandon = (): void => waiting.get(n)?.end(null);
    const cancel = after(clock, work.leftMs + GRACE_MS + 2 * fleet.roundTripMs, abandon);
    work.signal?.addEventListener('abort', abandon, { once: true });
    if (work.signal?.aborted) abandon();
    const jobId = jobIdOf(n);
    const untilMs = fleet.now() + work.leftMs;
    const added = add(work, queue, n);
    added.catch((error) => waiting.get(n)?.fail(unavailable(redisReason(error))));
    let reply: Reply | null = null;
    try {
      reply = await replied;
      if (reply === null) return timeout('The source did not answer in time.');
      if ('refused' in reply) throw unavailable(reply.refused);
      if ('defect' in reply) throw new DefectError(work.source, new Error(reply.defect));
      return reply.outcome;
    } finally {
      if (reply === null) void withdraw(added, queue, jobId, untilMs);
      waiting.delete(n);
      count(work, -1);
      cancel();
      work.signal?.removeEventListener('abort', abandon);
    }
  }

  return {
    attempt,
    async ready() {
      if (!fleet.up) throw new Error(REDIS_UNAVAILABLE);
    },
    async close() {
      unsubscribe();
      ended.abort('closed');
      failAll(() => 'the process ends');
      await replies.close();
      for (const queue of queues.values()) await queue.close();
    },
  };
}

const sourceAndAccount = ({ source, account }: Pick<Work, 'source' | 'account'>): string => `${source} ${account ?? ''}`;

const REDIS_UNAVAILABLE = 'Redis is unavailable (REDIS_URL)';
const noWorker = (source: string): string => `no worker takes ${source} (sightline worker)`;
const unavailable = (detail: string): EngineAwayError =>
  new EngineAwayError('The part of the service that asks sources cannot be reached now; nothing was charged.', detail);

function openQueue(name: string, fleet: Fleet, outage: Outage): Queue<JobData> {
  const queue = new Queue<JobData>(name, {
    connection: fleet.redis,
    prefix: PREFIX,
    streams: { events: { maxLen: MAX_EVENTS } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.setMaxListeners(0);
  queue.on('error', (error) => outage.failed(redisReason(error)));
  return queue;
}

/** Lets BullMQ define its scripts on the connection before the first job. */
async function prepareQueue(fleet: Fleet, outage: Outage): Promise<void> {
  const first = openQueue('none', fleet, outage);
  await first.waitUntilReady();
  await first.close();
}

const BLOCK_MS = 4_000;
const BATCH = 256;
/** The stream of a gateway that stopped expires after this. */
const RETENTION_MS = 15_000;
const RETRY_MS = 20;
const TRIM_MS = 200;

/** Reads the replies of workers from this gateway's stream (blocking XREAD on a connection of its own) and reconnects when it is lost. */
function createReplies({ fleet, clock, log }: FleetTools, url: string, answered: (attempt: number, reply: Reply) => void) {
  const reader = connectRedis(url, log);
  const ended = new AbortController();

  /** Creates the stream of the current id. Sent before any job of this gateway, because they share the connection. */
  function open(): void {
    const key = repliesKey(fleet.id);
    const opened = Promise.all([fleet.redis.xadd(key, '*', 'opened', ''), fleet.redis.pexpire(key, RETENTION_MS)]);
    opened.catch((error) => log('warn', 'fleet: stream of replies not opened', { reason: String(error) }));
  }
  const unsubscribe = fleet.subscribe((event) => {
    if (event === 'up') open();
    if (event === 'down') reader.disconnect(true);
  });
  open();

  async function read(): Promise<void> {
    // a failure is logged by the error event; ioredis connects again
    reader.connect().catch(() => undefined);
    while (!ended.signal.aborted) {
      if (!fleet.up || reader.status !== 'ready') {
        await clock.sleep(RETRY_MS, ended.signal);
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
      unsubscribe();
      ended.abort('closed');
      reader.disconnect();
      await reading;
      if (fleet.up) await fleet.redis.del(repliesKey(fleet.id)).catch(() => undefined); // it expires anyway
    },
  };
}
