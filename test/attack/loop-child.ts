/**
 * `sightline serve` in a process that measures the CPU time of its main thread. Sends its base URL, its admin URL and a key to its parent. It
 * answers each message with the CPU times since the previous message, in ms.
 */
import { startService } from '../../src/cli/serve.ts';
import { readSettings } from '../../src/settings.ts';
import { silent } from '../../src/telemetry/log.ts';

export interface CpuTimes {
  /** of the whole process */
  readonly processMs: number;
  /** of the longest turn of the event loop */
  readonly longestTurnMs: number;
}

const sumMs = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;
const service = await startService(readSettings(process.env), { log: silent });
const first = await service.accounts.admin.ensureFirstAccount();
let [longestTurnMs, before, ofProcess] = [0, process.threadCpuUsage(), process.cpuUsage()];
setInterval(() => {
  longestTurnMs = Math.max(longestTurnMs, sumMs(process.threadCpuUsage(before)));
  before = process.threadCpuUsage();
}, 5);
process.on('message', () => {
  process.send?.({ processMs: sumMs(process.cpuUsage(ofProcess)), longestTurnMs } satisfies CpuTimes);
  longestTurnMs = 0;
  ofProcess = process.cpuUsage();
});
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
process.send?.({ baseUrl: service.baseUrl, key: first?.key });
