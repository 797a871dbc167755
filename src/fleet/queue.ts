import { Queue } from 'bullmq';
import type { OperationId } from '../contract/operations/index.ts';
import { type AttemptOutcome, DefectError, type Engine, EngineAwayError, type Work } from '../orchestrator/engine.ts';
import { after } from '../runtime/clock.ts';
import { timeout } from '../sources/outcome.ts';
import type { FleetTools } from './channels.ts';
import { type JobData, PREFIX, type Reply, VERSION } from './codec.ts';
import type { Fleet } from './membership.ts';
import { type RedisLog, reasonOf } from './redis.ts';
import { createReplies } from './replies.ts';

/** A worker ends an attempt at its deadline; its reply may take this long. */
const GRACE_MS = 250;
const MAX_PRIORITY = 2_097_152;
/** Length of BullMQ's stream of events, which is not used: results come through the stream of replies. */
const MAX_EVENTS = 100;

interface Waiting extends Pick<Work, 'source' | 'account'> {
  readonly queue: string;
  /** Null: no reply is waited for any longer. */
  readonly end: (reply: Reply | null) => void;
  readonly fail: (error: Error) => void;
}
/** Runs attempts on the workers, one BullMQ job each. They fail at once when Redis or the last worker of their queue becomes unavailable. */
export async function createBullEngine({ fleet, url, clock, log }: FleetTools & { readonly url: string }): Promise<Engine> {
  await prepareQueue(fleet, log);
  const queues = new Map<string, Queue<JobData>>();
  const waiting = new Map<number, Waiting>();
  let last = 0;

  const failAll = (why: (w: Waiting) => string | null): void => {
    for (const w of [...waiting.values()]) {
      const reason = why(w);
      if (reason !== null) w.fail(unavailable(reason));
    }
  };
  const unwatch = fleet.watch((event) => {
    if (event === 'down') failAll(() => REDIS_UNAVAILABLE);
    if (event === 'members') failAll((w) => (fleet.isServed(w.queue) ? null : noWorker(w.source)));
  });
  const replies = createReplies({ fleet, clock, log }, url, (attempt, reply) => waiting.get(attempt)?.end(reply));
  const opened = (name: string): Queue<JobData> => {
    const queue = queues.get(name) ?? openQueue(name, fleet, log);
    queues.set(name, queue);
    return queue;
  };

  /** An account's first attempt goes before another's second: BullMQ takes lower numbers first. */
  const priorityOf = ({ source, account }: Work): number => {
    let sameAccount = 0;
    for (const w of waiting.values()) if (w.source === source && w.account === account) sameAccount++;
    return Math.max(1, Math.min(sameAccount, MAX_PRIORITY));
  };

  const jobIdOf = (attempt: number): string => `${fleet.id}-${attempt}`;
  function add(work: Work, queue: string, attempt: number): Promise<unknown> {
    const { source, operation, input, leftMs, account, requestId } = work;
    const address = { gatewayId: fleet.id, attempt };
    const untilMs = Math.ceil(fleet.now() + leftMs);
    const data: JobData = { v: VERSION, ...address, operation, input, untilMs, account, requestId };
    return opened(queue).add(source, data, { jobId: jobIdOf(attempt), priority: priorityOf(work) });
  }

  async function attempt<Id extends OperationId>(work: Work<Id>): Promise<AttemptOutcome> {
    if (!fleet.up) throw unavailable(REDIS_UNAVAILABLE);
    const queue = fleet.queueFor(work.source);
    if (queue === null) throw unavailable(noWorker(work.source));
    const n = ++last;
    const ended = new Promise<Reply | null>((end, fail) =>
      waiting.set(n, { source: work.source, queue, account: work.account, end, fail }),
    );
    const abandon = (): void => waiting.get(n)?.end(null);
    const cancel = after(clock, work.leftMs + GRACE_MS + 2 * fleet.roundTripMs, abandon);
    work.signal?.addEventListener('abort', abandon, { once: true });
    if (work.signal?.aborted) abandon();
    try {
      const jobId = jobIdOf(n);
      add(work, queue, n).catch((error) => waiting.get(n)?.fail(unavailable(reasonOf(error))));
      const reply = await ended;
      if (reply === null) {
        // workers drop jobs whose deadline is over
        if (work.signal?.aborted)
          opened(queue)
            .remove(jobId)
            .catch(() => undefined);
        return timeout('The source did not answer in time.');
      }
      if ('refused' in reply) throw unavailable(reply.refused);
      if ('defect' in reply) throw new DefectError(work.source, new Error(reply.defect));
      return reply.outcome;
    } finally {
      waiting.delete(n);
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
      unwatch();
      failAll(() => 'the process ends');
      await replies.close();
      for (const queue of queues.values()) await queue.close();
    },
  };
}

const REDIS_UNAVAILABLE = 'Redis is unavailable (REDIS_URL)';
const noWorker = (source: string): string => `no worker takes ${source} (sightline worker)`;
const unavailable = (detail: string): EngineAwayError =>
  new EngineAwayError('The part of the service that asks sources cannot be reached now; nothing was charged.', detail);

/** A queue on the fleet's own connection. Finished jobs are removed. */
function openQueue(name: string, fleet: Fleet, log: RedisLog): Queue<JobData> {
  const queue = new Queue<JobData>(name, {
    connection: fleet.redis,
    prefix: PREFIX,
    streams: { events: { maxLen: MAX_EVENTS } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  queue.setMaxListeners(0);
  queue.on('error', (error) => log('warn', 'fleet: queue failed', { reason: reasonOf(error) }));
  return queue;
}

/** Lets BullMQ define its scripts on the connection before the first job. */
async function prepareQueue(fleet: Fleet, log: RedisLog): Promise<void> {
  const first = openQueue('none', fleet, log);
  await first.waitUntilReady();
  await first.close();
}
