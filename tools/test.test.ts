// In the gate alone: it starts a process for each command.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slownessOf } from './tests/machine.ts';
import { judge } from './tests/outcome.ts';
import { processesOf, runAdaptively } from './tests/plan.ts';
import { describeRun, describeSlowest } from './tests/print.ts';
import { LIMITS, type Ran, runProcesses } from './tests/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'sightline-runner-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const ONE = { atLeast: 1, atMost: 1 };
let made = 0;
function file(text: string): string {
  const path = join(folder, `${++made}.test.mjs`);
  writeFileSync(
    path,
    `import { after, describe, test } from 'node:test';\nconst soon = () => new Promise((go) => setTimeout(go, 50));\n${text}`,
  );
  return path;
}
async function ran(text: string, limits: Partial<typeof LIMITS> = {}): Promise<Ran> {
  const [only] = await runProcesses([[file(text)]], ONE, { ...LIMITS, ...limits });
  assert.ok(only);
  return only;
}
/** An exited process stays a zombie until its parent reaps it. */
function living(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return false;
  }
}
const counts = ({ passed, failures, skips }: Ran) => [passed, failures.length, skips.length];

test('a test sees no setting of a service of its caller', async (t) => {
  t.after(() => {
    delete process.env.DATABASE_URL;
    delete process.env.SIGHTLINE_PRICES;
  });
  Object.assign(process.env, { DATABASE_URL: 'postgres://127.0.0.1:9/own', SIGHTLINE_PRICES: '{"serp":7}' });
  const found = await ran(
    `test('none', () => { if (process.env.DATABASE_URL ?? process.env.SIGHTLINE_PRICES) throw new Error('seen'); });`,
  );
  assert.deepEqual(counts(found), [1, 0, 0]);
});

describe('what a file reports is counted', { concurrency: true }, () => {
  test('every test of a file that exits at once, in every run', async () => {
    const many = file(`for (let i = 0; i < 300; i++) test('number ' + i, () => {});`);
    const all = await runProcesses(Array(6).fill([many]), { atLeast: 3, atMost: 3 }, LIMITS);
    assert.deepEqual(all.map(counts), Array(6).fill([300, 0, 0]));
  });

  test('passed, failed and skipped separately; a suite only if all of it is skipped', async () => {
    const one = await ran(`
      describe('suite', () => {
        test('good', () => {});
        test('bad', () => { throw new Error('two is not three'); });
        test('away', { skip: 'no such service' }, () => {});
      });
      test('last', (t) => t.skip());
      describe('suite away', { skip: 'not here' }, () => test('unseen', () => {}));`);
    assert.deepEqual(counts(one), [1, 1, 3]);
    assert.match(one.failures[0] ?? '', /^bad\nError: two is not three\n/);
    assert.deepEqual(one.skips, ['no such service', 'no reason given', 'not here']);
  });

  test('a hook that fails after passed tests', async () => {
    const suite = await ran(`describe('suite', () => { after(() => { throw new Error('left open'); }); test('good', () => {}); });`);
    assert.deepEqual(counts(suite), [1, 1, 0]);
    assert.match(suite.failures[0] ?? '', /left open/);
    const whole = await ran(`after(() => { throw new Error('left open'); }); test('good', () => {});`);
    assert.deepEqual(counts(whole), [1, 1, 0]);
  });

  test('a lost report is detected', () => {
    const good = { type: 'pass', id: 1, name: 'good', nesting: 0, ms: 1, suite: false } as const;
    const { failures } = judge([good, { type: 'end', tests: 2 }], { code: 0, signal: null, leftBehind: [] }, '');
    assert.deepEqual(failures, ['the file ran 2 tests and reported 1']);
  });

  test('a failed property test prints its cause first, and truncates long lines', async () => {
    const one = await ran(`
      test('property', () => {
        throw new Error('Property failed\\n{ seed: 7, path: "' + '1:'.repeat(5000) + '" }', { cause: new TypeError('two is not three') });
      });`);
    const lines = (one.failures[0] ?? '').split('\n');
    assert.deepEqual(lines.slice(0, 2), ['property', 'TypeError: two is not three']);
    assert.ok(lines.some((line) => line === 'which led to: Property failed'));
    assert.ok(lines.some((line) => /^\{ seed: 7, path: "1:1:.*… \(\d+ characters\)$/.test(line)));
    assert.ok(lines.every((line) => line.length < 450));
  });

  test('a mocked clock does not stop the watchdog', async () => {
    const one = await ran(`test('stopped', (t) => { t.mock.timers.enable(); setTimeout(() => {}, 1e9); }); test('good', () => {});`);
    assert.deepEqual(counts(one), [2, 0, 0]);
  });
});

describe('a file whose process fails is reported as failed, with the reason', { concurrency: true }, () => {
  const cases: [what: string, text: string, passed: number, why: RegExp, limits?: Partial<typeof LIMITS>][] = [
    [
      'it holds a timer',
      `setInterval(() => {}, 1000); test('good', () => {});`,
      1,
      /^the file reported everything and did not end; it holds .*Timeout/,
      { graceMs: 200 },
    ],
    [
      'it holds a server that only a test opened',
      `import { createServer } from 'node:net'; test('good', (t, done) => { createServer().listen(0, '127.0.0.1', done); });`,
      1,
      /did not end; it holds .*TCPServerWrap/,
      { graceMs: 200 },
    ],
    [
      'a test of it never ends',
      `setInterval(() => {}, 1000); test('good', () => {}); test('endless', () => new Promise(() => {}));`,
      1,
      /^the file ran past its limit of 5 s, in: endless/,
      { limitMs: 5_000 },
    ],
    [
      'it never lets go of its thread',
      `test('good', () => {}); test('blocks', async () => { await soon(); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
      1,
      /^the file ran past its limit of 5 s, in: blocks/,
      { limitMs: 5_000 },
    ],
    ['it exits early, badly', `console.log('gave up'); process.exit(1);`, 0, /^the file exited with 1 without a failed test\ngave up$/],
    [
      'it exits early, well',
      `test('good', () => {}); test('leaves', async () => { await soon(); process.exit(0); }); test('lost', () => {});`,
      1,
      /^the file exited with 0 before its tests were done, in: leaves$/,
    ],
    ['it exits badly after good tests', `test('good', () => {}); process.on('exit', () => { process.exitCode = 3; });`, 1, /exited with 3/],
    [
      'a signal ends it',
      `test('good', () => {}); test('dies', async () => { await soon(); process.kill(process.pid, 'SIGKILL'); });`,
      1,
      /ended by SIGKILL, in: dies/,
    ],
    ['it holds no test', `describe('nothing', () => {});`, 0, /^the file reported no test$/],
    ['it does not load', `import './missing.mjs';`, 0, /^the file exited with 1 without a failed test\n[\s\S]*ERR_MODULE_NOT_FOUND/],
    [
      'it leaves a process running',
      `import { spawn } from 'node:child_process';
       test('good', () => { spawn('sleep', ['${4_000 + process.pid}'], { stdio: 'inherit' }).unref(); });`,
      1,
      new RegExp(`^the file left processes running:\nsleep ${4_000 + process.pid}$`),
      { graceMs: 200 },
    ],
  ];
  for (const [what, text, passed, why, limits] of cases)
    test(what, async () => {
      const one = await ran(text, limits);
      assert.deepEqual([one.failures.length, one.passed, one.skips.length], [1, passed, 0], one.failures.join('\n'));
      assert.match(one.failures[0] ?? '', why);
    });

  test('child processes of a killed file are killed too', async () => {
    const started = join(folder, 'started');
    const one = await ran(
      `import { spawn } from 'node:child_process'; import { writeFileSync } from 'node:fs';
       test('good', () => { writeFileSync('${started}', String(spawn('sleep', ['1000']).pid)); });`,
      { graceMs: 200 },
    );
    assert.match(one.failures[0] ?? '', /did not end; it holds .*ProcessWrap/);
    const pid = Number(readFileSync(started, 'utf8'));
    for (const until = performance.now() + 5_000; living(pid); await sleep(10)) assert.ok(performance.now() < until, `${pid} lives`);
  });
});

describe('several files in one process', { concurrency: true }, () => {
  const together = (...texts: string[]) => runProcesses([texts.map(file)], ONE, LIMITS);

  test('each is reported by itself: its tests, its hooks, its failures', async () => {
    const all = await together(
      `import { beforeEach } from 'node:test'; let n = 0; beforeEach(() => { n++; });
       test('one', () => {}); describe('suite', () => test('two', () => { if (n !== 2) throw new Error(n); }));`,
      `test('good', () => {}); test('bad', () => { throw new Error('two is not three'); });`,
      `test('away', { skip: 'no such service' }, () => {});`,
      `after(() => { throw new Error('left open'); }); test('good', () => {});`,
      `import './missing.mjs';`,
      `describe('nothing', () => {});`,
    );
    assert.deepEqual(all.map(counts), [
      [2, 0, 0],
      [1, 1, 0],
      [0, 0, 1],
      [1, 1, 0],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    const why = all.map(({ failures }) => failures.join());
    assert.match(why[1] ?? '', /^bad\nError: two is not three\n/);
    assert.match(why[3] ?? '', /left open/);
    assert.match(why[4] ?? '', /ERR_MODULE_NOT_FOUND/);
    assert.equal(why[5], 'the file reported no test');
  });

  test('what ends the process is a failure of the files that were not done', async () => {
    const all = await together(
      `test('good', () => {});`,
      `test('leaves', async () => { await soon(); process.exit(0); });`,
      `test('lost', () => {});`,
    );
    assert.deepEqual(all.map(counts), [
      [1, 0, 0],
      [0, 1, 0],
      [0, 1, 0],
    ]);
    assert.match(all[1]?.failures[0] ?? '', /^of the process of 3 files: the file exited with 0 before its tests were done, in: .*leaves/);
  });

  test('files that await the same module have their own tests', async () => {
    writeFileSync(join(folder, 'awaited.mjs'), 'await new Promise((go) => setTimeout(go, 50));');
    const waiting = `import './awaited.mjs'; test('good', () => {});`;
    assert.deepEqual((await together(waiting, waiting, waiting)).map(counts), Array(3).fill([1, 0, 0]));
  });

  test('files beside the code share processes; one that says so has its own', () => {
    assert.deepEqual(
      processesOf([file('// Own process: it counts timers.'), file(''), file('')])
        .map((files) => files.length)
        .sort(),
      [1, 2],
    );
    const waiting = Array.from({ length: 6 }, () => file('// Few in a process: it waits for servers that it starts.'));
    assert.deepEqual(
      processesOf([...waiting, file('')]).map((files) => files.length),
      [4, 2, 1],
    );
    const unit = globSync('src/**/*.test.ts');
    assert.equal(processesOf(unit).length, Math.ceil(unit.length / 16), 'a few processes');
    assert.deepEqual(processesOf(unit).flat().sort(), unit.sort(), 'none is lost');
    assert.deepEqual(processesOf(['test/fleet/blocked.test.ts', 'test/fleet/fleet.test.ts']), [
      ['test/fleet/blocked.test.ts'],
      ['test/fleet/fleet.test.ts'],
    ]);
  });

  test('the least number of processes runs at a time, and never more than the most', async () => {
    let [running, most, done] = [0, 0, 0];
    await runAdaptively([...Array(9).keys()], 2, 4, async () => {
      most = Math.max(most, ++running);
      await sleep(20);
      running--;
      done++;
    });
    assert.equal(done, 9);
    assert.ok(most >= 2 && most <= 4, `${most} at a time`);
  });
});

describe('tests of real time', { concurrency: true }, () => {
  const HELPER = join(import.meta.dirname, '../test/support/real-time.ts');
  const stopped = (toleratesMs: number, then: string) => `import { limit, realTime } from '${HELPER}';
    import { spawnSync } from 'node:child_process';
    test('timed', realTime(${toleratesMs}, async () => {
      if (${toleratesMs} < 1000) {
        // the half second begins when all threads have stopped
        const script = 'kill -STOP $PPID; until grep -q "^State:.T" /proc/$PPID/status; do sleep 0.01; done; sleep 0.5; kill -CONT $PPID';
        const { status, error, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
        if (status !== 0) throw error ?? new Error(stderr);
      }
      ${then}
    }));`;
  const fail = `throw new Error('late');`;

  test('one that fails while the machine stands still for longer than it tolerates is not judged', async () => {
    const one = await ran(stopped(200, fail));
    assert.deepEqual([...counts(one), ...one.failures], [0, 0, 1]);
    assert.match(one.skips[0] ?? '', /^not judged: the machine was busy \((4[5-9]\d|[5-9]\d\d|\d{4,}) ms\)$/);
    assert.match(one.output, /Error: late/);
    assert.match(describeRun([one], []).text, /^1 not judged\n0 passed, 0 failed, 1 skipped$/m);
  });

  test('one that fails on a machine that runs fails, and one that passes has passed', async () => {
    assert.deepEqual(counts(await ran(stopped(600_000, fail))), [0, 1, 0]);
    assert.deepEqual(counts(await ran(stopped(200, ''))), [1, 0, 0]);
  });

  test('its limits are a multiple of those of a quiet machine', async () => {
    const one = await ran(stopped(1_000, `if (limit(100) !== 250) throw new Error(limit(100));`), { slowness: 2.5 });
    assert.deepEqual(counts(one), [1, 0, 0]);
    assert.equal(slownessOf({ workMs: 1, lagMs: 0, startMs: 1 }), 1);
    assert.ok(slownessOf({ workMs: 400, lagMs: 0, startMs: 1 }) > 5);
  });

  test('CONTRIBUTING.md names the files, at most fifteen', () => {
    const files = globSync('{src,test,sandbox}/**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((path) =>
      /support\/real-time\.ts'/.test(readFileSync(path, 'utf8')),
    );
    const page = readFileSync('CONTRIBUTING.md', 'utf8');
    const named = /Real time is the subject of (.+?`)\./s.exec(page.replaceAll('\n', ' '))?.[1] ?? '';
    assert.deepEqual(
      [...named.matchAll(/`([^`]+)`/g)].map((match) => match[1]),
      files.sort(),
    );
    assert.ok(files.length <= 15, `${files.length} files`);
  });
});

describe('the command', () => {
  const runAs = (ci: 'true' | 'false', ...files: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'test.ts'), ...files], {
      encoding: 'utf8',
      env: { ...process.env, CI: ci, SIGHTLINE_TEST_QUIET: '1' },
    });
    return { status, lines: stdout.trimEnd().split('\n') };
  };
  const run = (...files: string[]) => runAs('false', ...files);
  const good = file(`test('good', () => {}); test('away', { skip: 'no such service' }, () => {});`);

  test('prints the slowest files of a long run before the counts', () => {
    const ranFile = (i: number): Ran => ({
      file: `${i}.test.ts`,
      ms: i * 1000,
      cpuMs: i * 100,
      reports: [],
      output: '',
      passed: 1,
      failures: [],
      skips: [],
    });
    const long = Array.from({ length: 12 }, (_, i) => ranFile(i));
    const [head, ...lines] = describeSlowest(long, 9_000).split('\n');
    assert.match(head ?? '', /^12 files took 66\.0 s one after another and 9\.0 s of CPU time; the slowest, each with its CPU time:$/);
    assert.equal(lines.length, 10);
    assert.match(lines[0] ?? '', /11\.0 s {4}1\.1 s {2}11\.test\.ts$/);
    assert.equal(describeSlowest(long.slice(0, 10), 9_000), '');
  });

  test('prints the counts on its last line and the reasons of skipped tests, and succeeds if nothing failed', () => {
    assert.deepEqual(run(good, good), {
      status: 0,
      lines: ['skipped 1: no such service', '0 not judged', '1 passed, 0 failed, 1 skipped'],
    });
    const { status, lines } = run(good, file(`test('bad', () => { throw new Error('no'); });`), file(''));
    assert.equal(status, 1);
    assert.equal(lines.at(-1), '1 passed, 2 failed, 1 skipped');
  });

  test('runs a failed file once more, alone, and reports it as flaky', () => {
    const flag = join(folder, 'was-run');
    const second = file(`import { existsSync, writeFileSync } from 'node:fs';
      test('good the second time', () => { if (!existsSync('${flag}')) { writeFileSync('${flag}', ''); throw new Error('busy'); } });`);
    const { status, lines } = run(second);
    assert.equal(status, 0);
    assert.match(lines[0] ?? '', /^FAILED beside others: .*good the second time$/);
    assert.ok(lines.some((line) => line.startsWith('passed alone: ')));
    assert.deepEqual(lines.slice(-3), [
      `flaky (failed beside others, passed alone): ${second}`,
      '0 not judged',
      '1 passed, 0 failed, 0 skipped',
    ]);
    const never = run(file(`test('bad', () => { throw new Error('no'); });`));
    assert.equal(never.lines.filter((line) => /^FAILED (beside others|alone): /.test(line)).length, 2);
    assert.deepEqual([never.status, never.lines.at(-1)], [1, '0 passed, 1 failed, 0 skipped']);
  });

  test('in CI one flaky file is reported if it passes three times alone, and two fail the run', () => {
    const counted = (name: string, isGood: string) => {
      const path = join(folder, name);
      return file(`import { appendFileSync, readFileSync } from 'node:fs';
        test('${name}', () => {
          appendFileSync('${path}', '.');
          const run = readFileSync('${path}', 'utf8').length;
          if (!(${isGood})) throw new Error('busy');
        });`);
    };
    const one = runAs('true', counted('good-later', 'run > 1'));
    assert.deepEqual([one.status, one.lines.at(-1)], [0, '1 passed, 0 failed, 0 skipped']);
    assert.match(one.lines.at(-3) ?? '', /^flaky /);
    assert.equal(readFileSync(join(folder, 'good-later'), 'utf8').length, 4);
    assert.equal(runAs('true', counted('bad-at-the-third', 'run === 2')).status, 1);
    assert.equal(runAs('true', counted('a', 'run > 1'), counted('b', 'run > 1')).status, 1);
  });

  test('a run with skipped tests only fails', () => {
    assert.equal(run(file(`test('away', { skip: 'no such service' }, () => {});`)).status, 1);
  });
});
