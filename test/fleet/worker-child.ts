import { setTimeout as sleep } from 'node:timers/promises';
import { found } from '../../src/sources/outcome.ts';
import { sourceOf, sourceWorkers } from './engine-fixture.ts';

/**
 * A worker in its own process that starts attempts and never answers: `node worker-child.ts <redis url>`. Sends `begun` for each attempt.
 */
const [url = ''] = process.argv.slice(2);
await sourceWorkers(url, [
  sourceOf(async (domain) => {
    process.stdout.write(`begun ${domain}\n`);
    await sleep(60_000);
    return found({});
  }),
]);
process.stdout.write('ready\n');
