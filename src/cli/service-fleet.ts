import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { thereIsNo } from '../contract/parameters/misspelt.ts';
import { createSharedCache } from '../fleet/cache.ts';
import { openChannels } from '../fleet/channels.ts';
import { createRedisCoalescing } from '../fleet/coalescing.ts';
import { createLeads, type Leads } from '../fleet/leads.ts';
import { createRedisLease } from '../fleet/lease.ts';
import { type Fleet, type FleetParts, joinFleet } from '../fleet/membership.ts';
import { createRedisPace } from '../fleet/pace.ts';
import { listenForPurges, type Purges } from '../fleet/purge.ts';
import { createBullEngine } from '../fleet/queue.ts';
import { createRedisLimits } from '../fleet/rate-limits.ts';
import { connectOnce, connectRedis } from '../fleet/redis.ts';
import { createRedisSpending } from '../fleet/spending.ts';
import { startAttemptWorker } from '../fleet/worker.ts';
import { createLocalCache } from '../orchestrator/cache.ts';
import { realClock } from '../runtime/clock.ts';
import { SettingError, type Settings } from '../settings.ts';
import { missingSettings } from '../sources/availability.ts';
import { credentialsNeeded } from '../sources/credentials.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { Ports, Source } from '../sources/source.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { redisUrl } from './listen.ts';
import { createLookups, createPorts, type LookupOptions, type Lookups } from './service.ts';

export interface FleetOptions extends Omit<LookupOptions, 'onAttempt'> {
  /** Serves requests and sends their attempts to workers. */
  readonly gateway: boolean;
  /** Runs attempts of all configured sources, or of these; null: none. */
  readonly work: 'all' | readonly string[] | null;
  /** Credentials may be entered while it runs: it also takes work of sources that lack nothing else. */
  readonly mayGain?: boolean;
  /** Called before (null) and after each attempt: of a gateway of those that it sends, else of those that this process runs. */
  readonly onAttempt: Metrics['onAttempt'];
  /** Attempts that run at once in this process; how many reach a source, its pace decides. Default: 500. */
  readonly concurrency?: number | undefined;
  /** What this process has loaded of the credentials that were entered. */
  readonly credentials?: FleetParts['credentials'];
}

/** Joins a fleet (REDIS_URL) as gateway, worker or both. Rejects if Redis is unreachable or unsuitable. */
export async function composeFleet(settings: Settings, log: Ports['log'], options: FleetOptions) {
  const url = redisUrl(settings);
  const sources = options.sources ?? (await loadSources(settings, process.env, options.keyOf));
  const own = workOf(sources, settings, options);
  const { clock = realClock, paid, recorder, credentials, concurrency = 500 } = options;
  const part = { gateway: options.gateway, sources: own.map((source) => source.id) };
  const closers: ((untilMs: number) => unknown)[] = [];
  /** Running attempts may finish until `untilMs` (epoch ms; default: SIGHTLINE_DRAIN_MS from now). */
  const close = async (untilMs = clock.now() + settings.SIGHTLINE_DRAIN_MS): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end(untilMs);
  };
  try {
    const newId = (): string => `${hostname()}.${process.pid}.${randomBytes(9).toString('base64url')}`;
    const fleet = await joinFleet({ url, clock, log, part, credentials, newId });
    closers.push(() => fleet.close());
    const spending = createRedisSpending({ fleet });
    closers.push(() => spending.close());
    const shared = { pace: createRedisPace({ fleet, clock }), lease: createRedisLease({ fleet, clock }), spending, paid };
    const ports = await createPorts(settings, log, clock, shared);
    closers.push(() => ports.close());
    if (own.length) {
      const onAttempt = options.gateway ? undefined : options.onAttempt;
      const worker = startAttemptWorker({ fleet, url, sources: own, ports, concurrency, onAttempt, recorder });
      closers.push(async (untilMs) => {
        await fleet.retire();
        await worker.close(Math.max(0, untilMs - clock.now()));
      });
    }
    const lookups = options.gateway ? await openGateway(fleet, url, { sources, ports, spending }, options) : null;
    if (lookups) closers.push(() => lookups.close());
    /** `sources`: names of those whose attempts this process runs. `lookups`: null for a process that is only a worker. */
    return { fleet, sources: part.sources, lookups, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openGateway(
  fleet: Fleet,
  url: string,
  parts: Pick<Parameters<typeof createLookups>[0], 'sources' | 'ports' | 'spending'>,
  options: FleetOptions,
): Promise<Lookups> {
  const { settings, clock, log } = parts.ports;
  const channels = await openChannels(url, log);
  const local = createLocalCache(settings.SIGHTLINE_CACHE_MAX_BYTES, clock.now);
  const purges = await listenForPurges({ fleet, channels, local, clock, log });
  const leads = createLeads({ fleet, clock });
  const shared = await sharedCache(fleet, purges, local, leads, parts.ports);
  const sharedCoalescing = createRedisCoalescing({ fleet, channels, leads, cache: shared.cache, local, clock, log });
  const engine = await createBullEngine({ fleet, url, clock, log, leads });
  const lookups = createLookups({ ...parts, cache: shared.cache ?? local, sharedCoalescing, engine }, options);
  return {
    ...lookups,
    takeLimits: createRedisLimits(fleet),
    async close() {
      await lookups.close();
      await sharedCoalescing.close();
      await purges.close();
      channels.close();
      shared.close();
    },
  };
}

async function sharedCache(fleet: Fleet, purges: Purges, local: Lookups['cache'], leads: Leads, { settings, clock, log }: Ports) {
  const maxBytes = settings.SIGHTLINE_SHARED_CACHE_MAX_BYTES;
  if (maxBytes === 0) return { cache: null, close: () => {} };
  const own = settings.SIGHTLINE_CACHE_URL ? connectRedis(settings.SIGHTLINE_CACHE_URL, log) : null;
  if (own) await connectOnce('SIGHTLINE_CACHE_URL', own);
  const cache = createSharedCache({ fleet, clock, log, local, own, purges, maxBytes, leads });
  return { cache, close: () => own?.disconnect() };
}

/** The configured sources, or the named ones. Throws a SettingError for an unknown source or one whose settings are missing. */
function workOf(sources: readonly Source[], settings: Settings, { work: wanted, mayGain = false }: FleetOptions): readonly Source[] {
  if (wanted === null) return [];
  const lacksNothing = (s: Source): boolean => missingSettings(s, settings).every((name) => mayGain && credentialsNeeded(s).includes(name));
  const configured = sources.filter(lacksNothing);
  if (wanted === 'all') return configured;
  return [...new Set(wanted)].flatMap((name) => {
    // several sources may have one name: each answers other operations
    const named = sources.filter((s) => s.id === name);
    if (named.length === 0) throw new SettingError(thereIsNo('source', name, [...new Set(sources.map(({ id }) => id))]));
    const own = named.filter(lacksNothing);
    if (own.length > 0) return own;
    const lacking = new Set(named.flatMap((source) => missingSettings(source, settings)));
    throw new SettingError(`Source ${name} is not configured: it lacks ${[...lacking].join(', ')}.`);
  });
}

export const addFleetMetric = ({ metrics }: Metrics, fleet: Fleet): void =>
  metrics('sightline_fleet', 'Members of the fleet, and whether Redis is available.', () => ({ up: Number(fleet.up), ...fleet.seen }));
