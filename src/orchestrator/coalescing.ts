import { defect, ServiceError } from '../contract/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Acceptance, type AnswerCache, acceptedAs, freshUntil } from './cache.ts';
import type { AttemptReport, CachedAnswer, Payment } from './types.ts';

/** Result of a lookup that ran: an answer for the cache (a resource or "not found"), or an error. */
export type Run = { readonly attempts: readonly AttemptReport[]; readonly upstreamMs: number; readonly stored: boolean } & (
  | { readonly cached: CachedAnswer; readonly error: null }
  | { readonly cached: null; readonly error: ServiceError }
);
/** What a request gets. `leads`: it is charged. `joined`: it waited for the run of another request. `known`: the cached answer that it did not accept. */
export type Joined =
  | { readonly ok: true; readonly result: Run; readonly leads: boolean; readonly joined: boolean; readonly known: CachedAnswer | undefined }
  | { readonly ok: true; readonly cached: CachedAnswer; readonly as: 'fresh' | 'stale' }
  | { readonly ok: false; readonly error: ServiceError };

/** Leadership of a coalesced lookup. Exactly one of its methods is called, once. */
export interface Lead {
  /** Stores the answer, if it is to be stored, and tells the result to those who follow. */
  end(run: Run): void;
  /** No request could pay: a follower at another gateway may lead. */
  leave(): void;
}
/** What a claim finds: an answer in the shared cache, the result of another gateway, or the leadership. */
export type Claim =
  | { readonly cached: CachedAnswer }
  | { readonly run: Run }
  | { readonly lead: Lead; readonly known: CachedAnswer | undefined };
export interface SharedCoalescing {
  /** Reads the shared cache and, without an answer that is accepted, claims the lookup or waits for who has it, until `untilMs` at most (epoch ms). */
  claim(cacheKey: string, acceptance: Acceptance, untilMs: number): Promise<Claim>;
  close(): Promise<void>;
}

export interface Joining {
  /** Null: a run that no other request joins, and of which nothing is stored. */
  readonly cacheKey: string | null;
  readonly charge: Payment;
  readonly acceptance: Acceptance;
  /** End of its wait, epoch ms. */
  readonly untilMs: number;
  /** The answer in the cache of this process, which is not accepted. */
  readonly known: CachedAnswer | undefined;
  readonly lead: (signal: AbortSignal | undefined) => Promise<Run>;
  readonly signal: AbortSignal | undefined;
}
interface Candidate extends Joining {
  readonly settle: (joined: Joined) => void;
}
/** The requests that wait for one run, and its end once all of them have been cancelled. */
interface Group {
  readonly cacheKey: string | null;
  /** Oldest first, without the leader while it leads. */
  readonly waiting: Candidate[];
  readonly all: Candidate[];
  readonly cancelled: AbortController;
}

export interface CoalescingParts {
  readonly cache: Pick<AnswerCache, 'set'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly shared?: SharedCoalescing | undefined;
}

/**
 * Requests for the same cache key share one run. The leader holds the price, followers are free; if it cannot pay, it alone is refused and
 * the oldest follower leads. A run without a resource releases the hold. The run ends when all of its requests are cancelled.
 */
export function createCoalescing({ cache, clock, shared }: CoalescingParts) {
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

  const claim = (cacheKey: string | null, { acceptance, untilMs, known }: Candidate): Promise<Claim> | Claim =>
    shared && cacheKey !== null ? shared.claim(cacheKey, acceptance, untilMs) : { lead: leadHere(cacheKey), known };

  /** The lead of a lookup in this process alone. */
  const leadHere = (cacheKey: string | null): Lead => ({
    end(run) {
      if (cacheKey !== null && run.cached) cache.set(cacheKey, run.cached);
    },
    leave: () => {},
  });

  const settleAll = (candidates: readonly Candidate[], result: Run, known?: CachedAnswer): void => {
    for (const each of candidates) each.settle({ ok: true, result, leads: false, joined: true, known });
  };

  /** Answers those who accept the cached answer, and the first, for whom it was read. */
  function settleCached({ waiting }: Group, cached: CachedAnswer): void {
    const nowMs = clock.now();
    for (const [i, each] of waiting.splice(0).entries()) {
      const as = acceptedAs(cached, each.acceptance, nowMs);
      if (as) each.settle({ ok: true, cached, as });
      else if (i > 0) waiting.push(each);
      else if (each.acceptance.noCache) settleAll([each], ranAs(cached));
      else each.settle({ ok: true, cached, as: freshUntil(cached) > nowMs ? 'fresh' : 'stale' });
    }
  }

  async function driveGroup(group: Group): Promise<void> {
    const { cacheKey, waiting, cancelled } = group;
    let claimed = await claim(cacheKey, waiting[0] as Candidate);
    while ('cached' in claimed) {
      settleCached(group, claimed.cached);
      const [next] = waiting;
      if (!next) return end(group);
      claimed = await claim(cacheKey, next);
    }
    if ('run' in claimed) {
      end(group);
      return settleAll(waiting, claimed.run);
    }
    const { lead, known } = claimed;
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
      if (signal?.aborted && !isSold(result)) break;
      end(group);
      lead.end(result);
      leader.settle({ ok: true, result, leads: isSold(result), joined: false, known });
      return settleAll(waiting, result, known);
    }
    end(group);
    lead.leave();
  }

  /** Joins the run of the cache key, or starts it. */
  const join = (joining: Joining): Promise<Joined> =>
    new Promise((resolve) => {
      const { cacheKey, signal } = joining;
      const settle = (joined: Joined): void => {
        signal?.removeEventListener('abort', abort);
        resolve(joined);
      };
      const candidate: Candidate = { ...joining, settle };
      const joined = cacheKey === null ? undefined : running.get(cacheKey);
      const group = joined ?? { cacheKey, waiting: [], all: [], cancelled: new AbortController() };
      const abort = (): void => cancel(group, candidate);
      group.waiting.push(candidate);
      group.all.push(candidate);
      signal?.addEventListener('abort', abort, { once: true });
      if (cacheKey !== null) running.set(cacheKey, group);
      if (signal?.aborted) abort();
      if (joined) return;
      driveGroup(group).catch((error) => {
        end(group);
        for (const each of group.all) each.settle({ ok: false, error: defect(error) });
      });
    });
  return { join };
}

/** An answer that another gateway stored, as the result of its run. */
export const ranAs = (cached: CachedAnswer): Run => ({ cached, error: null, attempts: [], upstreamMs: 0, stored: true });

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
