import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { replaceProgram } from './upgrade.ts';

const RUNNING = { version: '1.0.0', schema: 6 };
let box = '';
let target = '';
let other = '';
beforeEach(() => {
  box = mkdtempSync(join(tmpdir(), 'sightline-upgrade-'));
  [target, other] = [join(box, 'sightline'), join(box, 'download')];
  writeFileSync(target, 'old');
});
afterEach(() => rmSync(box, { recursive: true }));
/** A program that says this of itself. */
const program = (line: string): void => writeFileSync(other, `#!/bin/sh\n[ "$*" = "upgrade --describe" ] && echo '${line}'\n`);

test('the other version takes the place, and can be run; the old one is kept; one that was kept before is replaced', () => {
  writeFileSync(`${target}.old`, 'older');
  program('{"version":"1.1.0","schema":7}');
  // a download may be run by nobody
  chmodSync(other, 0o600);
  assert.deepEqual(replaceProgram(target, other, RUNNING), { version: '1.1.0', schema: 7 });
  assert.equal(readFileSync(target, 'utf8'), readFileSync(other, 'utf8'));
  assert.equal(statSync(target).mode & 0o777, 0o755);
  assert.equal(readFileSync(`${target}.old`, 'utf8'), 'old');
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline', 'sightline.old']);
});

test('an older version with the same schema may take the place; one with an older schema may not', () => {
  program('{"version":"0.9.0","schema":6}');
  assert.equal(replaceProgram(target, other, RUNNING).version, '0.9.0');
  writeFileSync(target, 'old');
  program('{"version":"0.8.0","schema":5}');
  assert.throws(() => replaceProgram(target, other, RUNNING), /version 0\.8\.0, which knows schema 5 .* to 6/);
  assert.equal(readFileSync(target, 'utf8'), 'old');
});

test('what is no such program changes nothing: another program, a text, an empty file, none', () => {
  const wrong = ['#!/bin/sh\necho hello\n', '#!/bin/sh\necho "{}"\n', '#!/bin/sh\nexit 1\n', 'text', ''];
  for (const content of wrong) {
    writeFileSync(other, content);
    assert.throws(() => replaceProgram(target, other, RUNNING), /is no sightline that runs on this machine/, content);
  }
  assert.throws(() => replaceProgram(target, join(box, 'nothing'), RUNNING), /nothing does not exist: nothing was replaced\./);
  assert.equal(readFileSync(target, 'utf8'), 'old');
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline']);
});
