// Not cockatiel's circuit breaker: it reads Date.now(), so that a clock that is set changes its pause.
import { LRUCache } from 'lru-cache';
import type { Found, NotFound, Outcome, Tag } from '../sources/outcome.ts';

/** Opens after `MAX_FAILURES` failures among the last `WINDOW` calls. */
const WINDOW = 10;
const MAX_FAILURES = 5;
const OPEN_MS = 30_000;
const MAX_PARTS = 2_000;

const FAILURES: ReadonlySet<Tag> = new Set(['unreachable', 'timeout', 'blocked', 'limited', 'changed', 'refused']);
/** Whether an outcome counts as a failure of the source; null: it does not count (this service's own pace, or no request was made). */
function isFailure(o: Outcome): boolean | null {
  if (o.tag === 'limited' && o.counts === false) return null;
  // about the requested page, not about the source
  if (o.tag === 'blocked' && o.final) return false;
  return FAILURES.has(o.tag);
}

/** Message for clients while the breaker is open: the state of the source, not the message of another lookup. */
const STATES: Readonly<Partial<Record<Tag, string>>> = {
  unreachable: 'The source could not be reached several times in a row.',
  timeout: 'The source did not answer in time several times in a row.',
  blocked: 'The source blocked this service several times in a row.',
  limited: 'The source limited this service several times in a row.',
  changed: 'The source answered in an unknown form several times in a row.',
  refused: 'The source did not accept the requests of this service several times in a row.',
};

interface Part {
  /** Whether each of the last calls failed. */
  calls: readonly boolean[];
  /** Time of opening, monotonic ms; null: closed. */
  openedAt: number | null;
  /** A trial call is in progress (half-open). */
  trying: boolean;
  last: Exclude<Tag, 'found'>;
}

/** `half-open`: the pause is over, and the next call is a trial. */
export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Circuit breakers, one per part of a source. Five failures among the last ten calls open it for 30 s; then a trial call closes or reopens
 * it. Time is measured by a monotonic clock.
 */
export function createBreakers(monotonicMs: () => number = () => performance.now()) {
  const parts = new LRUCache<string, Part>({ max: MAX_PARTS });

  function note(part: Part, outcome: Outcome): void {
    const failed = isFailure(outcome);
    if (failed === null) return;
    const reopens = failed && part.openedAt !== null;
    if (!failed && part.openedAt !== null) {
      part.openedAt = null;
      part.calls = [];
    }
    part.calls = [...part.calls, failed].slice(-WINDOW);
    if (outcome.tag !== 'found' && failed) part.last = outcome.tag;
    if (reopens || part.calls.filter(Boolean).length >= MAX_FAILURES) part.openedAt = monotonicMs();
  }

  return {
    /** The parts of a source that were called, and the worst of their states. */
    stateOf(source: string): { readonly state: BreakerState; readonly parts: readonly string[] } {
      const known = [...parts.entries()].filter(([name]) => name === source || name.startsWith(`${source} `));
      const open = known.filter(([, part]) => part.openedAt !== null);
      const isPausing = open.some(([, part]) => (part.openedAt ?? 0) + OPEN_MS > monotonicMs());
      return {
        state: open.length === 0 ? 'closed' : isPausing ? 'open' : 'half-open',
        parts: known.map(([name]) => name.slice(source.length).trim()),
      };
    },
    /** Makes the call, or returns the outcome of an open breaker (`isOpen`). */
    async run<O extends Found | NotFound>(
      name: string,
      call: () => Promise<O>,
    ): Promise<{ readonly isOpen: boolean; readonly outcome: O | NotFound }> {
      const part = parts.get(name) ?? { calls: [], openedAt: null, trying: false, last: 'unreachable' };
      parts.set(name, part);
      if (part.openedAt === null) {
        const outcome = await call();
        // a call that began before the breaker opened does not count as a trial
        if (part.openedAt === null) note(part, outcome);
        return { isOpen: false, outcome };
      }
      const leftMs = part.openedAt + OPEN_MS - monotonicMs();
      if (leftMs > 0 || part.trying) return { isOpen: true, outcome: outcomeWhileOpen(part.last, Math.max(1_000, leftMs)) };
      part.trying = true;
      try {
        const outcome = await call();
        note(part, outcome);
        return { isOpen: false, outcome };
      } finally {
        part.trying = false;
      }
    },
  };
}
export type Breakers = ReturnType<typeof createBreakers>;

function outcomeWhileOpen(tag: Exclude<Tag, 'found'>, leftMs: number): NotFound {
  const what = STATES[tag] ?? 'The source failed several times in a row.';
  if (tag === 'limited') return { tag, what, detail: 'breaker open', retryAfterMs: leftMs, counts: false };
  if (tag === 'unreachable' || tag === 'timeout') return { tag, what, detail: 'breaker open', retryAfterMs: leftMs };
  return { tag, what, detail: 'breaker open' };
}
