import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../../src/cli/serve.ts';
import { stopOnSignals } from '../../src/cli/stop-on-signals.ts';
import { startWorker } from '../../src/cli/worker.ts';
import { readSettings } from '../../src/settings.ts';
import { found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { sourceOf } from './engine-fixture.ts';

/** A process of a fleet, by its role, with one source that starts and never answers. Sends `begun` for each attempt. */
const [role = ''] = process.argv.slice(2);
const settings = readSettings(process.env);
const stopOptions = { drainMs: settings.SIGHTLINE_DRAIN_MS, log: silent };
const sources = [
  sourceOf(async (domain) => {
    process.stdout.write(`begun ${domain}\n`);
    await sleep(60_000);
    return found({});
  }),
];
if (role === 'worker') {
  stopOnSignals((await startWorker(settings, { log: silent, sources })).stop, stopOptions);
  process.stdout.write('ready\n');
} else {
  const service = await startService(settings, { log: silent, sources, gatewayOnly: role === 'gateway' });
  stopOnSignals(service.stop, stopOptions);
  const first = await service.accounts.admin.ensureFirstAccount();
  process.stdout.write(`ready ${service.baseUrl} ${first?.key}\n`);
}
