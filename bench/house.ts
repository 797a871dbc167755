/**
 * The complete service with one source that answers 10 kB at once, or requests it from BENCH_UPSTREAM. Prints one JSON line and serves
 * until SIGTERM. BENCH_CHARGE=1 charges cache hits, BENCH_DATABASE_URL uses PostgreSQL, BENCH_COMMIT_DELAY_MS delays every commit,
 * BENCH_CACHED fills the cache with so many answers (of n-0.com and following), BENCH_STORE and BENCH_KEY use a prepared data folder and its
 * key, BENCH_TIMES=1: see service-times.ts.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useBundledPackages } from '../src/cli/bundled-packages.ts';
import { readSettings } from '../src/settings.ts';
import { silent } from '../src/telemetry/log.ts';
import { say } from './resource.ts';
import { reportServiceTimes } from './service-times.ts';
import { BENCH_SETTINGS, benchSource } from './source.ts';

async function house(): Promise<void> {
  // as src/cli/main.ts does
  useBundledPackages();
  const { startService } = await import('../src/cli/serve.ts');
  const dir = process.env.BENCH_STORE ?? mkdtempSync(join(tmpdir(), 'bench-'));
  const settings = readSettings({
    ...BENCH_SETTINGS,
    SIGHTLINE_DATA_DIR: dir,
    SIGHTLINE_CHARGE_CACHE_HITS: process.env.BENCH_CHARGE ?? '0',
    ...(process.env.SIGHTLINE_METRICS_TOKEN && { SIGHTLINE_METRICS_TOKEN: process.env.SIGHTLINE_METRICS_TOKEN }),
    ...(process.env.SIGHTLINE_CAPTURE && { SIGHTLINE_CAPTURE: process.env.SIGHTLINE_CAPTURE }),
    ...(process.env.BENCH_DATABASE_URL && { DATABASE_URL: process.env.BENCH_DATABASE_URL }),
  });
  const service = await startService(settings, {
    log: silent,
    sources: [benchSource],
    commitDelayMs: Number(process.env.BENCH_COMMIT_DELAY_MS ?? 0),
    ...(process.env.BENCH_CACHED && { cache: (await import('./prepared.ts')).filledCache(Number(process.env.BENCH_CACHED)) }),
  });
  const { admin } = service.accounts;
  const madeKey = async (): Promise<string> => {
    const first = await admin.ensureFirstAccount();
    if (first) return first.key;
    const { accountId } = await admin.createAccount({ name: `bench ${process.pid}`, credits: 900_000_000 });
    return (await admin.createKey({ accountId })).key;
  };
  const key = process.env.BENCH_KEY ?? (await madeKey());
  reportServiceTimes();
  say({ baseUrl: service.baseUrl, key });
  process.on('SIGTERM', () => {
    service.stop().then(() => {
      if (!process.env.BENCH_STORE) rmSync(dir, { recursive: true, force: true });
      process.exit(0);
    });
  });
}

await house();
