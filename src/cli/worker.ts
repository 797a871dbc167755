import { createAdminServer } from '../gateway/admin/server.ts';
import { type Clock, realClock } from '../runtime/clock.ts';
import { readSettings, type Settings } from '../settings.ts';
import type { Source } from '../sources/source.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { VERSION } from '../upstream/http/user-agent.ts';
import { addressOf, listen } from './listen.ts';
import { openCaptures } from './open-captures.ts';
import { CAPTURES_CLOSE_MS, leveled } from './serve.ts';
import { composeFleet } from './service-fleet.ts';
import { stopOnSignals } from './stop-on-signals.ts';

export interface WorkerOptions {
  readonly log: Log;
  /** Names of sources; default: all configured sources. */
  readonly only?: readonly string[];
  /** Default: all that there are. */
  readonly sources?: readonly Source[];
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Runs attempts from the fleet's queues and serves metrics. */
export async function startWorker(settings: Settings, { log, only, sources, clock = realClock }: WorkerOptions) {
  const metrics = createMetrics({ version: VERSION });
  const recorder = openCaptures(settings, { clock, log, metrics });
  const part = await composeFleet(settings, leveled(log), {
    gateway: false,
    work: only ?? 'all',
    watchWork: metrics.watch,
    paid: metrics.paid,
    ...(sources && { sources }),
    clock,
    ...(recorder && { recorder }),
  });
  metrics.metrics('sightline_fleet', 'Members of the fleet, and whether Redis is available.', () => ({
    up: Number(part.fleet.up),
    ...part.fleet.seen,
  }));
  const admin = createAdminServer({ metrics, version: VERSION });
  try {
    await listen(admin, {
      port: settings.SIGHTLINE_ADMIN_PORT,
      host: settings.SIGHTLINE_WORKER_HOST,
      portSetting: 'SIGHTLINE_ADMIN_PORT',
      hostSetting: 'SIGHTLINE_WORKER_HOST',
    });
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

/** `sightline worker`. */
export async function worker(options: { sources?: string; json?: boolean }, overrides: { readonly clock?: Clock } = {}): Promise<void> {
  const settings = readSettings(process.env);
  const log = createLog({ level: settings.SIGHTLINE_LOG_LEVEL, pretty: process.stderr.isTTY ?? false });
  const only = options.sources?.split(',').filter(Boolean);
  const working = await startWorker(settings, { ...overrides, log, ...(only && { only }) });
  stopOnSignals(working.stop, { drainMs: settings.SIGHTLINE_DRAIN_MS, log });
  const { adminUrl, sources } = working;
  if (options.json) process.stdout.write(`${JSON.stringify({ admin: adminUrl, sources })}\n`);
  else
    process.stdout.write(
      `Sightline takes jobs for ${sources.join(', ') || 'no source: none is configured'} (metrics: ${adminUrl}/metrics)\n`,
    );
  log.info({ sources }, 'working');
}
