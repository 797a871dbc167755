import { createAdminServer } from '../gateway/admin/server.ts';
import { bareHttp } from '../gateway/http/request-context.ts';
import { realClock } from '../runtime/clock.ts';
import { VERSION } from '../runtime/installation.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { addressOf, listen } from './listen.ts';
import { openCaptures } from './open-captures.ts';
import { addFleetMetric, CAPTURES_CLOSE_MS, leveled, openLog } from './serve.ts';
import type { LookupOptions } from './service.ts';
import { composeFleet } from './service-fleet.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { printResult } from './terminal.ts';

export interface WorkerOptions extends Pick<LookupOptions, 'sources' | 'clock'> {
  readonly log: Log;
  /** Names of sources; default: all configured sources. */
  readonly only?: readonly string[];
  readonly concurrency?: number;
}

export async function startWorker(settings: Settings, { log, only, sources, concurrency, clock = realClock }: WorkerOptions) {
  const metrics = createMetrics({ version: VERSION });
  const recorder = openCaptures(settings, { clock, log: leveled(log), metrics });
  const { watch, paid } = metrics;
  const options = { gateway: false, work: only ?? 'all', watch, paid, sources, clock, recorder, concurrency } as const;
  const part = await composeFleet(settings, leveled(log), options);
  addFleetMetric(metrics, part.fleet);
  const admin = createAdminServer({ http: bareHttp({ clock, log, metrics, random: Math.random }), version: VERSION });
  try {
    await listen(admin, settings, 'SIGHTLINE_ADMIN_PORT');
  } catch (error) {
    await part.close();
    throw error;
  }
  return {
    adminUrl: addressOf(admin.server),
    sources: part.sources,
    async stop() {
      await part.close();
      await recorder?.close(CAPTURES_CLOSE_MS);
      await admin.close();
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
