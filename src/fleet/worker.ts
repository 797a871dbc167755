import { type Job, Worker } from 'bullmq';
import { type AttemptRecorder, type Check, DefectError } from '../orchestrator/engine.ts';
import { createLocalEngine } from '../orchestrator/local-engine.ts';
import { atLongest } from '../runtime/clock.ts';
import { createOutage } from '../runtime/outage.ts';
import { repeat } from '../runtime/repeat.ts';
import { timeout } from '../sources/outcome.ts';
import type { Ports, Source } from '../sources/source.ts';
import { renewLead } from './leads.ts';
import type { Fleet } from './membership.ts';
import { connectRedis, redisReason } from './redis.ts';
import { PREFIX, queueOf, repliesKey } from './wire/keys.ts';
import { encodeReply, type JobData, type Reply, versionFault } from './wire/messages.ts';

/** BullMQ assigns a killed worker's job to another worker once its lock expired and the stalled check has run: within 5 s. */
const LOCK_MS = 3_000;
const RENEW_MS = 1_000;
const STALLED_CHECK_MS = 1_000;
const RETRY_MS = 200;
/** A job ends at its deadline, independent of the number of workers that crashed while they ran it. */
const MAX_TAKEOVERS = 1_000;
/** Time for aborted jobs to return to the queue when the process ends. */
const ABORT_MS = 300;
const MAX_REPLIES = 10_000;
/** A gateway that is lost renewed its leadership at most two of its three seconds ago. */
const RENEW_LEAD_MS = 500;
/** BullMQ's workers wait for Redis to reconnect, and require a connection that queues their commands until then. */
const BULLMQ_CONNECTION = { maxRetriesPerRequest: null, enableOfflineQueue: true, autoResendUnfulfilledCommands: true } as const;

export interface WorkerParts {
  readonly fleet: Fleet;
  readonly url: string;
  readonly sources: readonly Source[];
  readonly ports: Ports;
  /** Attempts that this process runs concurrently. How many reach a source is limited by its pace. */
  readonly concurrency: number;
  readonly check?: Check;
  readonly onAttempt?: (source: string, ended: { tag: string; ms: number } | null) => void;
  readonly recorder?: AttemptRecorder;
}

export type AttemptWorker = ReturnType<typeof startAttemptWorker>;

/** Runs the jobs of these sources. A running attempt is aborted if Redis or the job's lock is lost, because another worker then runs it. */
export function startAttemptWorker(parts: WorkerParts) {
  const { fleet, sources, ports, concurrency } = parts;
  const { clock, log } = ports;
  const engine = createLocalEngine(sources, ports, parts.recorder, parts.check);
  const connection = connectRedis(parts.url, log, BULLMQ_CONNECTION);

  async function isGatewayPresent(id: string): Promise<boolean> {
    // a gateway that joined recently may not be in the last list of members
    if (!fleet.hasGateway(id)) await fleet.refresh();
    return fleet.hasGateway(id);
  }
  // sent before the job ends: if this worker is killed in between, the job runs again and no reply is lost
  const send = (data: JobData, reply: Reply): Promise<unknown> =>
    fleet.redis.xadd(repliesKey(data.gatewayId), 'NOMKSTREAM', 'MAXLEN', '~', MAX_REPLIES, '*', 'r', encodeReply(data.attempt, reply));

  async function work({ name: source, data }: Job<JobData>, signal: AbortSignal | undefined): Promise<void> {
    const refused = versionFault('a job', data);
    if (refused !== null) {
      log('warn', 'fleet: job refused', { source, reason: refused });
      return void (await send(data, { refused }));
    }
    if (!(await isGatewayPresent(data.gatewayId))) return;
    parts.onAttempt?.(source, null);
    const began = clock.now();
    const renew = async (): Promise<number> => {
      if (data.lead) renewLead(fleet, data.lead);
      return RENEW_LEAD_MS;
    };
    const renewing = repeat(clock, renew, RENEW_LEAD_MS);
    const reply = await attempt(source, data, signal).finally(renewing.close);
    parts.onAttempt?.(source, { tag: 'outcome' in reply ? reply.outcome.tag : 'defect', ms: clock.now() - began });
    // aborted here: another worker runs the job and sends the reply
    if (!signal?.aborted) await send(data, reply);
  }

  async function attempt(source: string, data: JobData, signal: AbortSignal | undefined): Promise<Reply> {
    const { operation, input, account, requestId, untilMs } = data;
    const leftMs = untilMs - fleet.now();
    if (leftMs <= 0) return { outcome: timeout('The source did not answer in time.') };
    try {
      return { outcome: await engine.attempt({ source, operation, input, leftMs, signal, account, requestId }) };
    } catch (error) {
      if (!(error instanceof DefectError)) throw error;
      log('warn', 'fleet: a source threw', { source, error: error.stack ?? error.message });
      return { defect: error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : String(error.cause) };
    }
  }

  const worker = new Worker<JobData>(queueOf(sources.map((source) => source.id)), (job, _token, signal) => work(job, signal), {
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
  const outage = createOutage(clock, log, 'fleet: worker failed', 'fleet: worker works again');
  const logError = (error: unknown): void => outage.failed(redisReason(error));
  worker.setMaxListeners(0);
  worker.on('error', logError);
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'the lock was lost');
  });
  const unsubscribe = fleet.subscribe((event) => {
    if (event === 'up') outage.worked();
    if (event === 'down') worker.cancelAllJobs('Redis is unavailable');
  });

  return {
    /** Accepts no more jobs and waits up to `waitMs` for running ones. Jobs that are aborted then run again on another worker. */
    async close(waitMs: number): Promise<void> {
      unsubscribe();
      const over = new AbortController();
      const unsubscribeClosing = fleet.subscribe((event) => event === 'down' && over.abort('Redis is unavailable'));
      const closed = worker.close().then(() => over.abort('closed'), logError);
      // without Redis no reply can be sent
      if (fleet.up) await clock.sleep(waitMs, over.signal);
      unsubscribeClosing();
      worker.cancelAllJobs('the process ends');
      // BullMQ would wait for Redis without a limit
      await atLongest(clock, ABORT_MS, closed);
      worker.disconnect().catch(logError);
      connection.disconnect();
    },
  };
}
