import { missing, ServiceError } from '../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../contract/operations/define.ts';
import { type Input, OPERATIONS, type Operation, type OperationId } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { announcedSunset, daysUntil, inOrder, missingSettings } from '../sources/availability.ts';
import type { Source } from '../sources/source.ts';
import { type Acceptance, type AnswerCache, acceptanceOf, acceptedAs, cacheKeyOf, freshUntil } from './cache.ts';
import { type ChainParts, runChain } from './chain.ts';
import { createCoalescing, type Run, type SharedCoalescing } from './coalescing.ts';
import { failureOf, notConfigured } from './failure.ts';
import type { CachedAnswer, CacheStatus, LookupRefusal, LookupRequest, LookupResult, Orchestrator } from './types.ts';

export interface LookupParts extends ChainParts {
  readonly sources: readonly Source[];
  readonly settings: Settings;
  readonly cache: AnswerCache;
  readonly sharedCoalescing?: SharedCoalescing;
}

/** One lookup: a fresh cached answer, else 501 without a source, else join the same lookup, else hold the price and lead it. */
export function createOrchestrator(parts: LookupParts): Orchestrator {
  const { cache, clock } = parts;
  const coalescing = createCoalescing({ cache, clock, shared: parts.sharedCoalescing });
  const isShared = parts.settings.SIGHTLINE_CACHE_SCOPE === 'shared';
  const keyOf = (operation: OperationId, input: Input, account?: string): string =>
    cacheKeyOf(operation, input, isShared ? undefined : account);

  async function lookup<Id extends OperationId>(request: LookupRequest<Id>): Promise<LookupResult> {
    const { operation, input, freshness } = request;
    const { noCache, noStore, onlyIfCached } = freshness;
    const cacheKey = keyOf(operation, input, request.account);
    const acceptance = acceptanceOf(freshness, clock.now());
    const local = cache.local(cacheKey);
    const accepted = local && acceptedAs(local, acceptance, clock.now());
    if (local && accepted) return fromCache(local, accepted);
    const sources = onlyIfCached ? NO_SOURCES : sourcesFor(operation, input);
    if (sources.length > 0 && !noStore) return lookupAtSources(request, cacheKey, acceptance, local, sources);

    // who leads no lookup reads the shared cache without a claim; `no-cache` uses no cached answer, whatever it is
    const cached = noCache ? undefined : await cache.get(cacheKey);
    const usable = cached && acceptedAs(cached, acceptance, clock.now());
    if (cached && usable) return fromCache(cached, usable);
    if (onlyIfCached) return refusal(new ServiceError('NOT_CACHED'));
    if (sources.length > 0) return lookupAtSources(request, cacheKey, acceptance, cached, sources);
    const { error, lacking } = notConfigured(parts.sources, parts.settings, operation, input, clock.now());
    return refusal(error, { lacking });
  }

  /** `local`: the answer in the cache of this process, which is not accepted. */
  async function lookupAtSources<Id extends OperationId>(
    request: LookupRequest<Id>,
    cacheKey: string,
    acceptance: Acceptance,
    local: CachedAnswer | undefined,
    sources: readonly Source[],
  ): Promise<LookupResult> {
    const { charge, deadlineMs, freshness, signal } = request;
    // `no-store`: neither cached nor shared with other requests
    const store = !freshness.noStore;
    const ended = await coalescing.join({
      cacheKey: store ? cacheKey : null,
      ...{ charge, acceptance, untilMs: deadlineMs, known: local, signal },
      lead: (aborted) => runSources({ ...request, signal: aborted }, cacheKey, sources, store),
    });
    if (!ended.ok) return refusal(ended.error);
    if ('cached' in ended) return fromCache(ended.cached, ended.as);
    const { result, leads, joined, known } = ended;
    const fwd = freshness.noCache ? 'request' : known ? (freshUntil(known) > clock.now() ? 'request' : 'stale') : 'uri-miss';
    const cacheStatus: CacheStatus = { how: 'miss', fwd, stored: store && result.stored, collapsed: joined };
    if (result.cached) return answered(result.cached, cacheStatus, leads, result);
    // `stale-if-error`: the cached copy, which a request with `no-cache` did not read before
    const { staleIfErrorMs } = freshness;
    const fallback = staleIfErrorMs === null ? undefined : (known ?? (await cache.get(cacheKey)));
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
    // the copy of a deleted resource must not be served stale
    if (!store && cached.absent !== undefined) cache.delete(cacheKey);
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
      const cached = cache.local(keyOf(operation, input, account));
      const nowMs = clock.now();
      return cached && acceptedAs(cached, acceptanceOf(freshness, nowMs), nowMs) === 'fresh' ? fromCache(cached, 'fresh') : null;
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
const NO_SOURCES: readonly Source[] = [];

type Ended = Pick<Run, 'attempts' | 'upstreamMs'>;
const NOTHING: Ended = { attempts: [], upstreamMs: 0 };

const staleness = (cached: CachedAnswer, now: number): number => now - freshUntil(cached);

function fromCache(cached: CachedAnswer, usable: 'fresh' | 'stale'): LookupResult {
  const cacheStatus: CacheStatus = usable === 'fresh' ? { how: 'hit' } : { how: 'stale', fwdStatus: null };
  return answered(cached, cacheStatus, false, NOTHING);
}

const answered = (cached: CachedAnswer, cacheStatus: CacheStatus, leads: boolean, { attempts, upstreamMs }: Ended): LookupResult =>
  cached.absent === undefined
    ? { ok: true, answer: { cached, cacheStatus, leads, attempts, upstreamMs } }
    : refusal(missing(cached.absent), { cacheStatus, attempts, upstreamMs, atMs: cached.at });
const refusal = (error: ServiceError, more: Partial<LookupRefusal> = {}): LookupResult => ({
  ok: false,
  refusal: { error, cacheStatus: null, ...NOTHING, atMs: null, ...more },
});
