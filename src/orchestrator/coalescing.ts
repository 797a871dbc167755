import { defect, ServiceError } from '../contract/errors.ts';
import type { AttemptReport, CachedAnswer, Charge } from './types.ts';

/** How a lookup that was led to its end came out: something to keep (found or "not there"), or an error. */
export type Run = { readonly attempts: readonly AttemptReport[]; readonly upstreamMs: number; readonly stored: boolean } & (
  | { readonly cached: CachedAnswer; readonly error: null }
  | { readonly cached: null; readonly error: ServiceError }
);
/** `leads`: this one's hold pays. `joined`: it waited for another's run. */
export type Joined = { ok: true; result: Run; leads: boolean; joined: boolean } | { ok: false; error: ServiceError };

/** The right to ask for all who have the same question. Told once how it ended: with what was found, or with nobody who could pay. */
export interface Lead {
  end(run: Run): void;
  leave(): void;
}
/** The same question elsewhere: other gateways of a fleet. */
export interface SharedCoalescing {
  /** The lead, or what another's lead gave after `sinceMs`; a wait for it ends at `untilMs` (epoch ms). */
  enter(cacheKey: string, sinceMs: number, untilMs: number): Promise<{ lead: Lead } | { run: Run }>;
  close(): Promise<void>;
}
/** When the question came, and until when its answer is waited for, epoch ms. */
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
 * The same question asked again while it runs joins the run instead of asking the source twice, free. Who leads holds the price; if it
 * can't, it is refused and the oldest follower leads. A run that ends in nothing to sell gives the hold back.
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
        // the store is away for all of them: nobody shall wait until everyone before has found out
        if (held.failure === 'UNAVAILABLE') for (const follower of waiting.splice(0)) follower.settle({ ok: false, error: held });
        continue;
      }
      const result = await led(leader);
      running.delete(cacheKey);
      entered?.lead.end(result);
      leader.settle({ ok: true, result, leads: sold(result), joined: false });
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
      return { ok: true, result, leads: sold(result), joined: false };
    },
  };
}

const sold = (result: Run): boolean => result.cached !== null && result.cached.absent === null;

async function hold(candidate: Candidate): Promise<ServiceError | null> {
  try {
    await candidate.charge.hold();
    return null;
  } catch (error) {
    return error instanceof ServiceError ? error : defect(error);
  }
}

/** Runs the leader's lookup; what is not sold gives the hold back. A defect becomes an error, so that nobody waits for ever. */
async function led(candidate: Candidate): Promise<Run> {
  let result: Run;
  try {
    result = await candidate.lead();
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const attempts = [{ source: '', tag: 'defect', what: null, detail, ms: 0 }];
    result = { attempts, upstreamMs: 0, stored: false, cached: null, error: defect(error) };
  }
  if (!sold(result)) candidate.charge.release();
  return result;
}
