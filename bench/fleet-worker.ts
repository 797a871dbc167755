/** `worker` with the source of the bench. Prints one JSON line and works until SIGTERM. BENCH_REDIS_URL, BENCH_CONCURRENCY. */
import { startWorker } from '../src/cli/worker.ts';
import { readSettings } from '../src/settings.ts';
import { silent } from '../src/telemetry/log.ts';
import { say } from './resource.ts';
import { BENCH_SETTINGS, benchSource } from './source.ts';

const settings = readSettings({
  ...BENCH_SETTINGS,
  REDIS_URL: process.env.BENCH_REDIS_URL,
});
const working = await startWorker(settings, {
  log: silent,
  sources: [benchSource],
  concurrency: Number(process.env.BENCH_CONCURRENCY ?? 100),
});
say({ baseUrl: working.adminUrl });
process.on('SIGTERM', () => {
  working.stop().then(() => process.exit(0));
});
