import { ServiceError } from '../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../contract/operations/freshness.ts';
import { type Inputs, OPERATIONS, type Operation, type OperationId } from '../contract/operations/index.ts';
import { type Prices, priceOf } from '../contract/prices.ts';
import type { Settings } from '../settings.ts';
import { inOrder, missingSettings } from '../sources/configured.ts';
import { errorOf, MAX_WAIT_MS } from '../sources/outcome.ts';
import type { Source } from '../sources/source.ts';
import { adviceOn } from './advice.ts';
import type { AnswerCache } from './cache.ts';
import { cacheKeyOf, etagOf } from './cache-key.ts';
import { type ChainParts, runChain } from './chain.ts';
import { createCoalescing, type Run, type SharedCoalescing } from './coalescing.ts';
import { notConfigured } from './not-configured.ts';
import type {
  CachedAnswer,
  CacheStatus,
  Freshness,
  LookupAnswer,
  LookupRefusal,
  LookupRequest,
  LookupResult,
  Orchestrator,
} from './types.ts';

export interface LookupParts extends ChainParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly cache: AnswerCache;
  /** The same question at other gateways; default: there are none. */
  readonly sharedCoalescing?: SharedCoalescing;
}

/**
 * How a question becomes an answer: kept and fresh enough? → any source at all? → join the same question if it already runs, else hold the
 * price and lead it → the chain of sources → checked, serialised once, kept.
 */
export function createOrchestrator(parts: LookupParts): Orchestrator {
  const { cache, clock } = parts;
  const prices = parts.settings.SIGHTLINE_PRICES;
  const coalescing = createCoalescing(parts.sharedCoalescing);

  async function lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult> {
    const cacheKey = cacheKeyOf(request.operation, request.input);
    const { freshness } = request;
    const span = { sinceMs: clock.now(), untilMs: request.deadlineMs };
    const cached = await cache.get(cacheKey);
    const usable = cached && usableNow(cached, freshness, clock.now());
    if (cached && usable) return fromCache(prices, request, cached, usable);
    if (freshness.onlyIfCached) return refusal(new ServiceError('NOT_CACHED'), null);

    const sources = sourcesFor(request.operation, request.input);
    if (!sources.length) {
      const { error, lacking } = notConfigured(parts.sources, parts.settings, request.operation, request.input);
      return { ok: false, refusal: { error, cacheStatus: null, attempts: [], upstreamMs: 0, at: null, lacking } };
    }

    const fwd = freshness.noCache ? 'request' : cached ? (cached.freshUntil > clock.now() ? 'request' : 'stale') : 'uri-miss';
    const store = !freshness.noStore;
    const lead = () => run(request, cacheKey, sources, store);
    // what may not be kept may not be shared either
    const ended = store
      ? await coalescing.join(cacheKey, request.charge, priceOf(prices, request.operation, request.input), span, lead)
      : await coalescing.alone(request.charge, priceOf(prices, request.operation, request.input), span, lead);
    if (!ended.ok) return refusal(ended.error, null);
    const { result, leads, joined } = ended;
    const cacheStatus: CacheStatus = { how: 'miss', fwd, stored: store && result.stored, collapsed: joined };
    if (result.cached) {
      if (result.cached.absent !== null) return notThere(result.cached, cacheStatus, result);
      return answered(prices, request, result.cached, cacheStatus, leads, result);
    }
    // the last copy that is known, labelled as stale, only where the request allows it
    const stale =
      cached && cached.absent === null && !freshness.noCache && staleness(cached, clock.now()) <= (freshness.staleIfErrorMs ?? -1);
    if (cached && stale) return answered(prices, request, cached, { how: 'stale', fwdStatus: result.error.status }, false, result);
    return { ok: false, refusal: { error: result.error, cacheStatus, attempts: result.attempts, upstreamMs: result.upstreamMs, at: null } };
  }

  /** Leads the lookup: the price is held already. Never rejects. */
  async function run<Id extends OperationId>(
    request: LookupRequest<Id>,
    cacheKey: string,
    sources: readonly Source[],
    store: boolean,
  ): Promise<Run> {
    const began = clock.now();
    const { outcome, attempts } = await runChain(parts, sources, request);
    const now = clock.now();
    const ended = { attempts, upstreamMs: now - began, stored: false };
    if (outcome.tag === 'found') {
      const operation = OPERATIONS[request.operation] as unknown as Operation<Id>;
      const bytes = Buffer.from(JSON.stringify(outcome.resource));
      const freshUntil = now + operation.freshForMs(outcome.resource, now);
      const cached: CachedAnswer = {
        bytes,
        etag: etagOf(outcome.resource as object, bytes),
        at: now,
        freshUntil,
        keepUntil: Math.max(freshUntil, now + operation.keepForMs),
        source: outcome.source,
        absent: null,
        delivered: outcome.delivered ?? null,
      };
      if (store) cache.set(cacheKey, cached);
      return { ...ended, cached, stored: store, error: null };
    }
    if (outcome.tag === 'absent') {
      const freshUntil = now + ABSENT_FRESH_MS;
      const cached: CachedAnswer = {
        bytes: Buffer.alloc(0),
        etag: '',
        at: now,
        freshUntil,
        keepUntil: freshUntil,
        source: outcome.source,
        absent: outcome.what,
        delivered: null,
      };
      if (store) cache.set(cacheKey, cached);
      else cache.delete(cacheKey); // a copy of what is gone must not be served stale
      return { ...ended, cached, stored: store, error: null };
    }
    return { ...ended, cached: null, error: failure(outcome) };
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
      const cached = await cache.get(cacheKeyOf(operation, input));
      return cached && cached.freshUntil > clock.now() ? cached : null;
    },
    purge: (operation, input) => cache.purge(operation, input && cacheKeyOf(operation, input)),
    ready: () => parts.engine.ready(),
    close: () => parts.engine.close(),
  };
}

type Ended = Pick<Run, 'attempts' | 'upstreamMs'>;
const NOTHING: Ended = { attempts: [], upstreamMs: 0 };

const staleness = (cached: CachedAnswer, now: number): number => now - cached.freshUntil;

/** Whether a kept answer may be served to this request without asking anybody; 'stale' only where the request allows it. */
function usableNow(cached: CachedAnswer, f: Freshness, now: number): 'fresh' | 'stale' | null {
  if (f.noCache) return null;
  if (f.maxAgeMs !== null && now - cached.at > f.maxAgeMs) return null;
  const late = staleness(cached, now);
  if (late < 0) return f.minFreshMs !== null && -late < f.minFreshMs ? null : 'fresh';
  if (f.minFreshMs !== null || cached.absent !== null) return null;
  return f.maxStaleMs !== null && late <= f.maxStaleMs ? 'stale' : null;
}

function fromCache<Id extends OperationId>(
  prices: Prices,
  request: LookupRequest<Id>,
  cached: CachedAnswer,
  usable: 'fresh' | 'stale',
): LookupResult {
  const cacheStatus: CacheStatus = usable === 'fresh' ? { how: 'hit' } : { how: 'stale', fwdStatus: null };
  return cached.absent === null ? answered(prices, request, cached, cacheStatus, false, NOTHING) : notThere(cached, cacheStatus, NOTHING);
}

function answered<Id extends OperationId>(
  prices: Prices,
  request: LookupRequest<Id>,
  cached: CachedAnswer,
  cacheStatus: CacheStatus,
  leads: boolean,
  ended: Ended,
): LookupResult {
  const answer: LookupAnswer = {
    cached,
    cacheStatus,
    leads,
    price: priceOf(prices, request.operation, request.input, cached.delivered ?? undefined),
    attempts: ended.attempts,
    upstreamMs: ended.upstreamMs,
  };
  return { ok: true, answer };
}
const notThere = (cached: CachedAnswer, cacheStatus: CacheStatus, ended: Ended): LookupResult => ({
  ok: false,
  refusal: {
    error: new ServiceError('NOT_FOUND', cached.absent ?? undefined),
    cacheStatus,
    attempts: ended.attempts,
    upstreamMs: ended.upstreamMs,
    at: cached.at,
  },
});
const refusal = (error: ServiceError, cacheStatus: LookupRefusal['cacheStatus']): LookupResult => ({
  ok: false,
  refusal: { error, cacheStatus, attempts: [], upstreamMs: 0, at: null },
});

function failure(outcome: { tag: string; what: string; source: string; retryAfterMs?: number | null; final?: true }): ServiceError {
  if (outcome.tag === 'defect') return new ServiceError('INTERNAL_ERROR', outcome.what);
  const name = errorOf[outcome.tag as keyof typeof errorOf] ?? 'INTERNAL_ERROR';
  // a platform that states no time still deserves a pause
  const waitSeconds =
    outcome.tag === 'limited' ? Math.max(1, Math.ceil(Math.min(outcome.retryAfterMs ?? 30_000, MAX_WAIT_MS) / 1000)) : null;
  return new ServiceError(name, adviceOn(outcome, waitSeconds), waitSeconds === null ? {} : { 'retry-after': String(waitSeconds) });
}
