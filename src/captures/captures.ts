import { Worker } from 'node:worker_threads';
import { atLongest, type Clock, DAY_MS, HOUR_MS } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import { createOutage, type OutageLog } from '../runtime/outage.ts';
import { repeat } from '../runtime/repeat.ts';
import type { Settings } from '../settings.ts';
import type { Exchange } from '../upstream/ports.ts';
import type { AttemptCapture, CapturedWork, EndedOutcome } from './capture.ts';
import { secretsOf } from './redaction.ts';
import type { WriterData, WriterReply, WriterRequest } from './writer-thread.ts';

export interface CapturesParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  readonly folder: string;
  readonly ownFolder?: string;
  readonly log: OutageLog;
  /** Whether one of these fields of the source, which have no value, is lost more often than usual. Default: none is. */
  readonly isLost?: (source: string, missing: readonly string[]) => boolean;
  readonly maxWaitingBytes?: number;
}
export type Captures = ReturnType<typeof createCaptures>;

const MAX_WAITING_BYTES = 67_108_864;
/** What a message takes besides its bodies, roughly. */
const MESSAGE_BYTES = 2_048;
const MAX_ATTEMPT_BYTES = 33_554_432;
const FIRST_TIDY_MS = 60_000;

/** Whether an outcome is evidence of a parser that does not understand its platform. */
const isFailure = (outcome: EndedOutcome): boolean => {
  if (outcome.tag === 'found') return (outcome.unread?.length ?? 0) > 0;
  if (outcome.tag === 'blocked') return !outcome.final && !outcome.known;
  return outcome.tag === 'changed' || outcome.tag === 'defect';
};

export function createCaptures(parts: CapturesParts) {
  const { settings, clock, random, newId, folder, ownFolder = folder, maxWaitingBytes = MAX_WAITING_BYTES } = parts;
  const counts = { written: 0, lost_queue: 0, lost_disk: 0, lost_size: 0, bytes: 0 };
  let closed = false;
  const idle: (() => void)[] = [];
  let thread: Worker | null = null;
  let waitingBytes = 0;
  let waiting = 0;
  let batch: WriterRequest[] = [];
  let transfers: ArrayBuffer[] = [];
  /** Values that captures must not hold: credentials may be entered and replaced while the process runs. */
  const secrets = new Set(secretsOf(settings));
  const outage = createOutage(clock, parts.log, 'captures: not written', 'captures: written again');

  function start(): Worker {
    const { SIGHTLINE_CAPTURE_MAX_BYTES: maxBytes, SIGHTLINE_CAPTURE_KEEP: days } = settings;
    const workerData: WriterData = { folder, ownFolder, maxBytes, keepMs: days * DAY_MS, version: VERSION, secrets: [...secrets] };
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { name: 'captures', execArgv: [], workerData });
    worker.unref();
    worker.on('message', ({ requests, weight, written, bytes, lost, failure }: WriterReply) => {
      counts.written += written;
      counts.bytes += bytes;
      counts.lost_size += lost.size;
      counts.lost_disk += lost.disk;
      if (failure !== null) outage.failed(failure);
      else if (written > 0) outage.worked();
      wait(waiting - requests, waitingBytes - weight);
    });
    const lose = (reason: string) => {
      if (thread !== worker) return;
      thread = null;
      if (!closed) outage.failed(reason);
      // those of this turn go to the next thread
      counts.lost_disk += waiting - batch.length;
      wait(
        batch.length,
        batch.reduce((sum, { weight }) => sum + weight, 0),
      );
    };
    worker.on('error', (error: Error) => lose(error.message));
    worker.on('exit', (code) => lose(`the thread ended with ${code}`));
    return worker;
  }
  function wait(requests: number, bytes: number): void {
    waiting = requests;
    waitingBytes = bytes;
    if (waiting === 0) for (const resolve of idle.splice(0)) resolve();
  }
  /** Passes a request on at the end of this turn of the event loop, together with the others of the turn. */
  function send(request: WriterRequest, transfer: ArrayBuffer[] = []): void {
    waiting++;
    waitingBytes += request.weight;
    if (batch.push(request) === 1) setImmediate(post);
    transfers.push(...transfer);
  }
  function post(): void {
    if (batch.length === 0) return;
    thread ??= start();
    thread.postMessage(batch, transfers);
    batch = [];
    transfers = [];
  }
  function detach(exchanges: readonly Exchange[]): { copies: Exchange[]; transfer: ArrayBuffer[] } {
    const transfer: ArrayBuffer[] = [];
    const copies = exchanges.map((exchange) => {
      const sent = exchange.sent.map((request) => {
        if (!request.answer) return request;
        const body = new Uint8Array(request.answer.body);
        transfer.push(body.buffer);
        return { ...request, answer: { ...request.answer, body } };
      });
      const answer = sent.at(-1)?.answer;
      return { ...exchange, sent, reply: exchange.reply.tag === 'answer' && answer ? { tag: 'answer' as const, answer } : exchange.reply };
    });
    return { copies, transfer };
  }

  /** The writer removes the credentials of now, and those of before, which a capture that waits may hold. */
  function tellSecrets(): void {
    const known = secrets.size;
    for (const secret of secretsOf(settings)) secrets.add(secret);
    if (secrets.size > known && thread) send({ kind: 'secrets', secrets: [...secrets], nowMs: clock.now(), weight: 0 });
  }
  function isSelected({ source, outcome }: AttemptCapture): boolean {
    const { SIGHTLINE_CAPTURE: mode, SIGHTLINE_CAPTURE_SAMPLE: sample } = settings;
    if (mode === 'all' || isFailure(outcome)) return true;
    if (parts.isLost?.(source, outcome.resource?.fields?.missing ?? [])) return true;
    return outcome.tag === 'found' && sample > 0 && random() * sample < 1;
  }
  function finish(attempt: AttemptCapture, exchangeBytes: number): void {
    const { outcome } = attempt;
    if (!isSelected(attempt)) return;
    if (exchangeBytes > MAX_ATTEMPT_BYTES) return void counts.lost_size++;
    const resource = outcome.resource && { bytes: new Uint8Array(outcome.resource.bytes) };
    const weight = exchangeBytes + (resource?.bytes.length ?? 0) + MESSAGE_BYTES;
    if (waitingBytes + weight > maxWaitingBytes) return void counts.lost_queue++;
    const { copies, transfer } = detach(attempt.exchanges);
    if (resource) transfer.push(resource.bytes.buffer);
    // no other member of the resource: it may hold a view of memory that the cache keeps
    const { resource: _, ...rest } = outcome;
    const capture = { ...attempt, outcome: { ...rest, ...(resource && { resource }) }, exchanges: copies };
    tellSecrets();
    send({ kind: 'capture', capture, nowMs: clock.now(), weight }, transfer);
  }

  async function tidy(): Promise<number> {
    send({ kind: 'tidy', nowMs: clock.now(), weight: 0 });
    return HOUR_MS;
  }
  const tidying = repeat(clock, tidy, FIRST_TIDY_MS);

  /** Resolves once all that was passed on before is written or lost. */
  const flush = (): Promise<void> => (waiting > 0 ? new Promise((resolve) => idle.push(resolve)) : Promise.resolve());
  return {
    begin({ source, operation, input, requestId }: CapturedWork) {
      const exchanges: Exchange[] = [];
      const atMs = clock.now();
      let bytes = 0;
      let ended = false;
      return {
        record(exchange: Exchange): void {
          if (exchange.shared) share(source, exchange);
          if (ended) return;
          for (const { answer } of exchange.sent) bytes += answer?.body.length ?? 0;
          if (bytes <= MAX_ATTEMPT_BYTES) exchanges.push(exchange);
        },
        /** The attempt ended; what comes later is dropped. `outcome` undefined: the source threw. */
        end(outcome: EndedOutcome | undefined): void {
          ended = true;
          if (exchanges.length === 0 || closed) return;
          finish({ id: newId(), source, operation, input, requestId, atMs, outcome: outcome ?? { tag: 'defect' }, exchanges }, bytes);
        },
      };
    },
    /** Since the start: captures `written`, and lost to a full queue, to the disk or for their size; `bytes` written. */
    counts: (): Readonly<typeof counts> => counts,
    flush,
    async close(waitMs: number): Promise<void> {
      closed = true;
      await tidying.close();
      if (!thread && waiting === 0) return;
      send({ kind: 'close', nowMs: clock.now(), weight: 0 });
      post();
      const open = thread;
      await atLongest(clock, waitMs, flush());
      thread = null;
      await open?.terminate();
    },
  };

  function share(source: string, exchange: Exchange): void {
    const { copies, transfer } = detach([exchange]);
    const [copy] = copies;
    const weight = transfer.reduce((sum, { byteLength }) => sum + byteLength, MESSAGE_BYTES);
    if (!copy || waitingBytes + weight > maxWaitingBytes) return;
    tellSecrets();
    send({ kind: 'share', source, exchange: copy, nowMs: clock.now(), weight }, transfer);
  }
}
