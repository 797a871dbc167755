// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WARCParser } from 'warcio';
import { random } from '../../sandbox/random.ts';
import { captureFilesIn } from '../../src/captures/capture-files.ts';
import { capturesIn, readCapture, verifyCapture } from '../../src/captures/read-captures.ts';
import { EXPLORED_SEED } from '../support/seeds.ts';
import { folderOf } from './samples.ts';

const KILLS = 10;

test('kill -9 at any moment leaves whole captures alone, by warcio too', async (t) => {
  const folder = folderOf(t);
  const { int } = random(`kill ${EXPLORED_SEED}`);
  for (let kill = 0; kill < KILLS; kill++) {
    const child = spawn(process.execPath, ['test/evidence/writer-child.ts', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    // the moment of the kill is what varies
    await sleep(int(0, 40));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const files = captureFilesIn(folder);
  assert.ok(files.length > 20 * KILLS, `${files.length} captures`);
  for (const file of files) {
    assert.equal(verifyCapture(file), null);
    let responses = 0;
    for await (const record of new WARCParser(createReadStream(file.file)))
      if (record.warcType === 'response') {
        assert.match(await record.contentText(), /^<p>\d+ /);
        responses++;
      }
    assert.equal(responses, 1);
  }
  let read = 0;
  for (const found of capturesIn(folder)) {
    const { facts, exchanges } = readCapture(found);
    assert.match(Buffer.from(exchanges[0]?.sent[0]?.answer?.body ?? []).toString(), new RegExp(`^<p>${facts.requestId?.slice(8)} `));
    read++;
  }
  assert.equal(read, files.length);
});
