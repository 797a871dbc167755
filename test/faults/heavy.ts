/**
 * A service with one source that takes 50 ms to answer and 3 ms of CPU time on the main thread to parse. Prints `{"baseUrl", "admin",
 * "key"}` and serves until SIGTERM. `SIGHTLINE_DATA_DIR` is its folder, `SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS` the threshold of the load
 * shedder.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import type { Source } from '../../src/sources/source.ts';
import { silent } from '../../src/telemetry/log.ts';

const SOURCE_MS = 50;
const READ_MS = 3;
const heavy: Source = {
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  about: 'answers late and is heavy to read',
  open: () => ({
    async registration({ domain }) {
      await sleep(SOURCE_MS);
      const began = process.threadCpuUsage().user;
      while (process.threadCpuUsage().user - began < READ_MS * 1000);
      return found({
        domain,
        available: true,
        registrar: null,
        registeredOn: null,
        expiresOn: null,
        updatedOn: null,
        status: [],
        nameServers: [],
        dnssec: null,
        contacts: [],
        scrapedAt: '2026-11-01T00:00:00.000Z',
        source: 'authoritative',
      });
    },
  }),
};

const settings = readSettings({
  PORT: '0',
  SIGHTLINE_DATA_DIR: process.env.SIGHTLINE_DATA_DIR,
  ...(process.env.SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS && {
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: process.env.SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS,
  }),
  SIGHTLINE_FREE_CREDITS: '1000000',
  SIGHTLINE_RATE_PER_SECOND: '100000',
  SIGHTLINE_RATE_BURST: '100000',
  SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 100000, burst: 100000 } }),
});
const service = await startService(settings, { log: silent, sources: [heavy] });
const first = await service.accounts.admin.ensureFirstAccount();
process.stdout.write(`${JSON.stringify({ baseUrl: service.baseUrl, key: first?.key ?? '' })}\n`);
process.on('SIGTERM', () => void service.stop().then(() => process.exit(0)));
