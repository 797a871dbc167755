/**
 * The whole service on one source that answers 10 kB at once, or from BENCH_UPSTREAM: prints one JSON line and serves until SIGTERM.
 * BENCH_CHARGE=1 charges cache hits, BENCH_DATABASE_URL uses PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../src/cli/serve.ts';
import { silent } from '../src/gateway/log.ts';
import { jsonOf } from '../src/outside/answer.ts';
import { readSettings } from '../src/settings.ts';
import { changed, found } from '../src/sources/outcome.ts';
import type { Source } from '../src/sources/source.ts';
import { resource, say } from './resource.ts';

const source: Source = {
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  about: 'answers at once, or asks the upstream of the bench',
  open: ({ http }) => ({
    async registration({ domain }, { signal }) {
      const upstream = process.env.BENCH_UPSTREAM;
      if (!upstream) return found(resource(domain));
      const reply = await http.ask({
        url: `${upstream}/${domain}`,
        signal,
        named: true,
        pace: { key: 'bench', everyMs: 0.01, burst: 10_000 },
      });
      if (reply.tag !== 'answer') return reply;
      const body = jsonOf(reply.answer) as ReturnType<typeof resource> | undefined;
      return body ? found(body) : changed('no JSON');
    },
  }),
};

async function house(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-'));
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: dir,
    SIGHTLINE_FREE_CREDITS: '900000000',
    SIGHTLINE_RATE_PER_SECOND: '100000',
    SIGHTLINE_RATE_BURST: '100000',
    SIGHTLINE_ADDRESS_RATE_PER_SECOND: '100000',
    SIGHTLINE_ADDRESS_BURST: '100000',
    SIGHTLINE_PACE_PER_SECOND: '1000',
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    SIGHTLINE_CHARGE_CACHE_HITS: process.env.BENCH_CHARGE ?? '0',
    ...(process.env.BENCH_DATABASE_URL && { DATABASE_URL: process.env.BENCH_DATABASE_URL }),
  });
  const service = await startService(settings, { log: silent, sources: [source] });
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
