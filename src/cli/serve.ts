import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type AccountsParts, openAccounts, openServedStore } from '../accounts/accounts.ts';
import { loadCompiler } from '../contract/operations/define.ts';
import type { OfferedActions } from '../gateway/admin/routes.ts';
import { adminHostIn, adminToken, createAdminServer, type Reach, reachOf } from '../gateway/admin/server.ts';
import { listenOnSocket } from '../gateway/admin/socket.ts';
import { createEntrance, type Entrance } from '../gateway/console/entrance.ts';
import type { Listener } from '../gateway/http/listener.ts';
import { createRequestIds } from '../gateway/http/request-context.ts';
import { createServer } from '../gateway/server.ts';
import { createMcpRoute } from '../mcp/route.ts';
import type { AnswerCache } from '../orchestrator/cache.ts';
import { realClock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import { isLoopback } from '../runtime/loopback.ts';
import { readSettings, SettingError, type Settings } from '../settings.ts';
import { keyOfEntered, withEntered } from '../sources/credentials.ts';
import { openSpendingFile } from '../spending/spending.ts';
import { createDriftSums } from '../store/drift-sums.ts';
import { demandDataFolder } from '../store/sqlite/data-folder.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import type { Canary } from '../watches/canary-file.ts';
import { createTelling } from '../watches/notify/telling.ts';
import { sealStored } from '../watches/seal.ts';
import { createWatches } from '../watches/watches.ts';
import { createConsoleLinks } from './console.ts';
import { createSourceChecks } from './doctor-checks.ts';
import { createEvidence } from './evidence.ts';
import { listen, listeningAddress, reachable, redisUrl } from './listen.ts';
import { openCanaries } from './open-canaries.ts';
import { openCaptures, withCaptures } from './open-captures.ts';
import { type CredentialParts, createCredentialActions, followCredentials, keepsCredentials } from './open-credentials.ts';
import { createCachePurge } from './purge.ts';
import { composeLookups, type LookupOptions, type Lookups, openRequestSigner } from './service.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { announceTo, welcome } from './welcome.ts';

export type Service = Awaited<ReturnType<typeof startService>>;
export interface ServiceOverrides extends Pick<AccountsParts, 'commitDelayMs' | 'holdLife'>, Pick<LookupOptions, 'clock'> {
  readonly cache?: AnswerCache;
}
export interface ServiceOptions extends ServiceOverrides, Pick<AccountsParts, 'apps'>, Pick<LookupOptions, 'sources'> {
  /** By which sources and their credentials are checked; default: the table of the repository. */
  readonly facts?: readonly Canary[];
  readonly log: Log;
  /** Shows the link with which an installation that belongs to nobody is claimed; without it there is no /setup. */
  readonly announce?: (link: string) => void;
  /** Serves requests only; workers run the attempts. Without it a process of a fleet (REDIS_URL) does both. */
  readonly gatewayOnly?: boolean;
}

const WARM_AFTER_MS = 500;
export const CAPTURES_CLOSE_MS = 2_000;
export const leveled = (log: Log) => (level: 'debug' | 'info' | 'warn' | 'error', message: string, facts?: object) =>
  log[level](facts ?? {}, message);

/** Creates the components and listens. Rejects with an OperatorError for invalid settings, or if the folder is held. */
export async function startService(settings: Settings, options: ServiceOptions) {
  if (!isLoopback(settings.HOST) && !settings.SIGHTLINE_PUBLIC_URL) {
    throw new SettingError(
      'SIGHTLINE_PUBLIC_URL is required where HOST is not loopback: set it to the address under which clients reach the service.',
    );
  }
  if (options.gatewayOnly) redisUrl(settings);
  demandDataFolder(settings);
  const { log, holdLife, apps, commitDelayMs, announce, facts } = options;
  const metrics = createMetrics({ version: VERSION });
  const entered: CredentialParts['entered'] = new Map();
  const loaded: CredentialParts['loaded'] = { version: null };
  const live = { keyOf: keyOfEntered(process.env, entered), credentials: () => loaded.version };
  const { clock = realClock } = options;
  // before it joins a fleet, whose jobs it would take
  const store = await openServedStore({ settings, clock, log: leveled(log), commitDelayMs, apps });
  const lookups = await lookupsOf(withEntered(settings, entered), { ...options, ...live }, metrics).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { orchestrator, http } = lookups;
  const closers: ((untilMs: number) => Promise<unknown>)[] = [(untilMs) => lookups.close(untilMs)];
  const closeAll = async () => {
    // one deadline for requests in flight, then for attempts run for other processes
    const untilMs = clock.now() + settings.SIGHTLINE_DRAIN_MS;
    for (const close of closers.splice(0).reverse()) await close(untilMs);
  };
  try {
    let listening: string | null = null;
    const ownPorts: number[] = [];
    const accounts = await openAccounts({
      ...{ settings, clock, log: leveled(log), http, store, apps, holdLife },
      baseUrl: () => settings.SIGHTLINE_PUBLIC_URL ?? listening,
    });
    closers.push(() => accounts.close());
    const { record } = accounts;
    const credentials = await followCredentials({ settings, store, clock, log: leveled(log), entered, loaded });
    const telling = createTelling({
      ...{ settings, clock, now: () => store.now(), ownPorts: () => ownPorts },
      baseUrl: () => settings.SIGHTLINE_PUBLIC_URL ?? listening,
    });
    await sealStored({ store, now: () => store.now(), log: leveled(log), sealer: telling.sealer });
    const driftSums = createDriftSums(store.db);
    await lookups.drift.keep(driftSums);
    closers.push(() => lookups.drift.close());
    const canaryResults = await openCanaries(settings, accounts, metrics, leveled(log));
    const gateway = createServer({
      settings,
      accounts,
      orchestrator,
      clock,
      log,
      random: Math.random,
      version: VERSION,
      metrics,
      ...(lookups.takeLimits && { takeLimits: lookups.takeLimits }),
      holdLife,
      oauth: accounts.oauth,
      requestSigner: openRequestSigner(settings, clock),
      console: {
        ...accounts,
        ways: lookups.ways,
        ...(announce && {
          claiming: {
            setup: accounts.setup,
            announce: (code) => announce(setupLink(code)),
            operatorUrl: (host) =>
              `${reachable(listeningAddress(admin.server), adminHostIn(host, settings.SIGHTLINE_ADMIN_HOSTS) ?? undefined)}/console`,
          },
        }),
      },
      createMcp: createMcpRoute,
      createWatches: (shared) =>
        createWatches({
          ...{ ...shared, settings, store, record, orchestrator, clock, http, randomBytes, log: leveled(log) },
          now: () => store.now(),
          newRequestId: createRequestIds(Math.random, clock.now),
          ...telling,
        }),
    });
    const urls = () => ({
      baseUrl: settings.SIGHTLINE_PUBLIC_URL ?? listeningAddress(gateway.app.server),
      adminUrl: reachable(listeningAddress(admin.server)),
    });
    const setupLink = (code: string): string => `${urls().baseUrl}/setup#${code}`;
    const actions: OfferedActions = {
      ...withCaptures(accounts.admin, settings),
      listSources: async () => ({ sources: await lookups.sourceStates(), canaries: await canaryResults() }),
      checkSources: createSourceChecks(lookups.ports.settings, accounts.audit, lookups, facts),
      ...createCredentialActions(credentials, { ...lookups, facts, audit: accounts.audit }),
      showFleet: async () => lookups.fleet?.() ?? null,
      createConsoleLink: createConsoleLinks(accounts, urls),
      // the shared cache of a fleet is purged by `sightline cache purge`, which reaches every gateway
      purgeCache: settings.REDIS_URL ? undefined : createCachePurge(orchestrator, accounts.audit),
      ...createEvidence(settings, accounts.audit, lookups, driftSums),
    };
    const adminServer = (entrance: Entrance | null, reach?: Reach): Listener =>
      createAdminServer({ http: gateway.http, version: VERSION, manage: { actions, entrance }, reach });
    const { sessions, operatorKey } = accounts;
    const entrance = createEntrance(sessions, { adminToken: adminToken(settings.SIGHTLINE_DATA_DIR), operatorKey, publicUrl: null });
    const admin = adminServer(entrance, reachOf(settings));
    gateway.addOperatorConsole(admin, entrance);
    if (!settings.DATABASE_URL) {
      const socket = await listenOnSocket(adminServer(null), settings.SIGHTLINE_DATA_DIR);
      closers.push(() => socket.close());
    }
    metrics.metrics('sightline_ledger', 'What the ledger did since the start.', () => accounts.counts().ledger);
    metrics.metrics('sightline_usage_rows', 'Usage rows since the start.', () => accounts.counts().usage);
    closers.push(() => gateway.drain());
    await listen(gateway.app, settings, 'PORT');
    listening = listeningAddress(gateway.app.server);
    ownPorts.push(Number(new URL(listening).port));
    closers.push(() => admin.close());
    await listen(admin, settings, 'SIGHTLINE_ADMIN_PORT');
    ownPorts.push(Number(new URL(listeningAddress(admin.server)).port));
    const warming = setTimeout(() => warm(log), WARM_AFTER_MS).unref();
    closers.push(async () => clearTimeout(warming));
    /** `stop` waits for requests in flight, then closes everything. */
    return {
      baseUrl: listeningAddress(gateway.app.server),
      adminUrl: urls().adminUrl,
      accounts,
      /** Shows the link of the setup where nobody claimed the installation; in a fleet one gateway does. Whether this one did. */
      async announceSetup(): Promise<boolean> {
        if (!announce || (await accounts.setup.isClaimed())) return false;
        const made = await accounts.setup.begin(settings.DATABASE_URL !== null);
        if (made) announce(setupLink(made.code));
        return made !== null;
      },
      stop: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Imports modules soon after the start, so that the first lookup does not wait for them. */
function warm(log: Log): void {
  Promise.all([loadCompiler(), import('undici')]).catch((error: unknown) => log.error({ err: error }, 'a part could not be loaded'));
}

type LiveParts = Pick<LookupOptions, 'keyOf'> & { readonly credentials: () => string | null };
async function lookupsOf(settings: Settings, options: ServiceOptions & LiveParts, metrics: Metrics): Promise<Lookups> {
  const { sources, keyOf, credentials, clock = realClock, gatewayOnly } = options;
  const log = leveled(options.log);
  /** Fields that drift in this process: answers without them are captured. */
  const lost = new Set<string>();
  const isLost = (source: string, missing: readonly string[]): boolean => missing.some((field) => lost.has(`${source} ${field}`));
  const drifts = (source: string, field: string, isDrifting: boolean): void => {
    metrics.drifts(source, field, isDrifting);
    if (isDrifting) lost.add(`${source} ${field}`);
    else lost.delete(`${source} ${field}`);
  };
  const recorder = gatewayOnly ? undefined : openCaptures(settings, { clock, log, metrics, isLost });
  const given = { clock, onAttempt: metrics.onAttempt, drifts, paid: metrics.paid, sources, keyOf, recorder };
  const closingCaptures = (lookups: Lookups): Lookups => ({
    ...lookups,
    async close(untilMs) {
      await lookups.close(untilMs);
      await recorder?.close(CAPTURES_CLOSE_MS);
    },
  });
  if (!settings.REDIS_URL && !gatewayOnly) {
    const keeper = await openSpendingFile(resolve(settings.SIGHTLINE_DATA_DIR), log);
    return closingCaptures(await composeLookups(settings, log, { keeper, ...given, cache: options.cache }));
  }
  const { addFleetMetric, composeFleet } = await import('./service-fleet.ts');
  const part = { gateway: true, work: gatewayOnly ? null : 'all', mayGain: keepsCredentials(settings) } as const;
  const { fleet, lookups, close } = await composeFleet(settings, log, { ...part, ...given, credentials });
  if (!lookups) throw new Error('a gateway without lookups');
  addFleetMetric(metrics, fleet);
  return closingCaptures({ ...lookups, fleet: () => ({ up: fleet.up, ...fleet.seen, credentials: fleet.withCredentials }), close });
}

/** The log of a command that runs until it is stopped. */
export const openLog = (level: string): Log => createLog({ level, pretty: process.stderr.isTTY ?? false });

export async function serve(
  options: { port?: number; json?: boolean; gateway?: boolean },
  overrides: ServiceOverrides = {},
): Promise<void> {
  const settings = readSettings({ ...process.env, ...(options.port !== undefined && { PORT: String(options.port) }) });
  const log = openLog(settings.SIGHTLINE_LOG_LEVEL);
  const announce = announceTo(process.stdout, options.json === true);
  const service = await startService(settings, { ...overrides, log, announce, gatewayOnly: options.gateway === true });
  const isStopping = stopOnSignals(service.stop, { drainMs: settings.SIGHTLINE_DRAIN_MS, log });
  await welcome(service, settings, options.json === true, isStopping);
  // on a terminal the welcome said it, and its last line is the key
  if (options.json || !process.stdout.isTTY) log.info({ baseUrl: service.baseUrl }, 'listening');
}
