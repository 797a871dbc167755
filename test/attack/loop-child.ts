/**
 * `sightline serve` in a process that measures its event loop. Sends its base URL, its admin URL and a key to its parent. It answers each
 * message with the longest delay of the event loop since the previous message, in ms.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';

const delay = monitorEventLoopDelay({ resolution: 5 });
const service = await startService(readSettings(process.env), { log: silent });
const first = await service.accounts.admin.ensureFirstAccount();
delay.enable();
process.on('message', () => {
  process.send?.(delay.max / 1e6);
  delay.reset();
});
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
process.send?.({ baseUrl: service.baseUrl, key: first?.key });
