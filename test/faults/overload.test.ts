// Own process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { realTime } from '../support/real-time.ts';
import { arrivals, asker, inFlight, p99 } from './arrivals.ts';
import { assertLedger, ledgerRowsIn, ServiceProcesses, until } from './service-process.ts';

const QUIET_PER_SECOND = 20;
const SECONDS = 3;

const processes = new ServiceProcesses();
after(() => processes.close());

/** CPU time of a process's main thread (proc(5): fields 14 and 15 of stat, in ticks of 10 ms). */
function threadCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

// the latency ratio is measured by `npm run bench -- overload`, and asserted for the load shedder by
// src/gateway/admission/load-shedder.test.ts
test(
  'at three times the capacity many are answered and charged, the rest get a free 503, then the service recovers',
  realTime(500, async (t) => {
    const start = async (folder: string, environment: Record<string, string> = {}) => {
      const heavy = fileURLToPath(new URL('heavy.ts', import.meta.url));
      const child = processes.child([process.execPath, heavy], { SIGHTLINE_DATA_DIR: folder, ...environment });
      let out = '';
      child.stdout?.on('data', (data: Buffer) => {
        out += data;
      });
      await until('it serves', () => out.includes('\n'));
      const { baseUrl, key } = JSON.parse(out) as { baseUrl: string; key: string };
      const end = async (): Promise<void> => {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      };
      /** Share of a core that the main thread of the service uses while `work` runs. */
      const shareDuring = async <T>(work: Promise<T>): Promise<{ result: T; share: number }> => {
        const [began, cpuMs] = [performance.now(), threadCpuMs(child.pid ?? 0)];
        const result = await work;
        return { result, share: (threadCpuMs(child.pid ?? 0) - cpuMs) / (performance.now() - began) };
      };
      return { ...asker(baseUrl, key), end, shareDuring };
    };
    // capacity is measured with load shedding disabled
    const open = await start(processes.folder(), { SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000' });
    const capacity = (await inFlight(32, 2, open.send)).length / 2;
    await open.close();
    await open.end();

    const folder = processes.folder();
    const { send, close, end, shareDuring } = await start(folder);
    const quiet = await arrivals(QUIET_PER_SECOND, SECONDS, send);
    const { result: busy, share } = await shareDuring(arrivals(3 * capacity, SECONDS, send));
    const quietAgain = await arrivals(QUIET_PER_SECOND, SECONDS, send);
    await close();

    const shed = busy.later.filter((r) => r.status === 503).length;
    const [a, b, c] = [quiet.later, busy.first, busy.later].map((r) => p99(r).toFixed(0));
    const used = `${share.toFixed(2)} of a core`;
    t.diagnostic(`p99 ${a} ms; at ${3 * capacity} a second ${b} ms at first, then ${c} ms, ${shed} of ${busy.later.length} shed; ${used}`);
    // a service that other processes leave no core to is slow without being the cause, and sheds less or nothing
    assert.ok(shed > busy.later.length / 10 || share < 0.6, `it was too much, with ${used}`);
    assert.ok(
      busy.later.length - shed > (capacity * SECONDS) / 5,
      `${busy.later.length - shed} were answered, ${capacity} a second can be`,
    );
    // also on a busy machine, where a request is late now and then for a reason that the service can't tell from its own work
    const calm = { before: [...quiet.first, ...quiet.later], 'right after': quietAgain.first, after: quietAgain.later };
    for (const [when, answers] of Object.entries(calm)) {
      const refused = answers.filter((r) => r.status !== 200).length;
      assert.ok(refused <= answers.length / 10, `${refused} of ${answers.length} were refused without need ${when} the load`);
    }

    const all = [quiet, busy, quietAgain].flatMap(({ first, later }) => [...first, ...later]);
    for (const { status, headers, body } of all) {
      if (status === 200) continue;
      assert.deepEqual([status, (body as { error: { code: string } }).error.code], [503, 'OVERLOADED']);
      assert.ok(Number(headers.get('retry-after')) >= 1);
      assert.equal(headers.get('x-credits-charged') ?? '0', '0');
    }
    await end();
    assertLedger(await ledgerRowsIn(folder), all);
  }),
);
