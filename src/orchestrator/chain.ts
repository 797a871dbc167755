import type { Input, OperationId, Resource } from '../contract/operations/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { type Found, type NotFound, type Outcome, refused } from '../sources/outcome.ts';
import { nameOf, type Source } from '../sources/source.ts';
import type { Breakers } from './breaker.ts';
import type { Check } from './check.ts';
import { DefectError, type Engine, EngineAwayError, type Work } from './engine.ts';
import type { AttemptReport } from './types.ts';

export interface ChainParts {
  readonly engine: Engine;
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly random: () => number;
  /** Null where the resource is of the contract; else what is wrong with it. */
  readonly check: Check;
  /** Told when a source is about to be asked, and when a try ended. */
  readonly watch?: (source: string, ended: AttemptReport | null) => void;
}
export interface ChainResult<R> {
  /** `defect`: a source threw, and nobody else answered. */
  readonly outcome: (Found<R> & { source: string }) | (NotFound & { source: string }) | { tag: 'defect'; what: string; source: string };
  readonly attempts: readonly AttemptReport[];
}

/** A retry must be worth its while: with less than this left there is none. */
const LEAST_MS = 250;
const RETRY_BASE_MS = 100;
const RETRY_JITTER_MS = 400;

/**
 * Asks the sources in order until one knows. Each gets its share of what is left of the deadline (an equal part; what one does not use
 * goes to the next). A source that can't be reached is tried once more, with jitter; limits, walls, unknown shapes and refusals are not.
 */
export async function runChain<Id extends OperationId>(
  parts: ChainParts,
  sources: readonly Source[],
  cacheKey: { operation: Id; input: Input<Id>; deadlineMs: number; account?: string },
): Promise<ChainResult<Resource<Id>>> {
  const { clock } = parts;
  const attempts: AttemptReport[] = [];
  const failures: ({ source: string } & (NotFound | { tag: 'defect'; what: string }))[] = [];

  for (const [i, source] of sources.entries()) {
    const share = (cacheKey.deadlineMs - clock.now()) / (sources.length - i);
    if (share <= 0) break;
    const until = clock.now() + share;
    const outcome = await askSource(parts, source, cacheKey, until, attempts);
    if (outcome.tag === 'found' || (outcome.tag === 'absent' && source.knowsAbsence) || (outcome.tag === 'blocked' && outcome.final)) {
      return { outcome: { ...outcome, source: source.id }, attempts };
    }
    failures.push({ ...outcome, source: source.id });
  }
  return { outcome: mostTelling(failures), attempts };
}

async function askSource<Id extends OperationId>(
  parts: ChainParts,
  source: Source,
  cacheKey: { operation: Id; input: Input<Id>; account?: string },
  until: number,
  attempts: AttemptReport[],
): Promise<Outcome<Resource<Id>> | { tag: 'defect'; what: string }> {
  const { clock, engine } = parts;
  const part = `${nameOf(source)} ${source.partOf?.(cacheKey.operation, cacheKey.input) ?? ''}`;
  const { operation, input, account } = cacheKey;
  const asked = { source: nameOf(source), operation, input, ...(account !== undefined && { account }) };
  const workOf = (leftMs: number): Work<Id> => ({ ...asked, leftMs });
  for (let tries = 0; ; tries++) {
    const began = clock.now();
    const note = (tag: string, what: string | null, detail: string | null) => {
      const report = { source: source.id, tag, what, detail, ms: clock.now() - began };
      attempts.push(report);
      parts.watch?.(source.id, report);
    };
    parts.watch?.(source.id, null);
    let outcome: Outcome<Resource<Id>>;
    try {
      outcome = await parts.breakers.run(part, () => engine.attempt(workOf(until - began)));
    } catch (error) {
      if (error instanceof EngineAwayError) {
        note('refused', error.message, error.detail);
        return refused(error.message, error.detail);
      }
      if (!(error instanceof DefectError)) throw error;
      note('defect', null, error.stack ?? error.message);
      return { tag: 'defect', what: 'The service failed on the answer of its source; nothing was charged.' };
    }
    if (outcome.tag === 'found') {
      const wrong = await parts.check(cacheKey.operation, outcome.resource);
      if (wrong !== null) outcome = { tag: 'changed', what: 'The answer of the source does not fit the contract.', detail: wrong };
    }
    if (outcome.tag === 'found') note('found', null, null);
    else note(outcome.tag, outcome.what, outcome.detail ?? null);
    if (outcome.tag !== 'unreachable' || tries > 0 || outcome.detail === 'breaker open') return outcome;
    const pause = RETRY_BASE_MS + parts.random() * RETRY_JITTER_MS;
    if (clock.now() + pause + LEAST_MS > until) return outcome;
    await clock.sleep(pause);
  }
}

/** Of several failures the one that says most to the caller: what the platform itself said comes before what we could not do. */
const TELLING = ['limited', 'blocked', 'changed', 'timeout', 'unreachable', 'refused', 'defect', 'absent'] as const;

function mostTelling<F extends { tag: string; source: string }>(
  failures: readonly F[],
): F | { tag: 'timeout' | 'refused'; what: string; source: string } {
  // an `absent` of a source that can't know it, beside nothing else, is no answer
  const real = failures.filter((f) => f.tag !== 'absent');
  for (const tag of TELLING) {
    const failure = real.find((f) => f.tag === tag);
    if (failure) return failure;
  }
  const vague = failures[0];
  if (vague) return { tag: 'refused', what: 'No source could tell whether it exists.', source: vague.source };
  return { tag: 'timeout', what: 'There was no time left to ask a source.', source: '' };
}
