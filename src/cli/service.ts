import { randomBytes } from 'node:crypto';
import { serviceSecret } from '../accounts/oauth/sealer.ts';
import type { FleetState } from '../contract/admin/fleet-schema.ts';
import type { TakeLimits } from '../gateway/admission/rate-limits.ts';
import { createDrift, type DriftParts } from '../monitoring/drift.ts';
import { recordedPresence } from '../monitoring/recorded-presence.ts';
import { createSourceHealth } from '../monitoring/source-health.ts';
import { createBreakers } from '../orchestrator/breaker.ts';
import { type AnswerCache, createLocalCache } from '../orchestrator/cache.ts';
import type { ChainParts } from '../orchestrator/chain.ts';
import type { AttemptRecorder } from '../orchestrator/engine.ts';
import { createLocalEngine } from '../orchestrator/local-engine.ts';
import { createOrchestrator, type LookupParts } from '../orchestrator/lookup.ts';
import { sourceStates } from '../orchestrator/source-states.ts';
import { type Clock, realClock, steadyClock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import { createParserThreads } from '../sources/parser-threads.ts';
import type { KeyOf } from '../sources/recipes/recipe-source.ts';
import { loadSources } from '../sources/relay/connector.ts';
import type { Ports, Source } from '../sources/source.ts';
import { contractExamples, type Examples, waysOf } from '../sources/ways.ts';
import { type CountKeeper, createSpending } from '../spending/spending.ts';
import { createHttp } from '../upstream/http/client.ts';
import { readHosts } from '../upstream/http/host-map.ts';
import { createRequestSigner } from '../upstream/http/request-signer.ts';
import { createPace } from '../upstream/pace.ts';
import type { Spending } from '../upstream/ports.ts';
import { createWhois } from '../upstream/whois.ts';
import { knownFacts } from '../watches/source-checks.ts';

export interface Lookups extends Omit<ReturnType<typeof createLookups>, 'close'> {
  /** Members of the fleet; absent in a single process. */
  fleet?(): NonNullable<FleetState>;
  /** Over all gateways of a fleet; absent in a single process. */
  readonly takeLimits?: TakeLimits;
  /** Attempts run for other processes may finish until `untilMs` (epoch ms). */
  close(untilMs?: number): Promise<void>;
}

/** What signs requests of page sources; null unless SIGHTLINE_SIGN_REQUESTS is on. Throws a SettingError for what it lacks. */
export const openRequestSigner = (settings: Settings, clock: Clock) =>
  createRequestSigner({ settings, clock, randomBytes, secret: () => serviceSecret(settings, randomBytes) });

/** The ports of the sources. Pace, lease and daily caps apply to this process, unless a fleet passes shared ones. */
export async function createPorts(
  settings: Settings,
  log: Ports['log'],
  clock: Clock,
  { pace = createPace(steadyClock), ...shared }: Partial<Pick<Ports, 'pace' | 'lease' | 'spending' | 'paid'>> = {},
) {
  const hosts = await readHosts(settings.SIGHTLINE_HOSTS);
  const upstream = { settings, clock, pace, hosts, signer: openRequestSigner(settings, clock) };
  const [http, whois, parserThreads] = [createHttp(upstream), createWhois(upstream), createParserThreads({ clock })];
  return {
    ...{ settings, http, whois, pace, ...shared, parserThreads, clock, random: Math.random, log },
    async close() {
      await parserThreads.close();
      await http.close();
    },
  };
}

export interface LookupOptions extends Pick<Ports, 'paid'>, Pick<DriftParts, 'drifts'>, Pick<ChainParts, 'onAttempt'> {
  /** Default: all configured sources. */
  readonly sources?: readonly Source[];
  /** The value of a recipe's variable; default: that of the environment. */
  readonly keyOf?: KeyOf | undefined;
  readonly clock?: Clock;
  /** Records the upstream exchanges of the attempts that this process runs; default: none. */
  readonly recorder?: AttemptRecorder;
}

/** The orchestrator with breakers, health and drift of its sources, and their state for the operator. */
export function createLookups(
  parts: Pick<LookupParts, 'sources' | 'cache' | 'engine' | 'sharedCoalescing'> & { readonly ports: Ports; readonly spending: Spending },
  { onAttempt, drifts }: Pick<LookupOptions, 'onAttempt' | 'drifts'>,
) {
  const { sources, spending } = parts;
  const { settings, clock, log, http, pace, random } = parts.ports;
  const breakers = createBreakers();
  const health = createSourceHealth(clock, random);
  const drift = createDrift({ clock, log, recorded: recordedPresence(), drifts });
  const noteAttempt: ChainParts['onAttempt'] = (source, ended) => {
    health.onAttempt(source, ended);
    onAttempt?.(source, ended);
  };
  const orchestrator = createOrchestrator({ ...parts, settings, breakers, clock, random, onAttempt: noteAttempt, drift });
  /** Facts that hold for years name things that are there. */
  const exampleFacts = (): Examples =>
    settings.SIGHTLINE_HOSTS === null
      ? new Map(knownFacts().map(({ operation, parameters }) => [operation, parameters]))
      : contractExamples();
  let examples: Examples | null = null;
  return {
    orchestrator,
    drift,
    cache: parts.cache,
    engine: parts.engine,
    sources,
    http,
    clock,
    ports: parts.ports,
    ways() {
      examples ??= exampleFacts();
      return waysOf(sources, settings, examples);
    },
    sourceStates: () => sourceStates({ sources, settings, breakers, health, drift, pace, spending, clock }),
    close: () => orchestrator.close(),
  };
}

/** Wires what a lookup needs: ports, sources, engine, cache, orchestrator. No store is opened. */
export async function composeLookups(
  settings: Settings,
  log: Ports['log'],
  options: LookupOptions & { readonly keeper?: CountKeeper; readonly cache?: AnswerCache } = {},
): Promise<Lookups> {
  const { clock = realClock, cache = createLocalCache(settings.SIGHTLINE_CACHE_MAX_BYTES, clock.now) } = options;
  const sources = options.sources ?? (await loadSources(settings, process.env, options.keyOf));
  // all sources share one counter of the daily caps
  const spending = createSpending(clock, options.keeper);
  const ports = await createPorts(settings, log, clock, { spending, paid: options.paid });
  const engine = createLocalEngine(sources, ports, options.recorder);
  const lookups = createLookups({ sources, ports, spending, cache, engine }, options);
  return {
    ...lookups,
    async close() {
      await lookups.close();
      await ports.close();
    },
  };
}
