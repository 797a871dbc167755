// Few in a process: waits for a demo.
// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { operationList } from '../../src/contract/operations/index.ts';

test('the table of the demo fits 100 columns, has one row for each operation and kind of registration, and labelled values', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['bin/sightline.mjs', 'demo', '--once'], {
    env: { PATH: process.env.PATH },
  });
  const lines = stdout.slice(stdout.indexOf('OPERATION')).trimEnd().split('\n');
  assert.deepEqual(lines[0]?.split(/ +/), ['OPERATION', 'STATUS', 'CREDITS', 'SOURCE', 'ANSWER']);
  assert.ok(lines.every((line) => line.length <= 100));
  const rows = lines.slice(1).filter((line) => !line.startsWith(' '));
  assert.deepEqual(
    rows.map((row) => row.split(/ +/)[0]),
    [...operationList.map((o) => o.id), 'registration', 'registration'],
  );
  assert.ok(rows.every((row) => /^\S+ +200 +1 /.test(row)));
  const [rdap = '', whois = '', free = ''] = rows.slice(-3);
  assert.match(rdap, /registration\/rdap .*: \w/);
  assert.match(whois, /registration\/whois/);
  assert.match(free, /: free$/);
  const answer = (operation: string): string =>
    lines
      .slice(lines.findIndex((l) => l.startsWith(`${operation} `)))
      .slice(0, 3)
      .join('\n');
  assert.match(answer('serp'), /1\. \S+: .*\n +2\. \S+: .*\n +3\. /);
  assert.match(answer('app'), /rated \d\.\d of 5 by \d+ reviews\n +\S/);
  assert.match(answer('traffic'), /[\d,]+ visits a month\n +between [\d,]+ and [\d,]+\n +global rank/);
});
