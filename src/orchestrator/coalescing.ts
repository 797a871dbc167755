import { defect, ServiceError } from '../contract/errors.ts';
import type { AttemptReport, CachedAnswer, Charge } from './types.ts';

/** Result of a lookup that ran: an answer for the cache (a resource or "not found"), or an error. */
export type Run = { readonly attempts: readonly AttemptReport[]; readonly upstreamMs: number; readonly stored: boolean } & (
  | { readonly cached: CachedAnswer; readonly error: null }
  | { readonly cached: null; readonly error: ServiceError }
);
/** Result for one request. `leads`: it is charged. `joined`: it waited for the run of another request. */
export type Joined = { ok: true; result: Run; leads: boolean; joined: boolean } | { ok: false; error: ServiceError };

/** Leadership of a coalesced lookup across gateways. Exactly one of its methods is called, once. */
export interface Lead {
  /** Publishes the result to the followers. */
  end(run: Run): void;
  /** No request could pay: a follower at another gateway may lead. */
  leave(): void;
}
/** Coalescing with the other gateways of a fleet. */
export interface SharedCoalescing {
  /** Leadership, or the result that another gateway published after `sinceMs`. Waits until `untilMs` at most (epoch ms). */
  enter(cacheKey: string, sinceMs: number, untilMs: number): Promise<{ lead: Lead } | { run: Run }>;
  close(): Promise<void>;
}
/** Arrival of the request and end of its wait, epoch ms. */
export interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface Candidate {
  readonly charge: Charge;
  readonly span: Span;
  readonly lead: () => Promise<Run>;
  readonly settle: (joined: Joined) => void;
}

/**
 * Requests for the same cache key share one run, so that the source is called once. The leader holds the price; followers are free. If the
 * leader cannot pay, it alone is refused and the oldest follower leads. A run without a resource releases the hold.
 */
export function createCoalescing(sharedCoalescing?: SharedCoalescing) {
  const running = new Map<string, Candidate[]>();

  async function drive(cacheKey: string, waiting: Candidate[]): Promise<void> {
    const [{ span }] = waiting as [Candidate];
    const entered = sharedCoalescing ? await sharedCoalescing.enter(cacheKey, span.sinceMs, span.untilMs) : null;
    if (entered && 'run' in entered) {
      running.delete(cacheKey);
      for (const follower of waiting) follower.settle({ ok: true, result: entered.run, leads: false, joined: true });
      return;
    }
    for (let leader = waiting.shift(); leader; leader = waiting.shift()) {
      const held = await hold(leader);
      if (held) {
        leader.settle({ ok: false, error: held });
        // an unavailable store refuses all of them: followers do not wait for one attempt each
        if (held.failure === 'UNAVAILABLE') for (const follower of waiting.splice(0)) follower.settle({ ok: false, error: held });
        continue;
      }
      const result = await led(leader);
      running.delete(cacheKey);
      entered?.lead.end(result);
      leader.settle({ ok: true, result, leads: isSold(result), joined: false });
      for (const follower of waiting) follower.settle({ ok: true, result, leads: false, joined: true });
      return;
    }
    running.delete(cacheKey);
    entered?.lead.leave();
  }

  return {
    join: (cacheKey: string, charge: Charge, span: Span, lead: () => Promise<Run>): Promise<Joined> =>
      new Promise((settle) => {
        const candidate: Candidate = { charge, span, lead, settle };
        const waiting = running.get(cacheKey);
        if (waiting) {
          waiting.push(candidate);
          return;
        }
        const queue = [candidate];
        running.set(cacheKey, queue);
        void drive(cacheKey, queue);
      }),

    async alone(charge: Charge, span: Span, lead: () => Promise<Run>): Promise<Joined> {
      const candidate: Candidate = { charge, span, lead, settle: () => {} };
      const refused = await hold(candidate);
      if (refused) return { ok: false, error: refused };
      const result = await led(candidate);
      return { ok: true, result, leads: isSold(result), joined: false };
    },
  };
}

const isSold = (result: Run): boolean => result.cached !== null && result.cached.absent === null;

async function hold(candidate: Candidate): Promise<ServiceError | null> {
  try {
    await candidate.charge.hold();
    return null;
  } catch (error) {
    return error instanceof ServiceError ? error : defect(error);
  }
}

/** Runs the leader's lookup; releases the hold without a resource. A thrown defect becomes an error, so that no follower waits forever. */
async function led(candidate: Candidate): Promise<Run> {
  let result: Run;
  try {
    result = await candidate.lead();
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const attempts = [{ source: '', tag: 'defect', what: null, detail, ms: 0 }];
    result = { attempts, upstreamMs: 0, stored: false, cached: null, error: defect(error) };
  }
  if (!isSold(result)) candidate.charge.release();
  return result;
}
