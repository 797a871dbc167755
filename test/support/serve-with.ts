/**
 * Runs `sightline serve` and `sightline worker` in separate processes with values that a test replaces, from the environment:
 * SERVE_WITH_CLOCK_OFFSET_MS, SERVE_WITH_COMMIT_DELAY_MS, SERVE_WITH_HOLD_MARGIN_MS. Arguments are those of the command line.
 */
import { parseArgs } from 'node:util';
import { HOLD_LIFE, holdLifeOf } from '../../src/billing/charge.ts';
import { serve } from '../../src/cli/serve.ts';
import { worker } from '../../src/cli/worker.ts';
import { type Clock, realClock } from '../../src/runtime/clock.ts';

const number = (name: string): number => Number(process.env[name] ?? 0);
const offsetMs = number('SERVE_WITH_CLOCK_OFFSET_MS');
const clock: Clock = { now: () => Date.now() + offsetMs, sleep: realClock.sleep };

const { positionals, values } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' }, gateway: { type: 'boolean' } } });
const json = values.json === true;
if (positionals[0] === 'worker') await worker({ json }, { clock });
else {
  const holdLife = holdLifeOf(number('SERVE_WITH_HOLD_MARGIN_MS') || HOLD_LIFE.marginMs);
  await serve({ json, gateway: values.gateway === true }, { clock, holdLife, commitDelayMs: number('SERVE_WITH_COMMIT_DELAY_MS') });
}
