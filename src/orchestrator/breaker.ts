import { BrokenCircuitError, CircuitState, circuitBreaker, handleWhenResult, type IBreaker } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import type { Outcome, Tag } from '../sources/outcome.ts';

/** Opens at the fifth failure among the last ten calls. */
class FiveOfTen implements IBreaker {
  state: unknown = [];
  success(): void {
    this.#note(false);
  }
  failure(state: CircuitState): boolean {
    return this.#note(true) >= 5 || state !== CircuitState.Closed;
  }
  #note(failed: boolean): number {
    const last = [...(this.state as boolean[]), failed].slice(-10);
    this.state = last;
    return last.filter(Boolean).length;
  }
}

const FAILURES: ReadonlySet<Tag> = new Set(['unreachable', 'timeout', 'blocked', 'limited', 'changed', 'refused']);
/** What counts against the source: not what was said of the thing itself. */
const isFailure = (o: Outcome): boolean => FAILURES.has(o.tag) && !(o.tag === 'blocked' && o.final);
const RESTS_MS = 30_000;
const MAX_PARTS = 2_000;

/** Keeps a part of a source that failed five of its last ten times from being asked for 30 s; then one call tries again. */
export function createBreakers() {
  const parts = new LRUCache<string, { policy: ReturnType<typeof circuitBreaker>; last: Outcome | null }>({ max: MAX_PARTS });
  return {
    /** Runs the call, or gives the last failure again, with the hint that it was not asked. */
    async run<R>(part: string, call: () => Promise<Outcome<R>>): Promise<Outcome<R>> {
      let entry = parts.get(part);
      if (!entry) {
        const failed = handleWhenResult((r) => isFailure(r as Outcome));
        entry = { policy: circuitBreaker(failed, { halfOpenAfter: RESTS_MS, breaker: new FiveOfTen() }), last: null };
        parts.set(part, entry);
      }
      try {
        const outcome = await entry.policy.execute(call);
        if (isFailure(outcome)) entry.last = outcome;
        return outcome;
      } catch (error) {
        if (!(error instanceof BrokenCircuitError) || !entry.last || entry.last.tag === 'found') throw error;
        return { ...entry.last, what: `${entry.last.what} It failed repeatedly and is left alone for up to 30 s.`, detail: 'breaker open' };
      }
    },
  };
}
export type Breakers = ReturnType<typeof createBreakers>;
