/**
 * Runs inside the process of a test file (`--test-reporter`) and writes each report at once and synchronously, so that reports survive a
 * crash. If the process is still alive a given number of milliseconds after its last test, it reports its open resources and kills itself.
 */
import { openSync, writeSync } from 'node:fs';
import type { TestEvent } from 'node:test/reporters';
import { describeError } from './describe-error.ts';
import { cpuMs } from './processes.ts';
import type { Report } from './report.ts';

// a test may replace the global timers
const { setTimeout: later, clearTimeout: never } = globalThis;
const fd = openSync(process.env.SIGHTLINE_TEST_REPORT ?? '/dev/stdout', 'a');
const graceMs = Number(process.env.SIGHTLINE_TEST_GRACE_MS ?? 10_000);
// processes started by a test are not test files
delete process.env.SIGHTLINE_TEST_REPORT;
delete process.env.SIGHTLINE_TEST_GRACE_MS;

const write = (report: Report): void => void writeSync(fd, `${JSON.stringify(report)}\n`);

const writeCpu = (): void => write({ type: 'cpu', ms: cpuMs() });
process.once('exit', writeCpu);

const waiting = new Set<number>();
let watchdog: NodeJS.Timeout | undefined;
/** The timer is unref'd: it fires only if something else keeps the process alive. */
function watch(): void {
  never(watchdog);
  if (waiting.size) return;
  watchdog = later(() => {
    write({ type: 'open', resources: process.getActiveResourcesInfo() });
    process.kill(process.pid, 'SIGKILL');
  }, graceMs).unref();
}

// biome-ignore lint/style/noDefaultExport: Node takes a reporter's default export
export default async function* reporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string, void> {
  for await (const { type, data } of events) {
    if (type === 'test:enqueue') {
      waiting.add(data.testId);
      watch();
    } else if (type === 'test:dequeue') write({ type: 'start', id: data.testId, name: data.name });
    else if (type === 'test:complete') {
      waiting.delete(data.testId);
      watch();
      if (data.nesting === 0) writeCpu();
    } else if (type === 'test:pass') {
      const { testId: id, name, nesting, skip, details } = data;
      const suite = details.type === 'suite';
      if (skip === undefined || skip === false) write({ type: 'pass', id, name, nesting, ms: details.duration_ms, suite });
      else write({ type: 'skip', id, name, nesting, why: typeof skip === 'string' && skip ? skip : 'no reason given', suite });
    } else if (type === 'test:fail') {
      const { testId: id, name, nesting, details } = data;
      const ownFault = (details.error as Error & { failureType?: string }).failureType !== 'subtestsFailed';
      // a failed hook of the file itself has no test id
      const suite = details.type === 'suite' || id === undefined;
      write({
        type: 'fail',
        id,
        name,
        nesting,
        ms: details.duration_ms,
        error: describeError(details.error.cause ?? details.error),
        suite,
        ownFault,
      });
    } else if (type === 'test:summary') write({ type: 'end', tests: data.counts.tests });
  }
  yield '';
}
