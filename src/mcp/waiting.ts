import { SightlineError } from '../client/error.ts';
import { ServiceError } from '../contract/errors.ts';
import { type Clock, instant } from '../runtime/clock.ts';
import type { ToolAnswer, ToolCalls, ToolLookup } from './calls.ts';

/** Time between two messages about a lookup that takes long. */
const EVERY_MS = 5_000;

export interface Progress {
  /** Seconds since the call, of `total` at most. */
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export interface Waiting {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Time after which the caller wants no answer; null: that of the lookup. */
  readonly patienceMs: number | null;
  /** Sends progress to the client; null: the client did not ask for it. Never rejects. */
  readonly report: ((progress: Progress) => Promise<void>) | null;
}

/** A lookup that reports progress while it runs and is cancelled when its caller gives up; other requests may still wait for its answer. */
export async function waitFor(calls: ToolCalls, lookup: Omit<ToolLookup, 'asking'>, waiting: Waiting): Promise<ToolAnswer> {
  const { clock, deadlineMs, patienceMs, report } = waiting;
  const began = clock.now();
  const waitMs = Math.min(deadlineMs, patienceMs ?? deadlineMs);
  const ended = new AbortController();
  const tired = new AbortController();
  let asked: string | null = null;

  async function reportProgress(): Promise<void> {
    for (;;) {
      await clock.sleep(EVERY_MS, ended.signal);
      if (ended.signal.aborted) return;
      const seconds = Math.round((clock.now() - began) / 1000);
      const message = `${asked === null ? 'Waiting for a source' : `Asking ${asked}`}, for ${seconds} s now; it ends by ${instant(began + waitMs)}.`;
      await report?.({ progress: seconds, total: Math.ceil(waitMs / 1000), message });
    }
  }
  if (report) void reportProgress();
  if (patienceMs !== null)
    void clock.sleep(patienceMs, ended.signal).then(() => {
      if (!ended.signal.aborted) tired.abort();
    });
  try {
    const signal = AbortSignal.any([lookup.signal, tired.signal]);
    return await calls.lookup({ ...lookup, signal, asking: (source) => (asked = source) });
  } catch (thrown) {
    if (!tired.signal.aborted) throw thrown;
    const words = `No answer within ${waitMs / 1000} s, as deadlineSeconds asks: call again with more, ${deadlineMs / 1000} at most.`;
    // a remote service may have finished the lookup and charged for it
    if (thrown instanceof SightlineError) throw new SightlineError('DEADLINE_EXCEEDED', words, { charged: thrown.charged, cause: thrown });
    throw new ServiceError('UPSTREAM_TIMEOUT', words);
  } finally {
    ended.abort();
  }
}
