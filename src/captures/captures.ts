import { Worker } from 'node:worker_threads';
import type { OperationId } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { createOutage, type OutageLog } from '../runtime/outage.ts';
import type { Settings } from '../settings.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import type { Exchange, RecordExchange } from '../upstream/recorded-exchange.ts';
import type { AttemptCapture, CapturedOutcome, CapturedWork } from './capture.ts';
import { secretsOf } from './redaction.ts';
import { DAY_MS } from './segments.ts';
import type { WriterData, WriterReply, WriterRequest } from './writer-thread.ts';

export interface CapturesParts {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: () => number;
  readonly newId: () => string;
  /** Folder of all captures of the machine. */
  readonly folder: string;
  /** Folder of this process below it; default: the same. */
  readonly ownFolder?: string;
  /** Checks a resource against the contract's schema: null, or the fault. */
  readonly check: (operation: OperationId, resource: unknown) => Promise<string | null>;
  readonly log: OutageLog;
  /** Bytes that may wait for the disk. */
  readonly maxWaitingBytes?: number;
}
export interface CaptureRecording {
  readonly record: RecordExchange;
  end(outcome: CapturedOutcome | undefined): void;
}
/** Selects attempts and passes them to the thread that writes segments. */
export interface Captures {
  begin(work: CapturedWork): CaptureRecording;
  /** Since the start: captures `written`, and lost to a full queue, to the disk or for their size; `bytes` written. */
  counts(): Readonly<Record<'written' | 'lost_queue' | 'lost_disk' | 'lost_size' | 'bytes', number>>;
  /** Resolves once all that was passed on before is written or lost. */
  flush(): Promise<void>;
  /** Writes what waits, for `waitMs` at most. */
  close(waitMs: number): Promise<void>;
}

const MAX_WAITING_BYTES = 67_108_864;
/** What a message takes besides its bodies, roughly. */
const MESSAGE_BYTES = 2_048;
/** An attempt with more bytes than this is not captured. */
const MAX_ATTEMPT_BYTES = 33_554_432;
const TIDY_MS = 3_600_000;
const FIRST_TIDY_MS = 60_000;

/** Whether an outcome is evidence of a parser that does not understand its platform. */
const isFailure = (outcome: CapturedOutcome): boolean => {
  if (outcome.tag === 'found') return (outcome.unread?.length ?? 0) > 0;
  if (outcome.tag === 'blocked') return !outcome.final && !outcome.known;
  return outcome.tag === 'changed' || outcome.tag === 'defect';
};

export function createCaptures(parts: CapturesParts): Captures {
  const { settings, clock, random, newId, folder, ownFolder = folder, check, maxWaitingBytes = MAX_WAITING_BYTES } = parts;
  const counts = { written: 0, lost_queue: 0, lost_disk: 0, lost_size: 0, bytes: 0 };
  const closing = new AbortController();
  const idle: (() => void)[] = [];
  let thread: Worker | null = null;
  let waitingBytes = 0;
  let waiting = 0;
  const finishing = new Set<Promise<void>>();
  const outage = createOutage(clock, parts.log, {
    begins: 'captures: not written',
    lasts: 'captures: still not written',
    ends: 'captures: written again',
  });

  function start(): Worker {
    const { SIGHTLINE_CAPTURE_MAX_BYTES: maxBytes, SIGHTLINE_CAPTURE_KEEP: days } = settings;
    const workerData: WriterData = { folder, ownFolder, maxBytes, keepMs: days * DAY_MS, version: VERSION, secrets: secretsOf(settings) };
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { name: 'captures', execArgv: [], workerData });
    worker.unref();
    worker.on('message', (reply: WriterReply) => {
      waiting--;
      waitingBytes -= reply.weight;
      if (reply.written > 0) {
        counts.written++;
        counts.bytes += reply.written;
        outage.worked();
      }
      if (reply.lost) counts[`lost_${reply.lost}`]++;
      if (reply.failure) outage.failed(reply.failure);
      if (waiting === 0) for (const tell of idle.splice(0)) tell();
    });
    const lose = (reason: string) => {
      if (thread !== worker) return;
      thread = null;
      if (!closing.signal.aborted) outage.failed(reason);
      counts.lost_disk += waiting;
      waiting = waitingBytes = 0;
      for (const tell of idle.splice(0)) tell();
    };
    worker.on('error', (error: Error) => lose(error.message));
    worker.on('exit', (code) => lose(`the thread ended with ${code}`));
    return worker;
  }
  function send(request: WriterRequest, transfer: ArrayBuffer[] = []): void {
    thread ??= start();
    waiting++;
    waitingBytes += request.weight;
    thread.postMessage(request, transfer);
  }
  /** Copies of the bodies, which the thread takes over. */
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

  /** Whether to capture; the outcome as the contract's check leaves it. */
  async function selected(operation: OperationId, outcome: CapturedOutcome): Promise<CapturedOutcome | null> {
    const fault = outcome.tag === 'found' ? await check(operation, outcome.resource) : null;
    const checked =
      fault === null ? outcome : { tag: 'changed', what: 'The answer of the source does not fit the contract.', detail: fault };
    if (settings.SIGHTLINE_CAPTURE === 'all' || isFailure(checked)) return checked;
    return checked.tag === 'found' && random() * settings.SIGHTLINE_CAPTURE_SAMPLE < 1 && settings.SIGHTLINE_CAPTURE_SAMPLE > 0
      ? checked
      : null;
  }
  async function finish(attempt: Omit<AttemptCapture, 'outcome'>, outcome: CapturedOutcome, bytes: number): Promise<void> {
    const checked = await selected(attempt.operation, outcome);
    if (!checked) return;
    if (bytes > MAX_ATTEMPT_BYTES) {
      counts.lost_size++;
      return;
    }
    // the resource is about as large as what it was read from
    const weight = 2 * bytes + MESSAGE_BYTES;
    if (waitingBytes + weight > maxWaitingBytes) {
      counts.lost_queue++;
      return;
    }
    const { copies, transfer } = detach(attempt.exchanges);
    send({ kind: 'capture', capture: { ...attempt, outcome: checked, exchanges: copies }, nowMs: clock.now(), weight }, transfer);
  }

  async function tidyHourly(): Promise<void> {
    for (let pauseMs = FIRST_TIDY_MS; ; pauseMs = TIDY_MS) {
      await clock.sleep(pauseMs, closing.signal);
      if (closing.signal.aborted) return;
      send({ kind: 'tidy', nowMs: clock.now(), weight: 0 });
    }
  }
  void tidyHourly();

  async function flush(): Promise<void> {
    await Promise.all(finishing);
    if (waiting > 0) await new Promise<void>((resolve) => idle.push(resolve));
  }
  return {
    begin(work) {
      const { source, operation, input, requestId } = work;
      const exchanges: Exchange[] = [];
      const at = clock.now();
      let bytes = 0;
      let ended = false;
      return {
        record(exchange) {
          if (exchange.shared) share(source, exchange);
          if (ended) return;
          for (const { answer } of exchange.sent) bytes += answer?.body.length ?? 0;
          if (bytes <= MAX_ATTEMPT_BYTES) exchanges.push(exchange);
        },
        end(outcome) {
          ended = true;
          if (exchanges.length === 0 || closing.signal.aborted) return;
          const attempt = { id: newId(), source, operation, input, ...(requestId !== undefined && { requestId }), at, exchanges };
          const finished = finish(attempt, outcome ?? { tag: 'defect' }, bytes)
            .catch((error: Error) => {
              counts.lost_queue++;
              outage.failed(error.message);
            })
            .finally(() => finishing.delete(finished));
          finishing.add(finished);
        },
      };
    },
    counts: () => counts,
    flush,
    async close(waitMs) {
      closing.abort('closed');
      await Promise.all(finishing);
      if (!thread) return;
      const open = thread;
      send({ kind: 'close', nowMs: clock.now(), weight: 0 });
      const late = new AbortController();
      await Promise.race([flush(), clock.sleep(waitMs, late.signal)]);
      late.abort('closed');
      thread = null;
      await open.terminate();
    },
  };

  function share(source: string, exchange: Exchange): void {
    const { copies, transfer } = detach([exchange]);
    const [copy] = copies;
    const weight = transfer.reduce((sum, { byteLength }) => sum + byteLength, MESSAGE_BYTES);
    if (copy && waitingBytes + weight <= maxWaitingBytes)
      send({ kind: 'share', source, exchange: copy, nowMs: clock.now(), weight }, transfer);
  }
}
