import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../runtime/clock.ts';
import type { Pace } from './ports.ts';

/** On whose behalf a request to a source is made, and until when (epoch ms). */
export interface AttemptContext {
  readonly account: string;
  readonly deadlineMs: number;
}
const contexts = new AsyncLocalStorage<AttemptContext>();

/** Runs an attempt: every turn that it takes at a pace counts for its account and ends with its deadline. */
export const inAttempt = <T>(context: AttemptContext, work: () => T): T => contexts.run(context, work);

/** Time for the answer itself: a turn that comes later than that is not waited for. */
const ANSWER_MS = 500;

/** A pace that knows of the attempt: a turn that the deadline does not leave time for is refused at once instead of waited for. */
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
