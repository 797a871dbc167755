/**
 * The complete service with one source that answers 10 kB at once, or requests it from BENCH_UPSTREAM. Prints one JSON line and serves
 * until SIGTERM. BENCH_CHARGE=1 charges cache hits, BENCH_DATABASE_URL uses PostgreSQL, BENCH_COMMIT_DELAY_MS delays every commit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../src/cli/serve.ts';
import { readSettings } from '../src/settings.ts';
import { silent } from '../src/telemetry/log.ts';
import { say } from './resource.ts';
import { BENCH_SETTINGS, benchSource } from './source.ts';

async function house(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const settings = readSettings({
    ...BENCH_SETTINGS,
    SIGHTLINE_DATA_DIR: dir,
    SIGHTLINE_CHARGE_CACHE_HITS: process.env.BENCH_CHARGE ?? '0',
    ...(process.env.SIGHTLINE_CAPTURE && { SIGHTLINE_CAPTURE: process.env.SIGHTLINE_CAPTURE }),
    ...(process.env.BENCH_DATABASE_URL && { DATABASE_URL: process.env.BENCH_DATABASE_URL }),
  });
  const service = await startService(settings, {
    log: silent,
    sources: [benchSource],
    commitDelayMs: Number(process.env.BENCH_COMMIT_DELAY_MS ?? 0),
  });
  const { admin } = service.accounts;
  const first = await admin.ensureFirstAccount();
  const account =
    first ??
    (await admin.createKey({ accountId: (await admin.createAccount({ name: `bench ${process.pid}`, credits: 900_000_000 })).accountId }));
  say({ baseUrl: service.baseUrl, key: account.key });
  process.on('SIGTERM', () => {
    service.stop().then(() => {
      rmSync(dir, { recursive: true, force: true });
      process.exit(0);
    });
  });
}

await house();
