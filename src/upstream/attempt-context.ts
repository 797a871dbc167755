import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../runtime/clock.ts';
import type { Pace } from './ports.ts';
import type { RecordExchange } from './recorded-exchange.ts';

/** The account, the deadline (epoch ms) and the recorder of an attempt, for every request that it makes. */
export interface AttemptContext {
  readonly account: string;
  readonly deadlineMs: number;
  /** Default: exchanges are not recorded. */
  readonly record?: RecordExchange;
}
const contexts = new AsyncLocalStorage<AttemptContext>();

/** Runs an attempt: the requests in it are paced for its account and within its deadline. */
export const inAttempt = <T>(context: AttemptContext, work: () => T): T => contexts.run(context, work);

/** The recorder of the attempt that is running; undefined where none is. */
export const exchangeRecorder = (): RecordExchange | undefined => contexts.getStore()?.record;

/** Time reserved for the answer: a turn that would leave less is not waited for. */
const ANSWER_MS = 500;

/** A pace that refuses at once if the deadline of the attempt leaves no time to wait. */
export function paceOfAttempts(pace: Pace, clock: Clock): Pace {
  return {
    take(rule, patienceMs, signal) {
      const context = contexts.getStore();
      if (!context) return pace.take(rule, patienceMs, signal);
      const leftMs = Math.max(0, context.deadlineMs - clock.now());
      const waitMs = leftMs - Math.min(ANSWER_MS, leftMs / 4);
      return pace.take({ ...rule, account: context.account }, Math.min(patienceMs, waitMs), signal);
    },
    rest: (key, ms) => pace.rest(key, ms),
    resting: (key) => pace.resting(key),
  };
}
