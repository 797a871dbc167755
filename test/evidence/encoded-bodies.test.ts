import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { capturesIn, readCapture } from '../../src/captures/read-captures.ts';
import { answerOf, captureOf, exchangeOf, folderOf, sentOf, writerIn } from './samples.ts';

const page = `<p>${'a page about widgets '.repeat(50)}</p>`;
const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
const encodedOf = (body: Uint8Array, maxBytes = 8_000_000) => sentOf({ answer: answerOf({ headers, body, encoded: { maxBytes } }) });

test('a body that the parser decodes is captured decoded; one that breaks off or is too large as a failure without an answer', (t) => {
  const folder = folderOf(t);
  const packed = gzipSync(page);
  const exchanges = [encodedOf(packed), encodedOf(packed.subarray(0, -9)), encodedOf(packed, 100)].map((sent) => exchangeOf([sent]));
  writerIn(folder).write(captureOf({ exchanges }));
  const [stored] = [...capturesIn(folder)].map(readCapture);
  assert.equal(stored?.exchanges[0]?.sent[0]?.answer?.body.toString(), page);
  assert.equal(stored?.exchanges[0]?.sent[0]?.answer?.headers['content-encoding'], undefined);
  const failed = stored?.exchanges.slice(1) ?? [];
  for (const exchange of failed) assert.equal(exchange.sent[0]?.answer, null);
  assert.deepEqual(
    failed.map(({ facts }) => facts.failure?.tag),
    ['unreachable', 'changed'],
  );
  assert.equal(stored?.exchanges.length, 3);
});

test('credentials are removed from a body that the parser decodes', (t) => {
  const folder = folderOf(t);
  const sent = encodedOf(gzipSync('<p>key: very-secret-value</p>'));
  writerIn(folder).write(captureOf({ exchanges: [exchangeOf([sent], { secrets: ['very-secret-value'] })] }));
  const [stored] = [...capturesIn(folder)].map(readCapture);
  assert.equal(stored?.exchanges[0]?.sent[0]?.answer?.body.toString(), '<p>key: [removed]</p>');
});
