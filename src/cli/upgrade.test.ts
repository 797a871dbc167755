import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  assert.throws(() => replaceProgram(target, box, RUNNING), /it is a folder: nothing was replaced\./);
  assert.equal(readFileSync(target, 'utf8'), 'old');
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline']);
});

test('why the other program did not answer is said, without what acts on a terminal', () => {
  writeFileSync(other, "#!/bin/sh\nprintf 'sightline: no \\033[2Jroom\\nSet it.\\n' >&2\nexit 1\n");
  assert.throws(() => replaceProgram(target, other, RUNNING), /or is damaged \(sightline: no \\u001b\[2Jroom\): nothing was replaced\./);
  writeFileSync(other, '\x7fELF');
  assert.throws(() => replaceProgram(target, other, RUNNING), /or is damaged \(.+\): nothing was replaced\./);
});

test('a text is no program, and is never run as commands of a shell', () => {
  writeFileSync(other, `touch ${box}/ran; echo '{"version":"1.1.0","schema":7}'\n`);
  assert.throws(() => replaceProgram(target, other, RUNNING), /or is damaged \(it is no program\): nothing was replaced\./);
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline']);
});

test('a folder that cannot be written is what is named, and not the file', () => {
  program('{"version":"1.1.0","schema":7}');
  for (const folder of [join(box, 'none'), '/proc/self'])
    assert.throws(() => replaceProgram(join(folder, 'sightline'), other, RUNNING), {
      message: `${folder} cannot be written: ENOENT: nothing was replaced.`,
    });
});

test('the same program again changes nothing: the one that was kept before stays', () => {
  program('{"version":"1.1.0","schema":7}');
  replaceProgram(target, other, RUNNING);
  assert.throws(() => replaceProgram(target, other, RUNNING), /download is the program that is there already: nothing was replaced\./);
  assert.equal(readFileSync(`${target}.old`, 'utf8'), 'old');
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline', 'sightline.old']);
});

test('where the old one cannot be kept, it and the one that was kept before stay', () => {
  mkdirSync(`${target}.old`);
  program('{"version":"1.1.0","schema":7}');
  assert.throws(() => replaceProgram(target, other, RUNNING), /cannot be written: EISDIR: nothing was replaced\./);
  assert.equal(readFileSync(target, 'utf8'), 'old');
  assert.deepEqual(readdirSync(box).sort(), ['download', 'sightline', 'sightline.old']);
});
