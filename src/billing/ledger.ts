import { ServiceError } from '../contract/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { createOutage, type Outage } from '../runtime/outage.ts';
import { createUuid7, type RandomBytes } from '../runtime/uuid.ts';
import { type BatchAnswer, CODE, type Code, type Op } from '../store/batch.ts';
import type { Store, StoreLog } from '../store/store.ts';
import { reasonOf, unavailable } from '../store/unavailable.ts';
import { writesOutage } from '../store/write-outage.ts';
import { createRemaining } from './balance.ts';
import { creditMessage } from './credit-messages.ts';
import { plainLine, splitHoldId } from './hold-id.ts';
import { noCounts } from './ledger-counts.ts';
import type { CreditLedger, HoldAnswer, HoldRequest } from './types.ts';

export interface LedgerParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: StoreLog;
  readonly randomBytes: RandomBytes;
  /** The longest life of a hold: how long a settlement is tried again. */
  readonly holdMs: number;
  /** How often outlived holds are looked for. Default 1 s. */
  readonly reapEveryMs?: number;
  /** Told whether writes succeed, where others tell it too. */
  readonly writes?: Outage;
}

interface Waiting {
  readonly op: Op;
  /** Until when a settlement is tried again after a failure; 0: never. */
  readonly keepUntil: number;
  retried: boolean;
  readonly done: (code: Code, amount: number, answer: BatchAnswer) => void;
  readonly failed: (error: Error) => void;
}

const MAX_BATCH = 1000;
const MAX_GATHERED = 50_000;
const RETRY_MS = 250;
/** How long settlements are tried again while the process ends. */
const CLOSE_MS = 2_000;

/**
 * Hold, capture, release, expire, with group commit: one flush in flight takes all that gathered meanwhile, no timer. A hold resolves once it
 * is durable; captures and releases go with the same flushes and are tried again while their hold may live.
 */
export function createLedger(parts: LedgerParts): CreditLedger {
  const { store, clock, log, randomBytes, holdMs, reapEveryMs = 1_000, writes = writesOutage(clock, log) } = parts;
  const settlements = createOutage(clock, log, {
    begins: 'ledger: a settlement is given up, its hold expires instead',
    lasts: 'ledger: settlements are given up, their holds expire instead',
    ends: 'ledger: settlements are written again',
  });
  const uuid = createUuid7(clock.now, randomBytes);
  const remaining = createRemaining(store, clock);
  const ending = new AbortController();
  const counts = noCounts();
  let gathered: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let closeBy = Number.POSITIVE_INFINITY;
  /** Settlements wait to be tried again: they go before the reaper, for a hold may be over by then. */
  let retrying = false;

  function add(waiting: Waiting): void {
    gathered.push(waiting);
    flushing ??= flushAll();
  }

  async function flushAll(): Promise<void> {
    // all requests that this turn of the event loop reads go into one batch
    await new Promise((resolve) => setImmediate(resolve));
    let settled = (): void => {};
    while (gathered.length) {
      const batch = gathered.length > MAX_BATCH ? gathered.splice(0, MAX_BATCH) : gathered;
      if (batch === gathered) gathered = [];
      const flushed = flush(batch);
      // whoever waited for the batch before goes on while this one is written
      settled();
      settled = await flushed;
    }
    flushing = null;
    settled();
  }

  /** Writes a batch; gives what tells its requests. */
  async function flush(batch: readonly Waiting[]): Promise<() => void> {
    let answer: BatchAnswer;
    try {
      answer = await store.settle(batch.map((w) => w.op));
    } catch (error) {
      return failedFlush(batch, error as Error);
    }
    writes.worked();
    retrying = false;
    counts.flushes++;
    counts.operations += batch.length;
    remaining.know(answer.balances);
    return () => {
      for (const [i, waiting] of batch.entries()) {
        try {
          waiting.done(answer.codes[i] ?? CODE.over, answer.amounts[i] ?? 0, answer);
        } catch (error) {
          waiting.failed(error as Error); // whoever waits for the others must not wait for ever
        }
      }
    };
  }

  /** The store was away, or took the batch and could not say so: holds are refused (an unseen one expires), settlements are tried again. */
  async function failedFlush(batch: readonly Waiting[], error: Error): Promise<() => void> {
    counts.failed++;
    if (error instanceof ServiceError) writes.failed(reasonOf(error));
    else log('error', 'ledger: flush refused', { reason: String(error), operations: batch.length });
    if (!(error instanceof ServiceError) && batch.length > 1) {
      // the store refused one of them: it must not take the others along
      const half = batch.length >> 1;
      const tell = [await flush(batch.slice(0, half)), await flush(batch.slice(half))];
      return () => {
        for (const each of tell) each();
      };
    }
    const away = error instanceof ServiceError;
    const again: Waiting[] = [];
    for (const w of batch) {
      if (away && Math.min(w.keepUntil, closeBy) > clock.now() && again.length < MAX_GATHERED) {
        w.retried = true;
        again.push(w);
      } else w.failed(error);
    }
    retrying = again.length > 0;
    if (retrying) {
      const before = gathered;
      gathered = again.concat(before);
      if (!before.some((w) => !w.keepUntil)) await clock.sleep(RETRY_MS, ending.signal);
    }
    return () => {};
  }

  function settle(kind: 'capture' | 'release', holdId: string, amount: number): Promise<void> {
    const [accountId, id] = splitHoldId(holdId);
    return new Promise((resolve) => {
      const done: Waiting['done'] = (code) => {
        settlements.worked();
        if (code === CODE.done) counts[kind === 'capture' ? 'captured' : 'released']++;
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
      const waiting: Waiting = {
        op: [kind, accountId, id, amount, 0, '', '', ''],
        keepUntil: clock.now() + holdMs,
        retried: false,
        done,
        failed,
      };
      if (ending.signal.aborted || gathered.length >= MAX_GATHERED) failed();
      else add(waiting);
    });
  }

  const ask = <T>(op: Op, read: (code: Code, amount: number, answer: BatchAnswer) => T): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      if (ending.signal.aborted || gathered.length >= MAX_GATHERED) return reject(unavailable(new Error('the ledger takes no more')));
      add({ op, keepUntil: 0, retried: false, failed: reject, done: (code, amount, answer) => resolve(read(code, amount, answer)) });
    });

  async function reap(): Promise<number> {
    const answer = await store.expire(500);
    remaining.know(answer.balances);
    const ended = answer.codes.filter((code) => code === CODE.done).length;
    counts.expired += ended;
    return ended;
  }
  async function reaper(): Promise<void> {
    while (!ending.signal.aborted) {
      await clock.sleep(reapEveryMs, ending.signal);
      if (ending.signal.aborted || retrying) continue;
      try {
        while ((await reap()) >= 500) await clock.sleep(1, ending.signal);
      } catch (error) {
        writes.failed(reasonOf(error));
      }
    }
  }
  const reaping = reaper();

  return {
    counts,
    hold(request: HoldRequest): Promise<HoldAnswer> {
      const { accountId, keyId, amount, operation, ttlMs, requestId, label } = request;
      if (!Number.isSafeInteger(amount) || amount < 1) return Promise.reject(new RangeError(`a hold of ${amount} credits`));
      const id = uuid();
      const asked = clock.now();
      return ask<HoldAnswer>(
        ['hold', accountId, id, amount, Math.ceil(ttlMs), keyId, operation, plainLine(label ? `${requestId} ${label}` : requestId)],
        (code, value, answer) => {
          if (code === CODE.done) {
            counts.held++;
            return { ok: true, holdId: `${accountId}.${id}`, remaining: value, expiresAt: asked + ttlMs };
          }
          counts.refused++;
          const free = answer.balances.find(([account]) => account === accountId)?.[1] ?? 0;
          return { ok: false, error: 'INSUFFICIENT_CREDITS', message: creditMessage(code, amount, value, answer.at), remaining: free };
        },
      );
    },
    capture: (holdId, amount) => settle('capture', holdId, Math.max(0, Math.trunc(amount))),
    release: (holdId) => settle('release', holdId, 0),
    renew(holdId, ttlMs) {
      const [accountId, id] = splitHoldId(holdId);
      return ask(['renew', accountId, id, 0, Math.ceil(ttlMs), '', '', ''], (code) => code === CODE.done);
    },
    async grant(accountId, credits, note, reference = '') {
      if (!Number.isSafeInteger(credits) || credits === 0) throw new RangeError('credits must be a whole number other than 0');
      const [code, amount] = await ask(
        ['grant', accountId, plainLine(reference), credits, 0, '', '', plainLine(note)],
        (c, a) => [c, a] as const,
      );
      if (code === CODE.noAccount) throw new RangeError(`There is no account ${accountId}.`);
      if (code === CODE.short) throw new RangeError(`Account ${accountId} has ${amount} free credits: ${-credits} cannot be taken.`);
      return amount;
    },
    forget: remaining.forget,
    remaining: (accountId) => remaining.of(accountId),
    reap,
    async close() {
      closeBy = clock.now() + CLOSE_MS;
      while (flushing) await flushing;
      ending.abort();
      await reaping;
    },
  };
}
