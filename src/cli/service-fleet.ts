import { randomBytes } from 'node:crypto';
import { createSharedCache } from '../fleet/cache.ts';
import { openChannels } from '../fleet/channels.ts';
import { createRedisCoalescing } from '../fleet/coalescing.ts';
import { createLeads, type Leads } from '../fleet/leads.ts';
import { createRedisLease } from '../fleet/lease.ts';
import { type Fleet, joinFleet } from '../fleet/membership.ts';
import { createRedisPace } from '../fleet/pace.ts';
import { createRedisPenalties } from '../fleet/penalties.ts';
import { listenForPurges, type Purges } from '../fleet/purge.ts';
import { createBullEngine } from '../fleet/queue.ts';
import { createRedisLimiters } from '../fleet/rate-limits.ts';
import { connectRedis } from '../fleet/redis.ts';
import { RedisError } from '../fleet/redis-start.ts';
import { createRedisSpending } from '../fleet/spending.ts';
import { startAttemptWorker } from '../fleet/worker.ts';
import { createBreakers } from '../orchestrator/breaker.ts';
import { createLocalCache } from '../orchestrator/cache.ts';
import type { ChainParts } from '../orchestrator/chain.ts';
import { createDrift, type DriftParts } from '../orchestrator/drift.ts';
import type { AttemptRecorder } from '../orchestrator/engine.ts';
import { createOrchestrator } from '../orchestrator/lookup.ts';
import { createSourceHealth } from '../orchestrator/source-health.ts';
import { sourceStates } from '../orchestrator/source-states.ts';
import { type Clock, realClock } from '../runtime/clock.ts';
import { SettingError, type Settings } from '../settings.ts';
import { missingSettings } from '../sources/configured.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { PaidMetrics, Ports, Source } from '../sources/source.ts';
import type { Spending } from '../upstream/ports.ts';
import { createPorts, type Lookups, watchBoth } from './service.ts';

/** Timeout of the shared cache's own Redis; the fleet's Redis is watched by its heartbeat. */
const CACHE_TIMEOUT_MS = 500;

export interface FleetOptions {
  /** Serves requests and sends their attempts to workers. */
  readonly gateway: boolean;
  /** Runs attempts of all configured sources, or of these; null: none. */
  readonly work: 'all' | readonly string[] | null;
  readonly watch?: ChainParts['watch'];
  /** Called before (null) and after each attempt that this process runs for the fleet. */
  readonly watchWork?: (source: string, ended: { tag: string; ms: number } | null) => void;
  readonly paid?: PaidMetrics;
  /** Called when a field of a source begins to drift, and when it no longer does. */
  readonly drifts?: DriftParts['drifts'];
  /** Records the upstream exchanges of the attempts that this process runs; default: none. */
  readonly recorder?: AttemptRecorder;
  readonly sources?: readonly Source[];
  /** Default: the machine's. */
  readonly clock?: Clock;
}
export interface FleetPart {
  readonly fleet: Fleet;
  /** Names of the sources whose attempts this process runs. */
  readonly sources: readonly string[];
  /** Null for a process that is only a worker. */
  readonly lookups: Lookups | null;
  running(): number;
  /** Running attempts may finish until `untilMs` (epoch ms; default: SIGHTLINE_DRAIN_MS from now). */
  close(untilMs?: number): Promise<void>;
}

/** Joins a fleet (REDIS_URL) as gateway, worker or both. Rejects if Redis is unreachable or unsuitable. */
export async function composeFleet(settings: Settings, log: Ports['log'], options: FleetOptions): Promise<FleetPart> {
  const url = settings.REDIS_URL;
  if (url === null) throw new SettingError('REDIS_URL is required: set it to the Redis or Valkey of the fleet.');
  const sources = options.sources ?? (await loadSources(settings, process.env));
  const own = workOf(sources, settings, options.work);
  const { clock = realClock } = options;
  const part = { gateway: options.gateway, sources: own.map((source) => source.id) };
  const closers: ((untilMs: number) => unknown)[] = [];
  const close = async (untilMs = clock.now() + settings.SIGHTLINE_DRAIN_MS): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end(untilMs);
  };
  try {
    const fleet = await joinFleet({ url, clock, log, part, newId: () => randomBytes(9).toString('base64url') });
    closers.push(() => fleet.close());
    const spending = createRedisSpending({ fleet });
    closers.push(() => spending.close());
    const ports = await createPorts(settings, log, clock, {
      pace: createRedisPace({ fleet, clock }),
      lease: createRedisLease({ fleet, clock }),
      spending,
      ...(options.paid && { paid: options.paid }),
    });
    closers.push(() => ports.close());
    const worker = own.length
      ? startAttemptWorker({
          fleet,
          url,
          sources: own,
          ports,
          concurrency: settings.SIGHTLINE_WORKER_CONCURRENCY,
          ...(options.watchWork && { watch: options.watchWork }),
          ...(options.recorder && { recorder: options.recorder }),
        })
      : null;
    if (worker)
      closers.push(async (untilMs) => {
        await fleet.retire();
        await worker.close(Math.max(0, untilMs - clock.now()));
      });
    const lookups = options.gateway ? await gatewayOf({ settings, fleet, url, sources, ports, spending, options }) : null;
    if (lookups) closers.push(() => lookups.close());
    return { fleet, sources: part.sources, lookups, running: () => worker?.running() ?? 0, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface GatewayParts {
  readonly settings: Settings;
  readonly fleet: Fleet;
  readonly url: string;
  readonly sources: readonly Source[];
  readonly ports: Ports;
  readonly spending: Spending;
  readonly options: FleetOptions;
}
async function gatewayOf({ settings, fleet, url, sources, ports, spending, options }: GatewayParts): Promise<Lookups> {
  const { clock, log } = ports;
  const channels = await openChannels(url, log);
  const local = createLocalCache(settings.SIGHTLINE_CACHE_MAX_BYTES, clock.now);
  const purges = await listenForPurges({ fleet, channels, local, clock, log });
  const leads = createLeads({ fleet, clock });
  const shared = await sharedCache(settings, fleet, purges, local, leads, ports);
  const sharedCoalescing = createRedisCoalescing({ fleet, channels, leads, latest: shared.latest, clock, log });
  const breakers = createBreakers();
  const health = createSourceHealth(clock, Math.random);
  const drift = createDrift({ clock, log, ...(options.drifts && { drifts: options.drifts }) });
  const orchestrator = createOrchestrator({
    sources,
    settings,
    cache: shared.cache,
    sharedCoalescing,
    engine: await createBullEngine({ fleet, url, clock, log }),
    breakers,
    clock,
    random: Math.random,
    watch: watchBoth(health, options.watch),
    drift,
  });
  return {
    orchestrator,
    drift,
    cache: shared.cache,
    http: ports.http,
    clock,
    sourceStates: () => sourceStates({ sources, settings, breakers, health, drift, pace: ports.pace, spending, clock }),
    limiters: {
      ...createRedisLimiters(fleet),
      sharedPenalties: await createRedisPenalties({ fleet, channels, clock, log }),
    },
    async close() {
      await orchestrator.close();
      await sharedCoalescing.close();
      await purges.close();
      channels.close();
      shared.close();
    },
  };
}

async function sharedCache(settings: Settings, fleet: Fleet, purges: Purges, local: Lookups['cache'], leads: Leads, { clock, log }: Ports) {
  const maxBytes = settings.SIGHTLINE_SHARED_CACHE_MAX_BYTES;
  if (maxBytes === 0) return { cache: local, latest: null, close: () => {} };
  const own = settings.SIGHTLINE_CACHE_URL ? connectRedis(settings.SIGHTLINE_CACHE_URL, log) : null;
  await own?.connect().catch((error: Error) => {
    throw new RedisError(`Redis (SIGHTLINE_CACHE_URL) does not answer: ${error.message}`);
  });
  const cache = createSharedCache({
    local,
    redis: own ?? fleet.redis,
    up: own ? () => own.status === 'ready' && fleet.up : () => fleet.up,
    messages: fleet.redis,
    purges,
    now: clock.now,
    aheadMs: () => fleet.now() - clock.now(),
    maxBytes,
    ...(own && { timeout: { clock, ms: CACHE_TIMEOUT_MS } }),
    leads: own ? null : leads,
    log,
  });
  return { cache, latest: cache.latest, close: () => own?.disconnect() };
}

/** The configured sources, or the named ones. Throws a SettingError for an unknown source or one whose settings are missing. */
function workOf(sources: readonly Source[], settings: Settings, wanted: FleetOptions['work']): readonly Source[] {
  if (wanted === null) return [];
  const configured = sources.filter((s) => !missingSettings(s, settings).length);
  if (wanted === 'all') return configured;
  return wanted.map((name) => {
    const source = sources.find((s) => s.id === name);
    if (!source) throw new SettingError(`There is no source ${JSON.stringify(name)}: 'sightline sources' lists all.`);
    const lacking = missingSettings(source, settings);
    if (lacking.length) throw new SettingError(`Source ${name} is not configured: it lacks ${lacking.join(', ')}.`);
    return source;
  });
}
