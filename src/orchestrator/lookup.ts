import { missing, ServiceError } from '../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../contract/operations/define.ts';
import { type Input, OPERATIONS, type Operation, type OperationId } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { announcedSunset, daysUntil, inOrder, missingSettings } from '../sources/availability.ts';
import type { Source } from '../sources/source.ts';
import { type AnswerCache, cacheKeyOf, freshUntil } from './cache.ts';
import { type ChainParts, runChain } from './chain.ts';
import { createCoalescing, type Run, type SharedCoalescing } from './coalescing.ts';
import { failureOf, notConfigured } from './failure.ts';
import type { CachedAnswer, CacheStatus, Freshness, LookupRefusal, LookupRequest, LookupResult, Orchestrator } from './types.ts';

export interface LookupParts extends ChainParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly cache: AnswerCache;
  readonly sharedCoalescing?: SharedCoalescing;
}

/** One lookup: a fresh cached answer, else 501 without a source, else join the same lookup, else hold the price and lead it. */
export function createOrchestrator(parts: LookupParts): Orchestrator {
  const { cache, clock } = parts;
  const coalescing = createCoalescing(parts.sharedCoalescing);
  const isShared = parts.settings.SIGHTLINE_CACHE_SCOPE === 'shared';
  const keyOf = (operation: OperationId, input: Input, account?: string): string =>
    cacheKeyOf(operation, input, isShared ? undefined : account);

  async function lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult> {
    const cacheKey = keyOf(request.operation, request.input, request.account);
    const sinceMs = clock.now();
    const { noCache, noStore, onlyIfCached } = request.freshness;
    // `no-cache` uses no cached answer, whatever it is
    const cached = noCache ? undefined : await cache.get(cacheKey, !noStore && !onlyIfCached);
    const usable = cached && usableNow(cached, request.freshness, clock.now());
    return cached && usable ? fromCache(cached, usable) : lookupAtSources(request, cacheKey, cached, sinceMs);
  }

  async function lookupAtSources<Id extends OperationId>(
    request: LookupRequest<Id>,
    cacheKey: string,
    cached: CachedAnswer | undefined,
    sinceMs: number,
  ): Promise<LookupResult> {
    const { freshness } = request;
    // what another gateway stores meanwhile answers this request too: with `no-cache` only if it is newer than the request
    const oldest = freshness.noCache || freshness.minFreshMs !== null ? 0 : (freshness.maxAgeMs ?? sinceMs);
    const span = { sinceMs: sinceMs - oldest, untilMs: request.deadlineMs };
    const store = !freshness.noStore;
    if (freshness.onlyIfCached) return refusal(new ServiceError('NOT_CACHED'));

    const sources = sourcesFor(request.operation, request.input);
    if (!sources.length) {
      const { error, lacking } = notConfigured(parts.sources, parts.settings, request.operation, request.input, sinceMs);
      return refusal(error, { lacking });
    }

    const fwd = freshness.noCache ? 'request' : cached ? (freshUntil(cached) > clock.now() ? 'request' : 'stale') : 'uri-miss';
    const lead = (signal: AbortSignal | undefined) => runSources({ ...request, signal }, cacheKey, sources, store);
    // `no-store`: neither cached nor shared with other requests
    const { charge, signal } = request;
    const ended = await coalescing.join(store ? cacheKey : null, charge, span, lead, signal);
    if (!ended.ok) return refusal(ended.error);
    const { result, leads, joined } = ended;
    const cacheStatus: CacheStatus = { how: 'miss', fwd, stored: store && result.stored, collapsed: joined };
    if (result.cached) return answered(result.cached, cacheStatus, leads, result);
    // `stale-if-error`: the copy that is kept, which a request with `no-cache` did not read before
    const { staleIfErrorMs } = freshness;
    const fallback = staleIfErrorMs === null ? undefined : (cached ?? (await cache.get(cacheKey)));
    if (fallback && fallback.absent === undefined && staleness(fallback, clock.now()) <= (staleIfErrorMs ?? 0))
      return answered(fallback, { how: 'stale', fwdStatus: result.error.status }, false, result);
    return refusal(result.error, { cacheStatus, attempts: result.attempts, upstreamMs: result.upstreamMs });
  }

  /** Runs the lookup; the price is held already. Never rejects. */
  async function runSources<Id extends OperationId>(
    request: LookupRequest<Id>,
    cacheKey: string,
    sources: readonly Source[],
    store: boolean,
  ): Promise<Run> {
    const began = clock.now();
    const { outcome, attempts } = await runChain(parts, sources, { ...request, cacheKey: store ? cacheKey : undefined });
    const now = clock.now();
    const ended = { attempts, upstreamMs: now - began, stored: false };
    if (outcome.tag !== 'found' && outcome.tag !== 'absent') return { ...ended, cached: null, error: failureOf(outcome, request.input) };
    const { keepForMs }: Operation = OPERATIONS[request.operation];
    const found = outcome.tag === 'found' ? outcome : null;
    const freshForMs = found?.resource.freshForMs ?? ABSENT_FRESH_MS;
    const cached: CachedAnswer = {
      bytes: found?.resource.bytes ?? NO_BYTES,
      etag: found?.resource.etag ?? '',
      at: now,
      freshForMs,
      keepForMs: Math.max(freshForMs, found ? keepForMs : 0),
      source: outcome.source,
      unread: found?.unread ?? NO_FIELDS,
      ...(outcome.tag === 'absent' && { absent: outcome.what }),
      ...(found?.delivered !== undefined && { delivered: found.delivered }),
    };
    if (store) cache.set(cacheKey, cached);
    // the copy of a deleted resource must not be served stale
    else if (cached.absent !== undefined) cache.delete(cacheKey);
    return { ...ended, cached, stored: store, error: null };
  }

  function sourcesFor(operation: OperationId, input: Input): readonly Source[] {
    const able = parts.sources.filter(
      (s) => s.operations.includes(operation) && !missingSettings(s, parts.settings).length && (s.serves?.(operation, input) ?? true),
    );
    return inOrder(able, parts.settings);
  }

  return {
    cached({ operation, input, freshness, account }) {
      const cached = freshness.noCache ? undefined : cache.local(keyOf(operation, input, account));
      return cached && usableNow(cached, freshness, clock.now()) === 'fresh' ? fromCache(cached, 'fresh') : null;
    },
    lookup,
    async peek(operation, input, account) {
      const cached = await cache.get(keyOf(operation, input, account));
      return cached && freshUntil(cached) > clock.now() ? cached : null;
    },
    purge: (operation, input) => cache.purge(operation, input && isShared ? cacheKeyOf(operation, input) : undefined),
    sunsets() {
      const nowMs = clock.now();
      const configured = parts.sources.filter((source) => !missingSettings(source, parts.settings).length);
      return configured.flatMap((source) => {
        const sunset = announcedSunset(source, nowMs);
        if (!sunset) return [];
        const { date, what, instead } = sunset;
        return [{ source: source.id, date, daysLeft: daysUntil(sunset, nowMs), what, instead }];
      });
    },
    ready: () => parts.engine.ready(),
    close: () => parts.engine.close(),
  };
}

/** One list for all answers: each cached answer would keep its own. */
const NO_FIELDS: readonly string[] = [];
const NO_BYTES = Buffer.alloc(0);

type Ended = Pick<Run, 'attempts' | 'upstreamMs'>;
const NOTHING: Ended = { attempts: [], upstreamMs: 0 };

const staleness = (cached: CachedAnswer, now: number): number => now - freshUntil(cached);

/** Whether a cached answer satisfies the request; 'stale' only where the request allows it. */
function usableNow(cached: CachedAnswer, f: Freshness, now: number): 'fresh' | 'stale' | null {
  if (f.noCache) return null;
  if (f.maxAgeMs !== null && now - cached.at > f.maxAgeMs) return null;
  const late = staleness(cached, now);
  if (late < 0) return f.minFreshMs !== null && -late < f.minFreshMs ? null : 'fresh';
  if (f.minFreshMs !== null || cached.absent !== undefined) return null;
  return f.maxStaleMs !== null && late <= f.maxStaleMs ? 'stale' : null;
}

function fromCache(cached: CachedAnswer, usable: 'fresh' | 'stale'): LookupResult {
  const cacheStatus: CacheStatus = usable === 'fresh' ? { how: 'hit' } : { how: 'stale', fwdStatus: null };
  return answered(cached, cacheStatus, false, NOTHING);
}

const answered = (cached: CachedAnswer, cacheStatus: CacheStatus, leads: boolean, { attempts, upstreamMs }: Ended): LookupResult =>
  cached.absent === undefined
    ? { ok: true, answer: { cached, cacheStatus, leads, attempts, upstreamMs } }
    : refusal(missing(cached.absent), { cacheStatus, attempts, upstreamMs, at: cached.at });
const refusal = (error: ServiceError, more: Partial<LookupRefusal> = {}): LookupResult => ({
  ok: false,
  refusal: { error, cacheStatus: null, ...NOTHING, at: null, ...more },
});
