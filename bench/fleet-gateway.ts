/**
 * `serve --gateway` with the source of the bench. Prints one JSON line and serves until SIGTERM. BENCH_REDIS_URL; BENCH_KEEP=0 disables the
 * local cache; BENCH_DATABASE_URL: PostgreSQL; BENCH_PORT: a port that it shares with others.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../src/cli/serve.ts';
import { readSettings } from '../src/settings.ts';
import { silent } from '../src/telemetry/log.ts';
import { say } from './resource.ts';
import { BENCH_SETTINGS, benchSource } from './source.ts';

const dir = mkdtempSync(join(tmpdir(), 'bench-'));
const settings = readSettings({
  ...BENCH_SETTINGS,
  SIGHTLINE_DATA_DIR: dir,
  REDIS_URL: process.env.BENCH_REDIS_URL,
  ...(process.env.BENCH_DATABASE_URL && { DATABASE_URL: process.env.BENCH_DATABASE_URL }),
  ...(process.env.BENCH_PORT && { PORT: process.env.BENCH_PORT, SIGHTLINE_REUSE_PORT: '1' }),
  ...(process.env.BENCH_KEEP === '0' && { SIGHTLINE_CACHE_MAX_BYTES: '0' }),
});
const service = await startService(settings, { log: silent, sources: [benchSource], gatewayOnly: true });
const first = await service.accounts.admin.ensureFirstAccount();
say({ baseUrl: service.baseUrl, key: first?.key ?? '' });
process.on('SIGTERM', () => {
  service.stop().then(() => {
    rmSync(dir, { recursive: true, force: true });
    process.exit(0);
  });
});
