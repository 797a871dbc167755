import { defect, ServiceError } from '../contract/errors.ts';
import type { AttemptReport, CachedAnswer, Payment } from './types.ts';

/** Result of a lookup that ran: an answer for the cache (a resource or "not found"), or an error. */
export type Run = { readonly attempts: readonly AttemptReport[]; readonly upstreamMs: number; readonly stored: boolean } & (
  | { readonly cached: CachedAnswer; readonly error: null }
  | { readonly cached: null; readonly error: ServiceError }
);
/** Result for one request. `leads`: it is charged. `joined`: it waited for the run of another request. */
export type Joined = { ok: true; result: Run; leads: boolean; joined: boolean } | { ok: false; error: ServiceError };

/** Leadership of a coalesced lookup across gateways. Exactly one of its methods is called, once. */
export interface Lead {
  end(run: Run): void;
  /** No request could pay: a follower at another gateway may lead. */
  leave(): void;
}
export interface SharedCoalescing {
  /** Leadership, or the result that another gateway published after `sinceMs`. Waits until `untilMs` at most (epoch ms). */
  enter(cacheKey: string, sinceMs: number, untilMs: number): Promise<{ lead: Lead } | { run: Run }>;
  close(): Promise<void>;
}
/** Arrival of the request and end of its wait, epoch ms. */
interface Span {
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface Candidate {
  readonly charge: Payment;
  readonly span: Span;
  readonly lead: (signal: AbortSignal | undefined) => Promise<Run>;
  readonly signal: AbortSignal | undefined;
  readonly settle: (joined: Joined) => void;
}
/** The requests that wait for one run, and its end once all of them have been cancelled. */
interface Group {
  /** Null: it is not shared. */
  readonly cacheKey: string | null;
  /** Oldest first, without the leader while it leads. */
  readonly waiting: Candidate[];
  readonly all: Candidate[];
  readonly cancelled: AbortController;
}

/**
 * Requests for the same cache key share one run. The leader holds the price, followers are free; if it cannot pay, it alone is refused and
 * the oldest follower leads. A run without a resource releases the hold. The run ends when all of its requests are cancelled.
 */
export function createCoalescing(sharedCoalescing?: SharedCoalescing) {
  const running = new Map<string, Group>();

  /** A group that was cancelled has made room already, perhaps for another one. */
  function end(group: Group): void {
    if (group.cacheKey !== null && running.get(group.cacheKey) === group) running.delete(group.cacheKey);
  }

  function cancel(group: Group, candidate: Candidate): void {
    // unused: the request that it answers was cancelled
    candidate.settle({ ok: false, error: new ServiceError('UPSTREAM_TIMEOUT', 'The request was cancelled before there was an answer.') });
    if (!group.all.every(({ signal }) => signal?.aborted)) return;
    group.cancelled.abort();
    end(group);
  }

  async function driveGroup(group: Group): Promise<void> {
    const { cacheKey, waiting, cancelled } = group;
    const [{ span }] = waiting as [Candidate];
    const entered = sharedCoalescing && cacheKey !== null ? await sharedCoalescing.enter(cacheKey, span.sinceMs, span.untilMs) : null;
    if (entered && 'run' in entered) {
      end(group);
      for (const follower of waiting) follower.settle({ ok: true, result: entered.run, leads: false, joined: true });
      return;
    }
    for (let leader = waiting.shift(); leader; leader = waiting.shift()) {
      if (leader.signal?.aborted) continue;
      const held = await holdPrice(leader);
      if (leader.signal?.aborted) {
        leader.charge.release();
        continue;
      }
      if (held) {
        leader.settle({ ok: false, error: held });
        // an unavailable store refuses all of them: followers do not wait for one attempt each
        if (held.failure === 'UNAVAILABLE') for (const follower of waiting.splice(0)) follower.settle({ ok: false, error: held });
        continue;
      }
      // a leader that can't be cancelled keeps the run from it
      const signal = leader.signal && cancelled.signal;
      const result = await runLed(leader, signal);
      if (signal?.aborted) break;
      end(group);
      entered?.lead.end(result);
      leader.settle({ ok: true, result, leads: isSold(result), joined: false });
      for (const follower of waiting) follower.settle({ ok: true, result, leads: false, joined: true });
      return;
    }
    end(group);
    entered?.lead.leave();
  }

  /** Joins the run of the cache key, or starts it; null: a run that no other request joins. */
  const join = (cacheKey: string | null, charge: Payment, span: Span, lead: Candidate['lead'], signal?: AbortSignal): Promise<Joined> =>
    new Promise((settle) => {
      const candidate: Candidate = { charge, span, lead, signal, settle };
      const known = cacheKey === null ? undefined : running.get(cacheKey);
      const group = known ?? { cacheKey, waiting: [], all: [], cancelled: new AbortController() };
      group.waiting.push(candidate);
      group.all.push(candidate);
      signal?.addEventListener('abort', () => cancel(group, candidate), { once: true });
      if (cacheKey !== null) running.set(cacheKey, group);
      if (signal?.aborted) cancel(group, candidate);
      if (known) return;
      driveGroup(group).catch((error) => {
        end(group);
        for (const each of group.all) each.settle({ ok: false, error: defect(error) });
      });
    });
  return { join };
}

const isSold = (result: Run): boolean => result.cached !== null && result.cached.absent === undefined;

const holdPrice = ({ charge }: Candidate): Promise<ServiceError | null> =>
  charge.hold().then(
    () => null,
    (error) => (error instanceof ServiceError ? error : defect(error)),
  );

/** Runs the leader's lookup; releases the hold without a resource. A thrown defect becomes an error, so that no follower waits forever. */
async function runLed(candidate: Candidate, signal: AbortSignal | undefined): Promise<Run> {
  let result: Run;
  try {
    result = await candidate.lead(signal);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const attempts = [{ source: '', tag: 'defect', what: null, detail, ms: 0 }];
    result = { attempts, upstreamMs: 0, stored: false, cached: null, error: defect(error) };
  }
  if (!isSold(result)) candidate.charge.release();
  return result;
}
