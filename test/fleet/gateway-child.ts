import { startService } from '../../src/cli/serve.ts';
import { stopOnSignals } from '../../src/cli/stop-on-signals.ts';
import { readSettings } from '../../src/settings.ts';
import { absent, found } from '../../src/sources/outcome.ts';
import { silent } from '../../src/telemetry/log.ts';
import { PROOF } from '../support/evidence.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { sourceOf } from './engine-fixture.ts';

/** A gateway that also works as a worker, in its own process. Its source knows found.com only. Prints its address. */
const source = sourceOf(async (domain) =>
  domain === 'found.com' ? found({ ...registered(domain), contacts: [] }) : absent(PROOF, 'There is no such domain.'),
);
const settings = readSettings(process.env);
const service = await startService(settings, { log: silent, sources: [source] });
stopOnSignals(service.stop, { drainMs: settings.SIGHTLINE_DRAIN_MS, log: silent });
process.stdout.write(`ready ${service.baseUrl}\n`);
