/**
 * `sightline serve` and `sightline worker` as processes of their own with values that a test replaces, from the environment:
 * SERVE_WITH_CLOCK_OFFSET_MS, SERVE_WITH_COMMIT_DELAY_MS. Arguments as those of the command line.
 */
import { parseArgs } from 'node:util';
import { serve } from '../../src/cli/serve.ts';
import { worker } from '../../src/cli/worker.ts';
import { type Clock, realClock } from '../../src/runtime/clock.ts';

const number = (name: string): number => Number(process.env[name] ?? 0);
const offsetMs = number('SERVE_WITH_CLOCK_OFFSET_MS');
const clock: Clock = { now: () => Date.now() + offsetMs, sleep: realClock.sleep };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' }, gateway: { type: 'boolean' } } });
const json = values.json === true;
if (positionals[0] === 'worker') await worker({ json }, { clock });
else await serve({ json, gateway: values.gateway === true }, { clock, commitDelayMs: number('SERVE_WITH_COMMIT_DELAY_MS') });
