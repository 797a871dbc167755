// Not cockatiel's circuit breaker: it reads Date.now(), so that a clock that is set changes how long it stays open.
import { LRUCache } from 'lru-cache';
import type { Found, NotFound, Outcome, Tag } from '../sources/outcome.ts';

/** Opens after `MAX_FAILURES` failures among the last `WINDOW` calls. */
const WINDOW = 10;
const MAX_FAILURES = 5;
const OPEN_MS = 30_000;
const MAX_PARTS = 2_000;

/** So many different cache keys of one operation must have ended as `changed`, the last ones without exception. */
const CHANGED_KEYS = 5;

const FAILURES: ReadonlySet<Tag> = new Set(['unreachable', 'timeout', 'blocked']);
/** Not: a limit, which rests the source; a refusal, the operator's matter; `changed`, counted by cache key; `final`, about one page. */
const isFailure = (o: Outcome): boolean => FAILURES.has(o.tag) && !(o.tag === 'blocked' && o.final);

/** What clients read while the breaker is open, by the outcome that opened it: not the message of another lookup. */
const STATES = {
  unreachable: 'The source could not be reached several times in a row.',
  timeout: 'The source did not answer in time several times in a row.',
  blocked: 'The source blocked this service several times in a row.',
  changed: 'The source answered in an unknown form several times in a row.',
} as const;
type Opening = keyof typeof STATES;

interface PartState {
  calls: readonly boolean[];
  openedAt: number | null;
  trying: boolean;
  last: Opening;
  /** By operation, whether the lookups of the last different cache keys ended as `changed`; the newest last. */
  readonly changedByKey: Map<string, Map<string, boolean>>;
}
interface AskedInput {
  readonly operation: string;
  readonly cacheKey: string;
}

/** Circuit breakers, one per part of a source, on a monotonic clock. After `OPEN_MS` a trial call closes or reopens one. */
export function createBreakers(monotonicMs: () => number = () => performance.now()) {
  const parts = new LRUCache<string, PartState>({ max: MAX_PARTS });

  /** Whether the lookups of the last different cache keys of the operation all ended as `changed`, this one included. */
  function isChanged(part: PartState, { operation, cacheKey }: AskedInput, outcome: Outcome): boolean {
    const last = part.changedByKey.get(operation) ?? new Map<string, boolean>();
    part.changedByKey.set(operation, last);
    last.delete(cacheKey);
    last.set(cacheKey, outcome.tag === 'changed');
    for (const oldest of last.keys()) if (last.size > CHANGED_KEYS) last.delete(oldest);
    return last.size === CHANGED_KEYS && [...last.values()].every(Boolean);
  }

  function note(part: PartState, asked: AskedInput, outcome: Outcome): void {
    // our own pace, or the platform's statement about one item: no word about the source
    if ('counts' in outcome && outcome.counts === false) return;
    const { tag } = outcome;
    const states = tag === 'found' || tag === 'absent' || tag === 'changed';
    const opensAsChanged = states && isChanged(part, asked, outcome) && tag === 'changed';
    const failed = opensAsChanged || isFailure(outcome);
    const reopens = failed && part.openedAt !== null;
    // any other answer shows that the source is there again
    if (!failed && part.openedAt !== null) {
      part.openedAt = null;
      part.calls = [];
    }
    if (FAILURES.has(tag) || tag === 'found' || tag === 'absent') part.calls = [...part.calls, failed].slice(-WINDOW);
    if (failed) part.last = tag as Opening;
    if (reopens || opensAsChanged || part.calls.filter(Boolean).length >= MAX_FAILURES) part.openedAt = monotonicMs();
  }

  return {
    /** The parts of a source that were called, and the worst of their states. `half-open`: its time is over, and the next call is a trial. */
    stateOf(source: string): { readonly state: 'closed' | 'open' | 'half-open'; readonly parts: readonly string[] } {
      const known = [...parts.entries()].filter(([name]) => name === source || name.startsWith(`${source} `));
      const open = known.filter(([, part]) => part.openedAt !== null);
      const isOpen = open.some(([, part]) => (part.openedAt ?? 0) + OPEN_MS > monotonicMs());
      return {
        state: open.length === 0 ? 'closed' : isOpen ? 'open' : 'half-open',
        parts: known.map(([name]) => name.slice(source.length).trim()),
      };
    },
    /** Makes the call, or returns the outcome of an open breaker (`isOpen`). */
    async callSource<O extends Found | NotFound>(
      name: string,
      asked: AskedInput,
      call: () => Promise<O>,
    ): Promise<{ readonly isOpen: boolean; readonly outcome: O | NotFound }> {
      const part = parts.get(name) ?? { calls: [], openedAt: null, trying: false, last: 'unreachable', changedByKey: new Map() };
      parts.set(name, part);
      if (part.openedAt === null) {
        const outcome = await call();
        // a call that began before the breaker opened does not count as a trial
        if (part.openedAt === null) note(part, asked, outcome);
        return { isOpen: false, outcome };
      }
      const leftMs = part.openedAt + OPEN_MS - monotonicMs();
      if (leftMs > 0 || part.trying) return { isOpen: true, outcome: outcomeWhileOpen(part.last, Math.max(1_000, leftMs)) };
      part.trying = true;
      try {
        const outcome = await call();
        note(part, asked, outcome);
        return { isOpen: false, outcome };
      } finally {
        part.trying = false;
      }
    },
  };
}
export type Breakers = ReturnType<typeof createBreakers>;

function outcomeWhileOpen(tag: Opening, retryAfterMs: number): NotFound {
  const open = { what: STATES[tag], detail: 'breaker open' };
  return tag === 'unreachable' || tag === 'timeout' ? { tag, ...open, retryAfterMs } : { tag, ...open };
}
