import { createAdminServer, reachOf } from '../gateway/admin/server.ts';
import { bareHttp } from '../gateway/http/request-context.ts';
import { type Clock, realClock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import { readSettings, type Settings } from '../settings.ts';
import { keyOfEntered, withEntered } from '../sources/credentials.ts';
import { openStore } from '../store/open.ts';
import type { StoreLog } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { listen, listeningAddress } from './listen.ts';
import { openCaptures } from './open-captures.ts';
import { type CredentialParts, followCredentials, keepsCredentials } from './open-credentials.ts';
import { CAPTURES_CLOSE_MS, leveled, openLog } from './serve.ts';
import type { LookupOptions } from './service.ts';
import { addFleetMetric, composeFleet } from './service-fleet.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { printResult } from './terminal.ts';

export interface WorkerOptions extends Pick<LookupOptions, 'sources' | 'clock'> {
  readonly log: Log;
  /** Names of sources; default: all configured sources. */
  readonly only?: readonly string[];
  readonly concurrency?: number;
}

/** The credentials that were entered in the console, where this worker has the store and the secret of its fleet; null: those of its environment alone. */
async function openEntered(settings: Settings, clock: Clock, log: StoreLog) {
  if (settings.DATABASE_URL === null || !keepsCredentials(settings)) return null;
  const store = await openStore({ settings, clock, log });
  const entered: CredentialParts['entered'] = new Map();
  const loaded: CredentialParts['loaded'] = { version: null };
  try {
    await followCredentials({ settings, store, clock, log, entered, loaded });
    return { entered, loaded, close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

export async function startWorker(settings: Settings, { log, only, sources, concurrency, clock = realClock }: WorkerOptions) {
  const metrics = createMetrics({ version: VERSION });
  const own = await openEntered(settings, clock, leveled(log));
  const entered = own?.entered ?? new Map<string, string>();
  const live = withEntered(settings, entered);
  const recorder = openCaptures(live, { clock, log: leveled(log), metrics });
  const { onAttempt, paid } = metrics;
  const options = {
    gateway: false,
    work: only ?? 'all',
    onAttempt,
    paid,
    sources,
    clock,
    recorder,
    concurrency,
    mayGain: own !== null,
    credentials: () => own?.loaded.version ?? null,
    keyOf: keyOfEntered(process.env, entered),
  } as const;
  const part = await composeFleet(live, leveled(log), options).catch(async (error: unknown) => {
    await own?.close();
    throw error;
  });
  addFleetMetric(metrics, part.fleet);
  const http = bareHttp({ clock, log, metrics, random: Math.random });
  const admin = createAdminServer({ http, version: VERSION, reach: reachOf(settings) });
  try {
    await listen(admin, settings, 'SIGHTLINE_ADMIN_PORT');
  } catch (error) {
    await part.close();
    await own?.close();
    throw error;
  }
  return {
    adminUrl: listeningAddress(admin.server),
    sources: [...new Set(part.sources)],
    async stop() {
      await part.close();
      await recorder?.close(CAPTURES_CLOSE_MS);
      await admin.close();
      await own?.close();
    },
  };
}

export async function worker(options: { sources?: string; json?: boolean }, overrides: Pick<LookupOptions, 'clock'> = {}): Promise<void> {
  const settings = readSettings(process.env);
  const log = openLog(settings.SIGHTLINE_LOG_LEVEL);
  const only = options.sources?.split(',').filter(Boolean);
  const { adminUrl, sources, stop } = await startWorker(settings, { ...overrides, log, only });
  stopOnSignals(stop, { drainMs: settings.SIGHTLINE_DRAIN_MS, log });
  const names = sources.join(', ') || 'no source: none is configured';
  printResult(options.json, { admin: adminUrl, sources }, () => `Sightline takes jobs for ${names} (metrics: ${adminUrl}/metrics)`);
  log.info({ sources }, 'working');
}
