import { type Job, type Queue, Worker } from 'bullmq';
import type { OperationId, Resources } from '../contract/operations/index.ts';
import { DefectError, type Engine } from '../orchestrator/engine.ts';
import { createLocalEngine } from '../orchestrator/local-engine.ts';
import { type Outcome, timeout } from '../sources/outcome.ts';
import { nameOf, type Ports, type Source } from '../sources/source.ts';
import { type CallerOf, callerOf, callersKey, type JobData, PREFIX, queueOf, type Reply, repliesKey, takeCallers } from './codec.ts';
import type { Fleet } from './membership.ts';
import { openQueue, prepareQueues } from './queue.ts';
import { connectRedis, reasonOf } from './redis.ts';

/** A killed worker's job is free once its lock is over and a check has seen it: within 5 s. */
const LOCK_MS = 3_000;
const RENEW_MS = 1_000;
const STALLED_CHECK_MS = 1_000;
/** After a failure of Redis. */
const RETRY_MS = 200;
/** Callers decide how long a job lives, not how many workers died on it. */
const MAX_TAKEOVERS = 1_000;
/** What was cut off may take this long to be given back. */
const CUT_OFF_MS = 300;
const REPLIES_KEPT = 10_000;
/** Late callers of many jobs are looked for at once. */
const LATE_CALLERS_MS = 5;
/** BullMQ's workers wait for Redis to come back by themselves, and want a connection that does so too. */
const BULLMQ_WAITS = {
  maxRetriesPerRequest: null,
  enableOfflineQueue: true,
  autoResendUnfulfilledCommands: true,
  enableAutoPipelining: true,
} as const;

export interface WorkersParts {
  readonly fleet: Fleet;
  readonly url: string;
  readonly sources: readonly Source[];
  readonly ports: Ports;
  /** Attempts at a source that this process runs at one time. */
  readonly concurrency: (source: string) => number;
  /** Attempts at a source over the whole fleet at one time; null: no limit. */
  readonly globalConcurrency: (source: string) => number | null;
  /** Told as an attempt begins (null) and ends. */
  readonly watch?: (source: string, ended: { tag: string; ms: number } | null) => void;
}
export interface Workers {
  /** Attempts that run now. */
  readonly running: () => number;
  /** Takes no more and lets what runs finish, for `waitMs` at most: what is cut off is taken by another worker. */
  close(waitMs: number): Promise<void>;
}

/** Takes attempts from the queues of these sources. What runs is given up at once where Redis or the job's lock is lost: another has it then. */
export async function startWorkers(parts: WorkersParts): Promise<Workers> {
  await prepareQueues(parts.fleet, parts.ports.log);
  const { fleet, sources, ports } = parts;
  const { clock, log } = ports;
  const engine = createLocalEngine(sources, ports);
  const connection = connectRedis(parts.url, log, BULLMQ_WAITS);
  const allSourceWorkers = sources.map((source) => sourceWorkers(nameOf(source), parts, engine, connection));
  const hands = allSourceWorkers.flatMap((s) => s.hands);

  const settle = (): void => {
    for (const { queue, source } of allSourceWorkers) limit(queue, parts.globalConcurrency(source)).catch((error) => told(source, error));
  };
  const told = (source: string, error: unknown): void => log('warn', 'engine: worker', { source, reason: reasonOf(error) });
  const unwatch = fleet.watch((event) => {
    // the limit is kept by Redis, which may have been restarted empty
    if (event === 'up') settle();
    if (event === 'down') for (const hand of hands) hand.cancelAllJobs('Redis went away');
  });
  settle();

  return {
    running: () => allSourceWorkers.reduce((sum, s) => sum + s.running(), 0),
    async close(waitMs) {
      unwatch();
      const over = new AbortController();
      const unwatchClosing = fleet.watch((event) => event === 'down' && over.abort('Redis went away'));
      const closing = Promise.all(hands.map((hand) => hand.close())).then(() =>
        Promise.all(allSourceWorkers.map(({ queue }) => queue.close())),
      );
      const closed = closing.then(
        () => over.abort('closed'),
        (error) => told('all of them', error),
      );
      // what runs can tell nobody without Redis
      if (fleet.up) await clock.sleep(waitMs, over.signal);
      unwatchClosing();
      for (const hand of hands) hand.cancelAllJobs('the process ends');
      // BullMQ would wait for Redis for ever
      const late = new AbortController();
      await Promise.race([closed, clock.sleep(CUT_OFF_MS, late.signal)]);
      late.abort('closed');
      for (const hand of hands) hand.disconnect().catch((error) => told('all of them', error));
      connection.disconnect();
    },
  };
}

async function limit(queue: Queue<JobData>, most: number | null): Promise<void> {
  if (most !== null) await queue.setGlobalConcurrency(most);
  else if ((await queue.getGlobalConcurrency()) !== null) await queue.removeGlobalConcurrency();
}

interface SourceWorkers {
  readonly source: string;
  readonly hands: readonly Worker<JobData>[];
  readonly queue: Queue<JobData>;
  readonly running: () => number;
}

/** One source's place of work: its queue, and this process's hand in it. */
function sourceWorkers(source: string, parts: WorkersParts, engine: Engine, connection: ReturnType<typeof connectRedis>): SourceWorkers {
  const { fleet, ports } = parts;
  const queue = openQueue(source, fleet, ports.log);
  let running = 0;

  async function callersOf(key: string): Promise<readonly CallerOf[]> {
    const all = (await fleet.redis.smembers(key)).map(callerOf);
    // one that came a moment ago may not have been seen yet
    if (all.some((c) => !fleet.hasGateway(c.gatewayId))) await fleet.look();
    return all.filter((c) => fleet.hasGateway(c.gatewayId));
  }

  async function work(job: Job<JobData>, signal: AbortSignal | undefined): Promise<void> {
    const key = callersKey(source, job.id ?? '');
    const callers = await callersOf(key);
    if (!callers.length) return void (await fleet.redis.del(key)); // whoever asked is gone
    const leftMs = Math.max(...callers.map((c) => c.untilMs)) - fleet.now();
    parts.watch?.(source, null);
    const began = ports.clock.now();
    const reply = await attempt(job.data, leftMs, signal);
    parts.watch?.(source, { tag: 'defect' in reply ? 'defect' : reply.outcome.tag, ms: ports.clock.now() - began });
    // given up here: it is somebody else's, who will answer
    if (!signal?.aborted) await answer(key, callers, reply);
  }

  async function attempt({ operation, input, account }: JobData, leftMs: number, signal: AbortSignal | undefined): Promise<Reply> {
    if (leftMs <= 0) return { outcome: timeout('The source did not answer in time.') };
    try {
      const outcome = (await engine.attempt({
        source,
        operation,
        input,
        leftMs,
        ...(signal && { signal }),
        ...(account !== undefined && { account }),
      })) as Outcome<Resources[OperationId]>;
      return { outcome };
    } catch (error) {
      if (!(error instanceof DefectError)) throw error;
      ports.log('warn', 'engine: a source threw', { source, error: error.stack ?? error.message });
      return { defect: error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause) };
    }
  }

  /** Those who are known already and those who joined meanwhile: each is told once. Before the job ends, so that a kill here loses no reply. */
  async function answer(key: string, known: readonly CallerOf[], reply: Reply): Promise<void> {
    const text = JSON.stringify(reply);
    const send = (callers: readonly CallerOf[]): Promise<unknown>[] => {
      const byGateway = Map.groupBy(callers, (c) => c.gatewayId);
      return [...byGateway].map(([gatewayId, theirs]) => {
        const body = `{"n":${JSON.stringify(theirs.map((c) => c.attempt))},"r":${text}}`;
        return fleet.redis.xadd(repliesKey(gatewayId), 'NOMKSTREAM', 'MAXLEN', '~', REPLIES_KEPT, '*', 'r', body);
      });
    };
    const [all] = await Promise.all([takeCallers(fleet.redis, [key], []), ...send(known)]);
    const told = new Set(known.map((c) => `${c.gatewayId} ${c.attempt}`));
    await Promise.all(send((all as string[]).map(callerOf).filter((c) => !told.has(`${c.gatewayId} ${c.attempt}`))));
  }

  let ended: Job<JobData>[] = [];
  /** Who called after the callers were taken and before the job was gone was swallowed by it: the job is put there again, for them. */
  async function again(job: Job<JobData>): Promise<void> {
    ended.push(job);
    if (ended.length > 1) return;
    await ports.clock.sleep(LATE_CALLERS_MS);
    const jobs = ended;
    ended = [];
    const late = (some: readonly Job<JobData>[]) => fleet.redis.exists(...some.map((j) => callersKey(source, j.id ?? '')));
    if (!(await late(jobs))) return;
    for (const j of jobs) if (await late([j])) await queue.add(j.name, j.data, { ...(j.id !== undefined && { jobId: j.id }) });
  }

  const process = async (job: Job<JobData>, _token: string | undefined, signal: AbortSignal | undefined): Promise<void> => {
    running++;
    try {
      await work(job, signal);
    } finally {
      running--;
    }
  };
  const told = (error: unknown): void => ports.log('warn', 'engine: worker', { source, reason: reasonOf(error) });
  const hand = (concurrency: number): Worker<JobData> => {
    const worker = new Worker<JobData>(queueOf(source), process, {
      connection,
      prefix: PREFIX,
      concurrency,
      lockDuration: LOCK_MS,
      lockRenewTime: RENEW_MS,
      stalledInterval: STALLED_CHECK_MS,
      maxStalledCount: MAX_TAKEOVERS,
      runRetryDelay: RETRY_MS,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    worker.setMaxListeners(0);
    worker.on('error', told);
    worker.on('completed', (job) => void again(job).catch(told));
    worker.on('failed', (job) => void (job && again(job).catch(told)));
    worker.on('lockRenewalFailed', (ids) => {
      for (const id of ids) worker.cancelJob(id, 'the lock was lost');
    });
    return worker;
  };
  return { source, hands: shares(parts.concurrency(source)).map(hand), queue, running: () => running };
}

/** A BullMQ worker fetches one job after the other: above this many at one time it takes several to fetch as fast as they end. */
const HANDFUL = 25;
function shares(concurrency: number): readonly number[] {
  const many = Math.min(8, Math.ceil(concurrency / HANDFUL));
  return Array.from({ length: many }, (_, i) => Math.floor((concurrency + i) / many));
}
