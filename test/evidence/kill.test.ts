// Own process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WARCParser } from 'warcio';
import { random } from '../../sandbox/random.ts';
import { capturesIn, readCapture } from '../../src/captures/read-segments.ts';
import { segmentsIn } from '../../src/captures/segments.ts';
import { verifySegment } from '../../src/captures/verify.ts';
import { EXPLORED_SEED } from '../support/seeds.ts';
import { folderOf } from './samples.ts';

const KILLS = 10;

test('kill -9 at any moment leaves segments that are read, by warcio too', async (t) => {
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
  const segments = segmentsIn(folder);
  assert.equal(segments.length, KILLS);
  let captures = 0;
  for (const { file } of segments) {
    const verified = await verifySegment(file);
    assert.deepEqual(verified.faults, []);
    assert.ok(verified.captures > 20);
    captures += verified.captures;
    let responses = 0;
    try {
      for await (const record of new WARCParser(createReadStream(file)))
        if (record.warcType === 'response') {
          assert.match(await record.contentText(), /^<p>\d+ /);
          responses++;
        }
    } catch (error) {
      // a torn record at the end
      assert.ok(verified.tornBytes > 0, String(error));
    }
    assert.ok(responses >= verified.captures, `${responses} of ${verified.captures}`);
  }
  let read = 0;
  for await (const found of capturesIn(folder)) {
    const { facts, exchanges } = await readCapture(found);
    assert.match(Buffer.from(exchanges[0]?.sent[0]?.answer?.body ?? []).toString(), new RegExp(`^<p>${facts.requestId?.slice(8)} `));
    read++;
  }
  assert.equal(read, captures);
});
