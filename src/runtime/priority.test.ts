import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { test } from 'node:test';

/** The nice value of a process that was started with `given` more than this one, after it was lowered to `nice`. */
function loweredTo(nice: number, given: number): number {
  const module = new URL('priority.ts', import.meta.url).href;
  const script = `const { lowerPriority } = await import('${module}'); lowerPriority(${nice}); console.log((await import('node:os')).getPriority())`;
  const { stdout, stderr } = spawnSync('nice', ['-n', String(given), process.execPath, '--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.match(stdout, /^-?\d+\n$/, stderr);
  return Number(stdout);
}

test('a thread goes behind the service, and never before a process that was started behind others', {
  skip: process.platform !== 'linux',
}, () => {
  const own = getPriority();
  assert.equal(loweredTo(own + 2, 0), own + 2);
  assert.equal(loweredTo(own + 2, 4), own + 4, 'raising it is refused to all but root');
});
