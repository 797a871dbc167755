import { ServiceError } from '../contract/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import { repeat } from '../runtime/repeat.ts';
import { createUuid7, type RandomBytes } from '../runtime/uuid.ts';
import type { StoreLog } from '../store/store.ts';
import { reasonOf, unavailable, writesOutage } from '../store/unavailable.ts';
import { afterFailure, holdAnswer, holdOp, type Retryable, waitsToRetry } from './flush-rules.ts';
import type { Journal, JournalAnswer } from './journal.ts';
import { type Op, type Outcome, settlement, splitHoldId } from './rules.ts';
import type { HoldAnswer, HoldRequest, Ledger } from './types.ts';

export interface LedgerParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly randomBytes: RandomBytes;
  /** The longest life of a hold: how long a settlement is tried again. */
  readonly holdLifeMs: number;
  /** How often outlived holds are looked for. Default 1 s. */
  readonly reapEveryMs?: number;
  /** Receives whether writes succeed; other writers of the store report there too. */
  readonly writes?: Outage;
}

interface WaitingOp extends Retryable {
  readonly op: Op;
  retried: boolean;
  readonly done: (outcome: Outcome, answer: JournalAnswer) => void;
  readonly failed: (error: Error) => void;
}

const MAX_BATCH = 1000;
const MAX_GATHERED = 50_000;
const RETRY_MS = 250;
const MAX_EXPIRED = 500;
/**
 * After an outage of a shared store no hold is expired for this long: other gateways first write the captures that waited for the store,
 * which takes them a connection timeout and RETRY_MS at most.
 */
const SETTLE_FIRST_MS = 4_000;
/** How long settlements are tried again while the process ends. */
const CLOSE_MS = 2_000;

export type CreditLedger = ReturnType<typeof createLedger>;

/** Group commit: one flush takes all calls that arrived during the one before. A hold resolves once durable; settlements are tried again while it may live. */
export function createLedger(parts: LedgerParts) {
  const { journal, clock, log, randomBytes, holdLifeMs, reapEveryMs = 1_000, writes = writesOutage(clock, log) } = parts;
  const settlements = createOutage(
    clock,
    log,
    'ledger: settlements are given up, their holds expire instead',
    'ledger: settlements are written again',
  );
  const uuid = createUuid7(clock.now, randomBytes);
  const ending = new AbortController();
  /** Since the start. `late`: captures and releases of a hold that had ended; `failed`: flushes that the store rejected. */
  const counts = { flushes: 0, operations: 0, held: 0, refused: 0, captured: 0, released: 0, expired: 0, late: 0, failed: 0 };
  let gathered: WaitingOp[] = [];
  let flushing: Promise<void> | null = null;
  let closeBy = Number.POSITIVE_INFINITY;
  /** Settlements wait to be tried again: they go before the reaper, for a hold may be over by then. */
  let retrying = false;
  /** On a shared store: no hold is expired before. */
  let reapFrom = Number.NEGATIVE_INFINITY;

  function add(waiting: WaitingOp): void {
    gathered.push(waiting);
    flushing ??= flushAll();
  }

  async function flushAll(): Promise<void> {
    // all requests that this turn of the event loop reads go into one batch
    await new Promise((resolve) => setImmediate(resolve));
    let settled = (): void => {};
    while (gathered.length) {
      const flushed = flush(gathered.splice(0, MAX_BATCH));
      // callers of the previous batch resume while this one is written
      settled();
      settled = await flushed;
    }
    flushing = null;
    settled();
  }

  async function flush(batch: readonly WaitingOp[]): Promise<() => void> {
    let answer: JournalAnswer;
    try {
      answer = await journal.settle(batch.map((w) => w.op));
    } catch (error) {
      return failedFlush(batch, error as Error);
    }
    writes.worked();
    retrying = false;
    counts.flushes++;
    counts.operations += batch.length;
    return () => {
      for (const [i, waiting] of batch.entries()) {
        try {
          waiting.done(answer.outcomes[i] as Outcome, answer);
        } catch (error) {
          waiting.failed(error as Error); // callers that wait for the whole queue must be resolved too
        }
      }
    };
  }

  function storeFailed(error: unknown): void {
    writes.failed(reasonOf(error));
    if (journal.isShared) reapFrom = clock.now() + SETTLE_FIRST_MS;
  }

  async function failedFlush(batch: readonly WaitingOp[], error: Error): Promise<() => void> {
    counts.failed++;
    const isAway = error instanceof ServiceError;
    if (isAway) storeFailed(error);
    else log('error', 'ledger: flush refused', { reason: String(error), operations: batch.length });
    const next = afterFailure(batch, { isAway, nowMs: clock.now(), closeByMs: closeBy });
    if (next.kind === 'split') {
      const [first, second] = next.halves;
      const resolvers = [await flush(first), await flush(second)];
      return () => {
        for (const each of resolvers) each();
      };
    }
    for (const waiting of next.again) waiting.retried = true;
    for (const waiting of next.lost) waiting.failed(error);
    retrying = next.again.length > 0;
    if (retrying) {
      const before = gathered;
      gathered = [...next.again, ...before];
      if (waitsToRetry(before)) await clock.sleep(RETRY_MS, ending.signal);
    }
    return () => {};
  }

  function settle(kind: 'capture' | 'release', holdId: string, amount: number): Promise<void> {
    const [accountId, id] = splitHoldId(holdId);
    return new Promise((resolve) => {
      const done: WaitingOp['done'] = ({ code }) => {
        settlements.worked();
        if (code === 'done') counts[kind === 'capture' ? 'captured' : 'released']++;
        else if (!waiting.retried) {
          counts.late++;
          log('warn', `ledger: ${kind} of a hold that is over`, { holdId });
        }
        resolve();
      };
      const failed = () => {
        counts.late++;
        settlements.failed(`${kind} of ${holdId}`);
        resolve();
      };
      const op = settlement(kind, accountId, id, amount);
      const waiting: WaitingOp = { op, keepUntil: clock.now() + holdLifeMs, retried: false, done, failed };
      if (ending.signal.aborted || gathered.length >= MAX_GATHERED) failed();
      else add(waiting);
    });
  }

  const ask = <T>(op: Op, read: (outcome: Outcome, answer: JournalAnswer) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (ending.signal.aborted || gathered.length >= MAX_GATHERED) return reject(unavailable(new Error('the ledger takes no more')));
      add({ op, keepUntil: 0, retried: false, failed: reject, done: (outcome, answer) => resolve(read(outcome, answer)) });
    });

  /** Expires the holds whose time limit has passed; returns how many. */
  async function reap(): Promise<number> {
    const over = await journal.expired(MAX_EXPIRED);
    const ended = await Promise.all(over.map((op) => ask(op, ({ code }) => code === 'done')));
    const expired = ended.filter(Boolean).length;
    counts.expired += expired;
    return expired;
  }
  async function reapAll(): Promise<number> {
    try {
      // finds an outage in which this process had nothing to write
      if (journal.isShared) await journal.ping();
      while (!retrying && clock.now() >= reapFrom && (await reap()) >= MAX_EXPIRED) await clock.sleep(1, ending.signal);
    } catch (error) {
      storeFailed(error);
    }
    return reapEveryMs;
  }
  const reaping = repeat(clock, reapAll, reapEveryMs);

  const ledger: Ledger = {
    hold(request: HoldRequest): Promise<HoldAnswer> {
      const op = holdOp(request, uuid());
      if (op === null) return Promise.reject(new RangeError(`a hold of ${request.amount} credits for ${request.ttlMs} ms`));
      const times = { askedMs: clock.now(), ttlMs: request.ttlMs };
      return ask(op, (outcome, answer) => {
        const told = holdAnswer(op, outcome, answer, times);
        counts[told.ok ? 'held' : 'refused']++;
        return told;
      });
    },
    capture: (holdId, amount) => settle('capture', holdId, Math.max(0, Math.trunc(amount))),
    release: (holdId) => settle('release', holdId, 0),
    renew(holdId, ttlMs) {
      const [accountId, id] = splitHoldId(holdId);
      return ask(settlement('renew', accountId, id, 0, Math.ceil(ttlMs)), ({ code }) => code === 'done');
    },
    remaining: journal.remaining,
  };
  return {
    ...ledger,
    counts: counts as Readonly<typeof counts>,
    forget: journal.forget,
    reap,
    async close(): Promise<void> {
      closeBy = clock.now() + CLOSE_MS;
      while (flushing) await flushing;
      ending.abort();
      await reaping.close();
    },
  };
}
