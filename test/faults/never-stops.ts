/** A process that serves nothing and whose shutdown never ends. It prints a line once its signal handlers are installed. */
import { stopOnSignals } from '../../src/cli/stop-on-signals.ts';
import { createLog } from '../../src/telemetry/log.ts';

const log = createLog({ level: 'info', pretty: false });
stopOnSignals(() => new Promise(() => {}), { drainMs: 50, closeMs: 50, log });
setInterval(() => {}, 1_000_000);
process.stdout.write('ready\n');
