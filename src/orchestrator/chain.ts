import type { OperationId } from '../contract/operations/index.ts';
import { MAX_RETRY_WAIT_MS } from '../contract/retryable.ts';
import type { Drift } from '../monitoring/drift.ts';
import type { Clock } from '../runtime/clock.ts';
import { closedText } from '../sources/availability.ts';
import type { NotFound } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import type { Breakers } from './breaker.ts';
import { cacheKeyOf } from './cache.ts';
import { type AttemptOutcome, DefectError, type Engine, EngineAwayError } from './engine.ts';
import type { AttemptReport, LookupRequest } from './types.ts';

export interface ChainParts {
  readonly engine: Engine;
  readonly breakers: Breakers;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onAttempt?: (source: string, ended: AttemptReport | null) => void;
  readonly drift?: Pick<Drift, 'observe'>;
}
export interface ChainResult {
  readonly outcome: (AttemptOutcome | Unasked | { tag: 'inconclusive'; what: string }) & { source: string } & Closed;
  readonly attempts: readonly AttemptReport[];
}

/** The sentence of a failure after the platform closed the interface. */
type Closed = { readonly closed?: string };
/** `defect`: the source threw. `away`: no attempt could be made, because the engine was unavailable. */
type Unasked = { tag: 'defect'; what: string } | { tag: 'away'; what: string; retryAfterMs: number };

type ChainLookup<Id extends OperationId> = Pick<LookupRequest<Id>, 'operation' | 'input' | 'deadlineMs' | 'account' | 'signal' | 'asking'> &
  Partial<Pick<LookupRequest, 'requestId'>> & { readonly cacheKey?: string | undefined };

const MIN_RETRY_MS = 250;
const RETRY_BASE_MS = 100;
const RETRY_JITTER_MS = 400;
/** A killed worker is replaced, and Redis restarted, in about this time. */
const AWAY_WAIT_MS = 5_000;

/** Calls the sources in order, each with an equal share of the time left. An `unreachable` one is retried once, with jitter; others are not. */
export async function runChain<Id extends OperationId>(
  parts: ChainParts,
  sources: readonly Source[],
  lookup: ChainLookup<Id>,
): Promise<ChainResult> {
  const { clock } = parts;
  const attempts: AttemptReport[] = [];
  const failures: ((NotFound | Unasked) & { source: string } & Closed)[] = [];

  for (const [i, source] of sources.entries()) {
    const share = (lookup.deadlineMs - clock.now()) / (sources.length - i);
    if (share <= 0 || lookup.signal?.aborted) break;
    const until = clock.now() + share;
    const outcome = await askSource(parts, source, lookup, until, attempts);
    if (outcome.tag === 'found' || (outcome.tag === 'absent' && mayEnd(source, failures))) {
      return { outcome: { ...outcome, source: source.id }, attempts };
    }
    if (outcome.tag === 'blocked' && outcome.final) {
      // our own account, which was refused, might have been shown it
      return { outcome: failures.find(isAccount) ?? { ...outcome, source: source.id }, attempts };
    }
    const closed = isAnswered(outcome) ? '' : closedText(source, clock.now());
    failures.push({ ...outcome, source: source.id, ...(closed && { closed }) });
  }
  return { outcome: mostSpecific(failures), attempts };
}

/** Whether the source's `absent` ends the chain, after what the sources before it answered. */
const mayEnd = ({ knowsAbsence }: Source, failures: readonly { tag: string }[]): boolean =>
  knowsAbsence === 'where none failed' ? failures.every(({ tag }) => tag === 'absent') : knowsAbsence;
const isAccount = (failure: object): boolean => 'account' in failure && failure.account === true;

/** The interface lives, or was not asked: a limit, an answer that it cannot give, a failure of ours. */
const isAnswered = ({ tag }: { tag: string }): boolean => ['limited', 'absent', 'defect', 'away'].includes(tag);

/** Says nothing about the source: breakers do not count it. */
const CANCELLED: NotFound = { tag: 'limited', what: 'The request was cancelled.', retryAfterMs: null, counts: false };

async function askSource<Id extends OperationId>(
  parts: ChainParts,
  source: Source,
  lookup: ChainLookup<Id>,
  until: number,
  attempts: AttemptReport[],
): Promise<AttemptOutcome | Unasked> {
  const { clock, engine } = parts;
  const part = `${source.id} ${source.partOf?.(lookup.operation, lookup.input) ?? ''}`;
  const { operation, input, account, requestId, signal, cacheKey } = lookup;
  const attempt = async (leftMs: number): Promise<AttemptOutcome> => {
    const outcome = await engine.attempt({ source: source.id, operation, input, leftMs, account, requestId, signal, cacheKey });
    return signal?.aborted && outcome.tag !== 'found' ? CANCELLED : outcome;
  };
  for (let retries = 0; ; retries++) {
    const began = clock.now();
    const note = (tag: string, what: string | null, detail: string | null, more: Pick<AttemptReport, 'unread' | 'isUnsent'> = {}) => {
      const report = { source: source.id, tag, what, detail, ms: clock.now() - began, at: began, ...more };
      attempts.push(report);
      parts.onAttempt?.(source.id, report);
    };
    parts.onAttempt?.(source.id, null);
    lookup.asking?.(source.id);
    let outcome: AttemptOutcome;
    let isOpen: boolean;
    try {
      ({ outcome, isOpen } = await parts.breakers.callSource(part, { operation, cacheKey: cacheKeyOf(operation, input) }, () =>
        attempt(until - began),
      ));
    } catch (error) {
      if (error instanceof EngineAwayError) {
        note('refused', error.message, error.detail, { isUnsent: true });
        return { tag: 'away', what: error.message, retryAfterMs: AWAY_WAIT_MS };
      }
      if (!(error instanceof DefectError)) throw error;
      note('defect', null, error.stack ?? error.message);
      return { tag: 'defect', what: 'The service failed on the answer of its source; nothing was charged.' };
    }
    const place = { source: source.id, operation, part: source.partOf?.(operation, input) ?? '' };
    parts.drift?.observe({ ...place, outcome, requestId: requestId ?? null });
    const isUnsent = isOpen || ('counts' in outcome && outcome.tag !== 'changed' && outcome.counts === false && !signal?.aborted);
    if (outcome.tag === 'found') note('found', null, null, outcome.unread && { unread: outcome.unread });
    else {
      // the log says by what a negative is proved
      const proof = outcome.tag === 'absent' ? `evidence: ${outcome.evidence}` : null;
      const detail = [proof, outcome.detail].filter(Boolean).join('; ') || null;
      note(outcome.tag, outcome.what, detail, isUnsent ? { isUnsent } : {});
    }
    if (outcome.tag !== 'unreachable' || retries > 0 || isOpen) return outcome;
    const backoffMs = RETRY_BASE_MS + parts.random() * RETRY_JITTER_MS;
    if (clock.now() + backoffMs + MIN_RETRY_MS > until) return outcome;
    await clock.sleep(backoffMs, signal);
  }
}

/** Which failure the client sees: a platform's statement before a failure of ours, anything before a long wait at one source. */
const PRECEDENCE = ['limited', 'blocked', 'changed', 'timeout', 'unreachable', 'away', 'refused', 'defect'] as const;

type Failure = { tag: string; source: string; retryAfterMs?: number | null; account?: boolean };
function mostSpecific<F extends Failure>(failures: readonly F[]): F | { tag: 'timeout' | 'inconclusive'; what: string; source: string } {
  // `absent` does not count from a source that cannot know it
  const conclusive = failures.filter((f) => f.tag !== 'absent');
  // what the operator can cure, before what a weaker source said
  const account = conclusive.find(isAccount);
  if (account) return account;
  for (const tag of PRECEDENCE) {
    const failure = conclusive.find((f) => f.tag === tag && !(Number(f.retryAfterMs) > MAX_RETRY_WAIT_MS));
    if (failure) return failure;
  }
  if (conclusive[0]) return conclusive[0];
  const inconclusive = failures[0];
  if (inconclusive) return { tag: 'inconclusive', what: 'No source could tell whether it exists.', source: inconclusive.source };
  return { tag: 'timeout', what: 'There was no time left to ask a source.', source: '' };
}
