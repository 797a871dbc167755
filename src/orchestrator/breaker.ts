import { LRUCache } from 'lru-cache';
import type { NotFound, Outcome, Tag } from '../sources/outcome.ts';

/** Opens at the fifth failure among the last ten calls. */
const WINDOW = 10;
const MOST_FAILURES = 5;
const RESTS_MS = 30_000;
const MAX_PARTS = 2_000;

const FAILURES: ReadonlySet<Tag> = new Set(['unreachable', 'timeout', 'blocked', 'limited', 'changed', 'refused']);
/** What counts against the source; null: it says nothing of it (our own pace, or the source was not asked). */
function isFailure(o: Outcome): boolean | null {
  if (o.tag === 'limited' && o.counts === false) return null;
  // said of the thing itself
  if (o.tag === 'blocked' && o.final) return false;
  return FAILURES.has(o.tag);
}

/** What a client reads while a source is left alone: the state of the source, never the words that another question was answered with. */
const STATES: Readonly<Partial<Record<Tag, string>>> = {
  unreachable: 'The source could not be reached several times in a row',
  timeout: 'The source did not answer in time several times in a row',
  blocked: 'The source turned this service away several times in a row',
  limited: 'The source limited this service several times in a row',
  changed: 'The source answered in an unknown form several times in a row',
  refused: 'The source did not accept the requests of this service several times in a row',
};

interface Part {
  /** Whether the last calls failed. */
  calls: readonly boolean[];
  /** When it opened, monotonic ms; null: closed. */
  openedAt: number | null;
  /** While it is open, one call at a time tries again. */
  trying: boolean;
  last: Exclude<Tag, 'found'>;
}

/**
 * Keeps a part of a source that failed five of its last ten times from being asked for 30 s; then one call tries again, and closes or opens
 * it anew. Time is counted by a clock that never jumps.
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
    if (reopens || part.calls.filter(Boolean).length >= MOST_FAILURES) part.openedAt = monotonicMs();
  }

  return {
    /** Runs the call, or says that the source is left alone, with the hint that it was not asked. */
    async run<R>(name: string, call: () => Promise<Outcome<R>>): Promise<Outcome<R>> {
      const part = parts.get(name) ?? { calls: [], openedAt: null, trying: false, last: 'unreachable' };
      parts.set(name, part);
      if (part.openedAt === null) {
        const outcome = await call();
        // a call that began before it opened says nothing of whether it is well again
        if (part.openedAt === null) note(part, outcome);
        return outcome;
      }
      const leftMs = part.openedAt + RESTS_MS - monotonicMs();
      if (leftMs > 0 || part.trying) return leftAlone(part.last, Math.max(1_000, leftMs));
      part.trying = true;
      try {
        const outcome = await call();
        note(part, outcome);
        return outcome;
      } finally {
        part.trying = false;
      }
    },
  };
}
export type Breakers = ReturnType<typeof createBreakers>;

function leftAlone(tag: Exclude<Tag, 'found'>, leftMs: number): NotFound {
  const seconds = Math.ceil(leftMs / 1000);
  const what = `${STATES[tag] ?? 'The source failed several times in a row'}; it is asked again in ${seconds} s.`;
  if (tag === 'limited') return { tag, what, detail: 'breaker open', retryAfterMs: leftMs, counts: false };
  return { tag, what, detail: 'breaker open' };
}
