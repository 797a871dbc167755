import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WARCParser } from 'warcio';
import { random as createRandom } from '../../sandbox/random.ts';
import type { StoredCapture } from '../../src/captures/capture.ts';
import { eraseCapture } from '../../src/captures/erase.ts';
import { capturesIn, capturesOf, capturesOfRequest, readCapture } from '../../src/captures/read-segments.ts';
import { segmentsIn } from '../../src/captures/segments.ts';
import { verifySegment } from '../../src/captures/verify.ts';
import { FIXED_SEED } from '../support/seeds.ts';
import { answerOf, captureOf, countingIds, exchangeOf, folderOf, START, sentOf, writerIn } from './samples.ts';

const idOf = (n: number): string => `22222222-2222-7222-8222-${String(n).padStart(12, '0')}`;
async function storedIn(folder: string): Promise<StoredCapture[]> {
  const all: StoredCapture[] = [];
  for await (const found of capturesIn(folder)) all.push(await readCapture(found));
  return all;
}
/** A segment of 12 captures. */
function writeTwelve(t: TestContext): { folder: string; file: string } {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  for (let n = 0; n < 12; n++)
    writer.write(
      captureOf({
        id: idOf(n),
        requestId: `request-${n}`,
        input: { handle: `widget-${n}` },
        exchanges: [exchangeOf([sentOf({ answer: answerOf({ text: `<p>${n} ${'word '.repeat(n * 20)}</p>` }) })])],
      }),
    );
  writer.close();
  const [segment] = segmentsIn(folder);
  assert.ok(segment);
  return { folder, file: segment.file };
}

test('a capture is read back as it was written: redirects, bodies, failures, WHOIS', async (t) => {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  const moved = answerOf({ status: 302, headers: { location: 'https://shop.example/there' }, text: '' });
  const binary = Buffer.from([0, 1, 2, 13, 10, 13, 10, 255]);
  const posted = sentOf({ method: 'POST', body: 'a=ä&b=2', url: 'https://shop.example/there', headers: { 'content-type': 'text/plain' } });
  const whois = sentOf({ method: 'WHOIS', url: 'whois://whois.nic.io', headers: {}, body: 'äpfel.io -x/y' });
  const exchanges = [
    exchangeOf([sentOf({ answer: moved }), { ...posted, answer: answerOf({ body: binary, url: 'https://shop.example/there' }) }]),
    exchangeOf([{ ...whois, answer: { status: 200, headers: {}, body: binary, url: 'whois://whois.nic.io', at: START + 9 } }]),
    exchangeOf([sentOf({ answer: null })]),
    exchangeOf([], { asked: { method: 'GET', url: 'https://shop.example/', body: null }, reply: { tag: 'timeout', what: 'Late.' } }),
  ];
  writer.write(captureOf({ exchanges }));
  writer.close();
  const [stored] = await storedIn(folder);
  assert.ok(stored);
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const bytes = (sent: StoredCapture['exchanges'][number]['sent']) =>
    sent.map((s) => ({ ...s, answer: s.answer && { ...s.answer, body: Buffer.from(s.answer.body).toString('hex') } }));
  assert.deepEqual(
    stored.exchanges.map(({ sent }) => plain(bytes(sent))),
    // when a WHOIS query was sent is not stored
    exchanges.map(({ sent }) => plain(bytes(sent.map((s) => (s.method === 'WHOIS' ? { ...s, at: s.answer?.at ?? 0 } : s))))),
  );
  assert.deepEqual(stored.exchanges[3]?.facts, { asked: exchanges[3]?.asked, answered: [], failure: { tag: 'timeout', what: 'Late.' } });
  assert.equal(stored.facts.operation, 'app');
  assert.deepEqual(stored.facts.outcome?.resource, { handle: 'widget', name: 'Widget' });
  assert.equal(stored.facts.requestId, 'request-1');
});

test('segments and indexes are for their owner alone', (t) => {
  const { folder } = writeTwelve(t);
  const names = readdirSync(folder);
  assert.equal(names.length, 2);
  assert.ok(names.every((name) => /^2026-11-22-other-050000000-\d+\.(warc\.gz|cdxj)$/.test(name)));
  for (const name of names) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
});

test('warcio reads every record: types, digests, bodies, one gzip member a record', async (t) => {
  const { file } = writeTwelve(t);
  const types: Record<string, number> = {};
  const bodies: string[] = [];
  const parser = new WARCParser(createReadStream(file));
  for await (const record of parser) {
    types[record.warcType ?? ''] = (types[record.warcType ?? ''] ?? 0) + 1;
    assert.equal(record.warcHeaders.protocol, 'WARC/1.1');
    if (record.warcType !== 'response') continue;
    assert.equal(record.httpHeaders?.statusCode, 200);
    assert.equal(record.httpHeaders?.headers.get('content-type'), 'text/html; charset=utf-8');
    bodies.push(await record.contentText());
  }
  assert.deepEqual(types, { warcinfo: 1, request: 12, response: 12, metadata: 12 });
  assert.equal(bodies[2], `<p>2 ${'word '.repeat(40)}</p>`);
});

test('a capture is found by its request, and the index line of a response leads to its record', async (t) => {
  const { folder, file } = writeTwelve(t);
  assert.deepEqual(await capturesOfRequest(folder, 'request-7'), [idOf(7)]);
  const line = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8')
    .split('\n')
    .filter((l) => l.startsWith('example,shop)/app?page=2 20261122050000 '))[3];
  const { offset, length, status, mime } = JSON.parse(line?.slice(line.indexOf('{')) ?? '{}');
  assert.deepEqual([status, mime], ['200', 'text/html']);
  const member = readFileSync(file).subarray(Number(offset), Number(offset) + Number(length));
  const parser = new WARCParser(
    (async function* () {
      yield member;
    })(),
  );
  const record = await parser.parse();
  assert.match((await record?.contentText()) ?? '', /^<p>3 /);
});

test('verify finds one flipped byte in 1,000 of 1,000 trials, in segments and indexes', async (t) => {
  const { file } = writeTwelve(t);
  const index = file.replace('.warc.gz', '.cdxj');
  const whole = await verifySegment(file);
  assert.deepEqual(whole, { captures: 12, faults: [], tornBytes: 0 });
  const { next: random } = createRandom(`flipped bytes ${FIXED_SEED}`);
  let found = 0;
  for (let trial = 0; trial < 1_000; trial++) {
    const target = trial % 4 === 0 ? index : file;
    const bytes = readFileSync(target);
    const at = Math.floor(random() * bytes.length);
    const before = bytes[at] ?? 0;
    bytes[at] = before ^ (1 + Math.floor(random() * 255));
    writeFileSync(target, bytes);
    const { faults } = await verifySegment(file);
    if (faults.length > 0) found++;
    else assert.fail(`byte ${at} of ${target} changed unseen`);
    bytes[at] = before;
    writeFileSync(target, bytes);
  }
  assert.equal(found, 1_000);
});

test('a damaged capture is named, and those behind it are still read', async (t) => {
  const { file } = writeTwelve(t);
  const [, , third] = await capturesOf(file);
  const bytes = readFileSync(file);
  const at = (third?.entry.offset ?? 0) + 400;
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
  const { faults, captures } = await verifySegment(file);
  assert.deepEqual(
    faults.map((f) => f.capture),
    [idOf(2)],
  );
  assert.equal(captures, 11);
  const all = await capturesOf(file);
  assert.equal(all.length, 12);
  assert.equal((await readCapture(all[11] ?? assert.fail())).facts.capture, idOf(11));
  await assert.rejects(readCapture(all[2] ?? assert.fail()), /capture 2222.* is damaged: /);
});

test('a segment cut at any byte, as by kill -9, is read up to its last whole capture', async (t) => {
  const { file } = writeTwelve(t);
  const index = file.replace('.warc.gz', '.cdxj');
  const [bytes, lines] = [readFileSync(file), readFileSync(index)];
  const ends = (await capturesOf(file)).map(({ entry }) => entry.offset + entry.length);
  for (let size = bytes.length; size >= 0; size -= 97) {
    writeFileSync(file, bytes);
    truncateSync(file, size);
    const whole = ends.filter((end) => end <= size);
    // the index is written after the segment: it may lack what the segment holds, whole lines or parts
    for (const indexSize of [0, 500, 1_333]) {
      const covered = lines.subarray(0, indexSize);
      writeFileSync(index, whole.length >= 4 ? covered : '');
      const found = await capturesOf(file);
      assert.equal(found.length, whole.length, `${size} bytes, index of ${indexSize}`);
      assert.deepEqual((await verifySegment(file)).faults, []);
    }
  }
});

test('an erased capture leaves no byte of its content; the rest stays readable and verified', async (t) => {
  const { folder, file } = writeTwelve(t);
  for (const found of await capturesOf(file))
    if (/-(3|11)$/.test(found.entry.requestId ?? '')) await eraseCapture(found, countingIds(), START);
  assert.deepEqual(await verifySegment(file), { captures: 10, faults: [], tornBytes: 0 });
  const left = await storedIn(folder);
  assert.deepEqual(
    left.map(({ facts }) => facts.requestId),
    [0, 1, 2, 4, 5, 6, 7, 8, 9, 10].map((n) => `request-${n}`),
  );
  const index = readFileSync(file.replace('.warc.gz', '.cdxj'), 'utf8');
  assert.doesNotMatch(index, /widget-3"|widget-11"/);
  for await (const record of new WARCParser(createReadStream(file))) assert.doesNotMatch(await record.contentText(), /widget-3"|<p>11 /);
});

test('each segment holds the shared documents of its sources, once', async (t) => {
  const folder = folderOf(t);
  let now = START;
  const writer = writerIn(folder, { now: () => now });
  const robots = (source: string, text: string) =>
    writer.share(
      source,
      exchangeOf([sentOf({ url: `https://${source}.example/robots.txt`, answer: answerOf({ text }) })], { shared: true }),
    );
  robots('a', 'old');
  robots('b', 'of b');
  writer.write(captureOf({ id: idOf(1), source: 'a' }));
  robots('a', 'new');
  writer.write(captureOf({ id: idOf(2), source: 'a' }));
  now += 86_400_000;
  writer.write(captureOf({ id: idOf(3), source: 'a' }));
  writer.close();
  const seen = (await storedIn(folder)).map(({ facts, exchanges }) => [
    facts.kind,
    facts.source,
    facts.kind === 'shared' ? Buffer.from(exchanges[0]?.sent[0]?.answer?.body ?? []).toString() : facts.capture.slice(-1),
  ]);
  assert.deepEqual(seen, [
    ['shared', 'a', 'old'],
    ['attempt', 'a', '1'],
    ['shared', 'a', 'new'],
    ['attempt', 'a', '2'],
    ['shared', 'a', 'new'],
    ['attempt', 'a', '3'],
  ]);
});
