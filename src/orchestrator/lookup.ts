import { ServiceError } from '../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../contract/freshness.ts';
import { type Inputs, OPERATIONS, type Operation, type OperationId } from '../contract/operations.ts';
import { type Prices, priceOf } from '../contract/prices.ts';
import type { Settings } from '../settings.ts';
import { inOrder, missingSettings } from '../sources/configured.ts';
import { errorOf, MAX_WAIT_MS } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import { adviceOn } from './advice.ts';
import type { AnswerCache } from './cache.ts';
import { type ChainParts, runChain } from './chain.ts';
import { notConfigured } from './not-configured.ts';
import { etagOf, questionOf } from './question.ts';
import { createTwins, type Run, type Union } from './twins.ts';
import type { Freshness, Kept, LookupAnswer, LookupRefusal, LookupRequest, LookupResult, Orchestrator, Via } from './types.ts';

export interface LookupParts extends ChainParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly cache: AnswerCache;
  /** The same question at other gateways; default: there are none. */
  readonly union?: Union;
}

/**
 * How a question becomes an answer: kept and fresh enough? → any source at all? → join the same question if it already runs, else hold the
 * price and lead it → the chain of sources → checked, serialised once, kept.
 */
export function createOrchestrator(parts: LookupParts): Orchestrator {
  const { cache, clock } = parts;
  const prices = parts.settings.SIGHTLINE_PRICES;
  const twins = createTwins(parts.union);

  async function lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult> {
    const question = questionOf(request.operation, request.input);
    const { freshness } = request;
    const span = { sinceMs: clock.now(), untilMs: request.deadlineMs };
    const kept = await cache.get(question);
    const usable = kept && usableNow(kept, freshness, clock.now());
    if (kept && usable) return fromCache(prices, request, kept, usable);
    if (freshness.onlyIfCached) return refusal(new ServiceError('NOT_CACHED'), null);

    const sources = sourcesFor(request.operation, request.input);
    if (!sources.length) {
      const { error, lacking } = notConfigured(parts.sources, parts.settings, request.operation, request.input);
      return { ok: false, refusal: { error, via: null, attempts: [], upstreamMs: 0, at: null, lacking } };
    }

    const fwd = freshness.noCache ? 'request' : kept ? (kept.freshUntil > clock.now() ? 'request' : 'stale') : 'uri-miss';
    const store = !freshness.noStore;
    const lead = () => run(request, question, sources, store);
    // what may not be kept may not be shared either
    const ended = store
      ? await twins.join(question, request.purse, priceOf(prices, request.operation, request.input), span, lead)
      : await twins.alone(request.purse, priceOf(prices, request.operation, request.input), span, lead);
    if (!ended.ok) return refusal(ended.error, null);
    const { result, leads, joined } = ended;
    const via: Via = { how: 'miss', fwd, stored: store && result.stored, collapsed: joined };
    if (result.kept) {
      if (result.kept.absent !== null) return notThere(result.kept, via, result);
      return answered(prices, request, result.kept, via, leads, result);
    }
    // the last copy that is known, labelled as stale, only where the request allows it
    const stale = kept && kept.absent === null && !freshness.noCache && staleness(kept, clock.now()) <= (freshness.staleIfErrorMs ?? -1);
    if (kept && stale) return answered(prices, request, kept, { how: 'stale', fwdStatus: result.error.status }, false, result);
    return { ok: false, refusal: { error: result.error, via, attempts: result.attempts, upstreamMs: result.upstreamMs, at: null } };
  }

  /** Leads the lookup: the price is held already. Never rejects. */
  async function run<Id extends OperationId>(
    request: LookupRequest<Id>,
    question: string,
    sources: readonly Source[],
    store: boolean,
  ): Promise<Run> {
    const began = clock.now();
    const { outcome, attempts } = await runChain(parts, sources, store ? request : { ...request, unshared: true });
    const now = clock.now();
    const ended = { attempts, upstreamMs: now - began, stored: false };
    if (outcome.tag === 'found') {
      const operation = OPERATIONS[request.operation] as unknown as Operation<Id>;
      const bytes = Buffer.from(JSON.stringify(outcome.resource));
      const freshUntil = now + operation.freshForMs(outcome.resource, now);
      const kept: Kept = {
        bytes,
        etag: etagOf(outcome.resource as object, bytes),
        at: now,
        freshUntil,
        keepUntil: Math.max(freshUntil, now + operation.keepForMs),
        source: outcome.source,
        absent: null,
        delivered: outcome.delivered ?? null,
      };
      if (store) cache.set(question, kept);
      return { ...ended, kept, stored: store, error: null };
    }
    if (outcome.tag === 'absent') {
      const freshUntil = now + ABSENT_FRESH_MS;
      const kept: Kept = {
        bytes: Buffer.alloc(0),
        etag: '',
        at: now,
        freshUntil,
        keepUntil: freshUntil,
        source: outcome.source,
        absent: outcome.what,
        delivered: null,
      };
      if (store) cache.set(question, kept);
      else cache.delete(question); // a copy of what is gone must not be served stale
      return { ...ended, kept, stored: store, error: null };
    }
    return { ...ended, kept: null, error: failure(outcome) };
  }

  function sourcesFor(operation: OperationId, input: Inputs[OperationId]): readonly Source[] {
    const able = parts.sources.filter(
      (s) => s.operations.includes(operation) && !missingSettings(s, parts.settings).length && (s.serves?.(operation, input) ?? true),
    );
    return inOrder(able, parts.settings);
  }

  return {
    lookup,
    price: (operation, input) => priceOf(prices, operation, input),
    async peek(operation, input) {
      const kept = await cache.get(questionOf(operation, input));
      return kept && kept.freshUntil > clock.now() ? kept : null;
    },
    purge: (operation, input) => cache.purge(operation, input && questionOf(operation, input)),
    ready: () => parts.engine.ready(),
    close: () => parts.engine.close(),
  };
}

type Ended = Pick<Run, 'attempts' | 'upstreamMs'>;
const NOTHING: Ended = { attempts: [], upstreamMs: 0 };

const staleness = (kept: Kept, now: number): number => now - kept.freshUntil;

/** Whether a kept answer may be served to this request without asking anybody; 'stale' only where the request allows it. */
function usableNow(kept: Kept, f: Freshness, now: number): 'fresh' | 'stale' | null {
  if (f.noCache) return null;
  if (f.maxAgeMs !== null && now - kept.at > f.maxAgeMs) return null;
  const late = staleness(kept, now);
  if (late < 0) return f.minFreshMs !== null && -late < f.minFreshMs ? null : 'fresh';
  if (f.minFreshMs !== null || kept.absent !== null) return null;
  return f.maxStaleMs !== null && late <= f.maxStaleMs ? 'stale' : null;
}

function fromCache<Id extends OperationId>(
  prices: Prices,
  request: LookupRequest<Id>,
  kept: Kept,
  usable: 'fresh' | 'stale',
): LookupResult {
  const via: Via = usable === 'fresh' ? { how: 'hit' } : { how: 'stale', fwdStatus: null };
  return kept.absent === null ? answered(prices, request, kept, via, false, NOTHING) : notThere(kept, via, NOTHING);
}

function answered<Id extends OperationId>(
  prices: Prices,
  request: LookupRequest<Id>,
  kept: Kept,
  via: Via,
  leads: boolean,
  ended: Ended,
): LookupResult {
  const answer: LookupAnswer = {
    kept,
    via,
    leads,
    price: priceOf(prices, request.operation, request.input, kept.delivered ?? undefined),
    attempts: ended.attempts,
    upstreamMs: ended.upstreamMs,
  };
  return { ok: true, answer };
}
const notThere = (kept: Kept, via: Via, ended: Ended): LookupResult => ({
  ok: false,
  refusal: {
    error: new ServiceError('NOT_FOUND', kept.absent ?? undefined),
    via,
    attempts: ended.attempts,
    upstreamMs: ended.upstreamMs,
    at: kept.at,
  },
});
const refusal = (error: ServiceError, via: LookupRefusal['via']): LookupResult => ({
  ok: false,
  refusal: { error, via, attempts: [], upstreamMs: 0, at: null },
});

function failure(outcome: { tag: string; what: string; source: string; retryAfterMs?: number | null; final?: true }): ServiceError {
  if (outcome.tag === 'defect') return new ServiceError('INTERNAL_ERROR', outcome.what);
  const name = errorOf[outcome.tag as keyof typeof errorOf] ?? 'INTERNAL_ERROR';
  // a platform that states no time still deserves a pause
  const waitSeconds =
    outcome.tag === 'limited' ? Math.max(1, Math.ceil(Math.min(outcome.retryAfterMs ?? 30_000, MAX_WAIT_MS) / 1000)) : null;
  return new ServiceError(name, adviceOn(outcome, waitSeconds), waitSeconds === null ? {} : { 'retry-after': String(waitSeconds) });
}
