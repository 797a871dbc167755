import type { SharedPenalties } from '../gateway/admission/penalties.ts';
import type { Limiter, TakeInOrder } from '../gateway/admission/rate-limits.ts';
import { createBreakers } from '../orchestrator/breaker.ts';
import { type AnswerCache, createLocalCache } from '../orchestrator/cache.ts';
import type { ChainParts } from '../orchestrator/chain.ts';
import { createDrift, type Drift, type DriftParts } from '../orchestrator/drift.ts';
import type { AttemptRecorder } from '../orchestrator/engine.ts';
import { createLocalEngine } from '../orchestrator/local-engine.ts';
import { createOrchestrator } from '../orchestrator/lookup.ts';
import { createSourceHealth, type SourceHealth } from '../orchestrator/source-health.ts';
import { type SourceState, sourceStates } from '../orchestrator/source-states.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import { realClock, steadyClock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { createParserThreads } from '../sources/parser-threads.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { PaidMetrics, Ports, Source } from '../sources/source.ts';
import { type CountKeeper, createSpending } from '../spending/spending.ts';
import { paceOfAttempts } from '../upstream/attempt-context.ts';
import { createHttp } from '../upstream/http/client.ts';
import { readHosts } from '../upstream/http/host-map.ts';
import { createPace } from '../upstream/pace.ts';
import type { Http, Lease, Pace, Spending } from '../upstream/ports.ts';
import { createWhois } from '../upstream/whois.ts';

export interface Lookups {
  readonly orchestrator: Orchestrator;
  readonly drift: Drift;
  readonly cache: AnswerCache;
  readonly http: Http;
  readonly clock: Clock;
  /** The state of every source, for the operator. */
  sourceStates(): Promise<readonly SourceState[]>;
  /** Members of the fleet; absent in a single process. */
  fleet?(): { readonly up: boolean; readonly gateways: number; readonly workers: number };
  /** Shared by a fleet; absent in a single process. */
  readonly limiters?: {
    readonly addressLimiter: Limiter;
    readonly accountLimiter: Limiter;
    readonly takeInOrder: TakeInOrder;
    readonly sharedPenalties: SharedPenalties;
  };
  /** Attempts run for other processes may finish until `untilMs` (epoch ms). */
  close(untilMs?: number): Promise<void>;
}

/** The ports of the sources. Pace, lease and daily caps apply to this process, unless a fleet passes shared ones. */
export async function createPorts(
  settings: Settings,
  log: Ports['log'],
  clock: Clock,
  shared: { pace?: Pace; lease?: Lease; spending?: Spending; paid?: PaidMetrics } = {},
): Promise<Ports & { close(): Promise<void> }> {
  const pace = paceOfAttempts(shared.pace ?? createPace(steadyClock), clock);
  const hosts = await readHosts(settings.SIGHTLINE_HOSTS);
  const http = createHttp({ settings, clock, pace, hosts });
  const whois = createWhois({ settings, clock, pace, hosts });
  const { lease, spending, paid } = shared;
  const parserThreads = createParserThreads({ clock });
  return {
    settings,
    http,
    whois,
    pace,
    ...(lease && { lease }),
    ...(spending && { spending }),
    ...(paid && { paid }),
    parserThreads,
    clock,
    random: Math.random,
    log,
    async close() {
      await parserThreads.close();
      await http.close();
    },
  };
}

export interface LookupOptions {
  readonly watch?: ChainParts['watch'];
  readonly paid?: PaidMetrics;
  /** Default: all configured sources. */
  readonly sources?: readonly Source[];
  /** Persists the counts of the daily caps across restarts. */
  readonly keeper?: CountKeeper;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Records the upstream exchanges of attempts; default: none. */
  readonly recorder?: AttemptRecorder;
  /** Default: one of SIGHTLINE_CACHE_MAX_BYTES. */
  readonly cache?: AnswerCache;
  /** Called when a field of a source begins to drift, and when it no longer does. */
  readonly drifts?: DriftParts['drifts'];
}

/** Passes the attempts to the health of the sources and, if given, to `watch`. */
export const watchBoth =
  (health: SourceHealth, watch: ChainParts['watch']): NonNullable<ChainParts['watch']> =>
  (source, ended) => {
    health.watch(source, ended);
    watch?.(source, ended);
  };

/** Wires what a lookup needs: ports, sources, engine, cache, orchestrator. No store is opened. */
export async function composeLookups(
  settings: Settings,
  log: Ports['log'],
  { watch, paid, keeper, recorder, drifts, clock = realClock, ...given }: LookupOptions = {},
): Promise<Lookups> {
  const sources = given.sources ?? (await loadSources(settings, process.env));
  // all sources share one counter of the daily caps
  const spending = createSpending(clock, keeper);
  const ports = await createPorts(settings, log, clock, { spending, ...(paid && { paid }) });
  const { http } = ports;
  const engine = createLocalEngine(sources, ports, recorder);
  const cache = given.cache ?? createLocalCache(settings.SIGHTLINE_CACHE_MAX_BYTES, clock.now);
  const breakers = createBreakers();
  const health = createSourceHealth(clock, Math.random);
  const drift = createDrift({ clock, log, ...(drifts && { drifts }) });
  const orchestrator = createOrchestrator({
    sources,
    settings,
    cache,
    engine,
    breakers,
    clock,
    random: Math.random,
    watch: watchBoth(health, watch),
    drift,
  });
  return {
    orchestrator,
    drift,
    cache,
    http,
    clock,
    sourceStates: () => sourceStates({ sources, settings, breakers, health, drift, pace: ports.pace, spending, clock }),
    async close() {
      await orchestrator.close();
      await ports.close();
    },
  };
}
