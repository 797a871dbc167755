import { Queue } from 'bullmq';
import type { OperationId, Resources } from '../contract/operations/index.ts';
import { DefectError, type Engine, EngineAwayError, type Work } from '../orchestrator/engine.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Outcome, timeout } from '../sources/outcome.ts';
import type { Ports } from '../sources/source.ts';
import { callersKey, callerText, type JobData, jobIdOf, PREFIX, queueOf, type Reply } from './codec.ts';
import type { Fleet } from './membership.ts';
import { reasonOf } from './redis.ts';
import { createReplies } from './replies.ts';

/** A worker ends an attempt at its deadline; its word of that may take this long. */
const GRACE_MS = 250;
const MAX_PRIORITY = 2_097_152;
/** The queue's own log of events is read by nobody: results come by the stream of replies. */
const EVENTS_KEPT = 100;

interface Waiting {
  readonly source: string;
  readonly account: string | undefined;
  readonly answer: (reply: Reply) => void;
  readonly fail: (error: Error) => void;
}
export interface BullEngineParts {
  readonly fleet: Fleet;
  readonly url: string;
  readonly clock: Clock;
  readonly log: Ports['log'];
}

/**
 * Attempts made by the workers of the fleet: BullMQ, a queue per source, a job per attempt. The same question at the same source is one job,
 * whichever gateways ask. Who waits fails at once when Redis goes, or the last worker of the source.
 */
export async function createBullEngine({ fleet, url, clock, log }: BullEngineParts): Promise<Engine> {
  await prepareQueues(fleet, log);
  const queues = new Map<string, Queue<JobData>>();
  const waiting = new Map<number, Waiting>();
  let last = 0;

  const failAll = (why: (w: Waiting) => string | null): void => {
    for (const w of [...waiting.values()]) {
      const reason = why(w);
      if (reason !== null) w.fail(away(reason));
    }
  };
  const unwatch = fleet.watch((event) => {
    if (event === 'down') failAll(() => REDIS_AWAY);
    if (event === 'members') failAll((w) => (fleet.finishes(w.source) ? null : noWorker(w.source)));
  });
  const replies = createReplies({
    fleet,
    url,
    clock,
    log,
    answered: (attempts, reply) => {
      for (const n of attempts) waiting.get(n)?.answer(reply);
    },
  });
  const queue = (source: string): Queue<JobData> => {
    const made = queues.get(source) ?? openQueue(source, fleet, log);
    queues.set(source, made);
    return made;
  };

  /** An account's first attempt goes before another's second: BullMQ takes lower numbers first. */
  const placeOf = ({ source, account }: Work): number => {
    let theirs = 0;
    for (const w of waiting.values()) if (w.source === source && w.account === account) theirs++;
    return Math.max(1, Math.min(theirs, MAX_PRIORITY));
  };

  /** Puts the job there, or joins it where it is there already. Gives the way to leave it. */
  function enter(work: Work, attempt: number): { entered: Promise<unknown>; leave: () => void } {
    const { source, operation, input, leftMs, account } = work;
    const shared = jobIdOf(operation, input);
    const jobId = work.unshared ? `${shared}-${fleet.id}-${attempt}` : shared;
    const key = callersKey(source, jobId);
    const caller = callerText({ gatewayId: fleet.id, attempt, untilMs: fleet.now() + leftMs });
    // over one connection in this order: no worker sees a job before its caller
    const entered = Promise.all([
      fleet.redis.sadd(key, caller),
      queue(source).add(operation, { operation, input, ...(account !== undefined && { account }) }, { jobId, priority: placeOf(work) }),
    ]);
    // a job without callers is dropped by whoever takes it
    return { entered, leave: () => void fleet.redis.srem(key, caller).catch(() => undefined) };
  }

  async function attempt<Id extends OperationId>(work: Work<Id>): Promise<Outcome<Resources[Id]>> {
    if (!fleet.up) throw away(REDIS_AWAY);
    if (!fleet.serves(work.source)) throw away(noWorker(work.source));
    const n = ++last;
    const done = new AbortController();
    const replied = new Promise<Reply>((answer, fail) => waiting.set(n, { source: work.source, account: work.account, answer, fail }));
    const over = clock.sleep(work.leftMs + GRACE_MS + 2 * fleet.roundTripMs, done.signal).then(() => null);
    const gone = () => done.abort('gone');
    work.signal?.addEventListener('abort', gone, { once: true });
    if (work.signal?.aborted) gone();
    try {
      const { entered, leave } = enter(work, n);
      entered.catch((error) => waiting.get(n)?.fail(away(reasonOf(error))));
      const reply = await Promise.race([replied, over]);
      if (reply === null) {
        leave();
        return timeout('The source did not answer in time.');
      }
      if ('defect' in reply) throw new DefectError(work.source, new Error(reply.defect));
      return reply.outcome as Outcome<Resources[Id]>;
    } finally {
      waiting.delete(n);
      done.abort('done');
      work.signal?.removeEventListener('abort', gone);
    }
  }

  return {
    attempt,
    async ready() {
      if (!fleet.up) throw new Error(REDIS_AWAY);
    },
    async close() {
      unwatch();
      failAll(() => 'the process ends');
      await replies.close();
      for (const made of queues.values()) await made.close();
    },
  };
}

const REDIS_AWAY = 'Redis is away (REDIS_URL)';
const noWorker = (source: string): string => `no worker takes ${source} (sightline worker)`;
const away = (detail: string): EngineAwayError =>
  new EngineAwayError(
    'The part of the service that asks sources cannot be reached now; nothing was charged. Ask again in a moment.',
    detail,
  );

/** The queue of a source, on the fleet's own connection. Finished jobs are not kept: a kept one would swallow the next of its id. */
export function openQueue(source: string, fleet: Fleet, log: Ports['log']): Queue<JobData> {
  const made = new Queue<JobData>(queueOf(source), {
    connection: fleet.redis,
    prefix: PREFIX,
    streams: { events: { maxLen: EVENTS_KEPT } },
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  made.setMaxListeners(0);
  made.on('error', (error) => log('warn', 'engine: queue', { source, reason: reasonOf(error) }));
  return made;
}

/** BullMQ defines its scripts on a connection when its first queue opens: a batch of commands must not be under way then. */
export async function prepareQueues(fleet: Fleet, log: Ports['log']): Promise<void> {
  const first = openQueue('none', fleet, log);
  await first.waitUntilReady();
  await first.close();
}
