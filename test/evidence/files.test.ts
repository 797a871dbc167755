import assert from 'node:assert/strict';
import { createReadStream, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WARCParser } from 'warcio';
import { random as createRandom } from '../../sandbox/random.ts';
import type { StoredCapture } from '../../src/captures/capture.ts';
import { type CaptureFile, captureFilesIn, capturesOfRequest } from '../../src/captures/capture-files.ts';
import { capturesIn, capturesOf, exportWarc, readCapture, sharedIn, verifyCapture } from '../../src/captures/read-captures.ts';
import { createCapturedUpstream } from '../../src/orchestrator/replay.ts';
import { readSettings } from '../../src/settings.ts';
import { bodyText } from '../../src/upstream/answer.ts';
import { FIXED_SEED } from '../support/seeds.ts';
import { answerOf, captureOf, exchangeOf, folderOf, idAt, START, sentOf, writerIn } from './samples.ts';

const idOf = (n: number): string => idAt(START, n);
const storedIn = (folder: string): StoredCapture[] => [...capturesIn(folder)].map(readCapture);
/** A folder of 12 captures. */
function writeTwelve(t: TestContext): { folder: string; files: readonly CaptureFile[] } {
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
  return { folder, files: captureFilesIn(folder) };
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
    exchangeOf([{ ...whois, answer: { status: 200, headers: {}, body: binary, url: 'whois://whois.nic.io', atMs: START + 9 } }]),
    exchangeOf([sentOf({ answer: null })]),
    exchangeOf([], { asked: { method: 'GET', url: 'https://shop.example/', body: null }, reply: { tag: 'timeout', what: 'Late.' } }),
  ];
  writer.write(captureOf({ exchanges }));
  const [stored] = storedIn(folder);
  assert.ok(stored);
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
  const bytes = (sent: StoredCapture['exchanges'][number]['sent']) =>
    sent.map((s) => ({ ...s, answer: s.answer && { ...s.answer, body: Buffer.from(s.answer.body).toString('hex') } }));
  assert.deepEqual(
    stored.exchanges.map(({ sent }) => plain(bytes(sent))),
    // when a WHOIS query was sent is not stored
    exchanges.map(({ sent }) => plain(bytes(sent.map((s) => (s.method === 'WHOIS' ? { ...s, atMs: s.answer?.atMs ?? 0 } : s))))),
  );
  assert.deepEqual(stored.exchanges[3]?.facts, { asked: exchanges[3]?.asked, answered: [], failure: { tag: 'timeout', what: 'Late.' } });
  assert.equal(stored.facts.operation, 'app');
  assert.deepEqual(stored.facts.outcome?.resource, { handle: 'widget', name: 'Widget' });
  assert.equal(stored.facts.requestId, 'request-1');
});

test('a capture is one file of its owner alone, in a folder of its owner alone', (t) => {
  const { folder, files } = writeTwelve(t);
  assert.deepEqual(readdirSync(folder), ['other']);
  assert.equal(statSync(join(folder, 'other')).mode & 0o777, 0o700);
  assert.equal(files.length, 12);
  for (const [n, { file }] of files.entries()) {
    assert.match(file, new RegExp(`/other/${idOf(n)}~[0-9a-f]{16}~request-${n}\\.warc\\.gz$`));
    assert.equal(statSync(file).mode & 0o777, 0o600);
  }
});

test('warcio reads every record: types, digests, bodies, one gzip member a record', async (t) => {
  const { files } = writeTwelve(t);
  for (const [n, { file }] of files.entries()) {
    const types: (string | null)[] = [];
    for await (const record of new WARCParser(createReadStream(file))) {
      types.push(record.warcType);
      assert.equal(record.warcHeaders.protocol, 'WARC/1.1');
      if (record.warcType !== 'response') continue;
      assert.equal(record.httpHeaders?.statusCode, 200);
      assert.equal(record.httpHeaders?.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(await record.contentText(), `<p>${n} ${'word '.repeat(n * 20)}</p>`);
    }
    assert.deepEqual(types, ['metadata', 'request', 'response']);
  }
});

test('a capture is found by its request, by the name of its file alone', async (t) => {
  const { folder, files } = writeTwelve(t);
  for (const { file } of files) truncateSync(file);
  assert.deepEqual(await capturesOfRequest(folder, 'request-7'), [idOf(7)]);
  assert.deepEqual(await capturesOfRequest(folder, 'request'), []);
  const writer = writerIn(folder);
  const odd = '../a request~/ü%';
  writer.write(captureOf({ id: idOf(20), requestId: odd }));
  assert.deepEqual(await capturesOfRequest(folder, odd), [idOf(20)]);
});

test('the list of captures reads the first record of each file', (t) => {
  const folder = folderOf(t);
  const long = 'a value that is hard to compress '.concat(...Array.from({ length: 3_000 }, (_, n) => String((n * 7_919) % 10_007)));
  writerIn(folder).write(captureOf({ input: { handle: long } }));
  const [{ file } = assert.fail()] = captureFilesIn(folder);
  const whole = readFileSync(file);
  writerIn(folder).write(captureOf({ id: idOf(1) }));
  const [, { file: short } = assert.fail()] = captureFilesIn(folder);
  truncateSync(short, statSync(short).size - 200);
  assert.deepEqual(
    [...capturesIn(folder)].map(({ facts, length }) => [facts.capture, JSON.stringify(facts.input).length > 10_000, length > 0]),
    [
      [idOf(0), true, true],
      [idOf(1), false, true],
    ],
    `a metadata record may be long: ${whole.length} bytes`,
  );
});

test('verify finds one flipped byte in 1,000 of 1,000 trials', (t) => {
  const { files } = writeTwelve(t);
  for (const file of files) assert.equal(verifyCapture(file), null);
  const { next: random } = createRandom(`flipped bytes ${FIXED_SEED}`);
  for (let trial = 0; trial < 1_000; trial++) {
    const target = files[trial % files.length] ?? assert.fail();
    const bytes = readFileSync(target.file);
    const at = Math.floor(random() * bytes.length);
    const before = bytes[at] ?? 0;
    bytes[at] = before ^ (1 + Math.floor(random() * 255));
    writeFileSync(target.file, bytes);
    assert.equal(verifyCapture(target)?.capture, target.id, `byte ${at} of ${target.file} changed unseen`);
    bytes[at] = before;
    writeFileSync(target.file, bytes);
  }
});

test('a damaged capture is named, and the others are still read', (t) => {
  const { folder, files } = writeTwelve(t);
  const third = files[2] ?? assert.fail();
  const bytes = readFileSync(third.file);
  bytes[bytes.length - 60] = (bytes[bytes.length - 60] ?? 0) ^ 0xff;
  writeFileSync(third.file, bytes);
  assert.deepEqual(
    files.flatMap((file) => verifyCapture(file)?.capture ?? []),
    [idOf(2)],
  );
  const all = [...capturesIn(folder)];
  assert.equal(all.length, 12);
  assert.equal(readCapture(all[11] ?? assert.fail()).facts.capture, idOf(11));
  assert.throws(() => readCapture(all[2] ?? assert.fail()), new RegExp(`capture ${idOf(2)} .* is damaged: `));
});

test('a file cut at any byte, as by a lost power supply, is damaged: no part of it counts as a capture', (t) => {
  const { files } = writeTwelve(t);
  const file = files[5] ?? assert.fail();
  const bytes = readFileSync(file.file);
  for (let size = bytes.length - 1; size >= 0; size -= 7) {
    writeFileSync(file.file, bytes.subarray(0, size));
    assert.equal(verifyCapture(file)?.capture, idOf(5), `${size} bytes`);
  }
});

test('an export is one WARC file of whole captures with the shared documents of their sources', async (t) => {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  share(writer, 'a', 'of a');
  share(writer, 'b', 'of b');
  writer.write(captureOf({ id: idOf(11), source: 'a' }));
  writer.write(captureOf({ id: idOf(12), source: 'b' }));
  const file = join(folder, 'export.warc.gz');
  exportWarc([...capturesIn(folder)].slice(0, 1), file, ({ why }) => assert.fail(why));
  assert.deepEqual(
    capturesOf(file).map((found) => [found.facts.kind, found.facts.source, readCapture(found).exchanges.length]),
    [
      ['shared', 'a', 1],
      ['attempt', 'a', 1],
    ],
  );
  const types: (string | null)[] = [];
  for await (const record of new WARCParser(createReadStream(file))) types.push(record.warcType);
  assert.deepEqual(types, ['metadata', 'request', 'response', 'metadata', 'request', 'response']);
});

const robotsOf = (source: string): string => `https://${source}.example/robots.txt`;
const share = (writer: ReturnType<typeof writerIn>, source: string, text: string, atMs = START): void =>
  writer.share(source, exchangeOf([sentOf({ atMs, url: robotsOf(source), answer: answerOf({ text }) })], { shared: true }));
const textsIn = (folder: string): string[] =>
  sharedIn(join(folder, 'other'))
    .map((found) => Buffer.from(readCapture(found).exchanges[0]?.sent[0]?.answer?.body ?? []).toString())
    .sort();

test('a shared document is a file beside the captures of its source, written once, again when it changed or is gone', (t) => {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  share(writer, 'a', 'old');
  share(writer, 'b', 'of b');
  for (const n of [1, 2]) writer.write(captureOf({ id: idOf(n), source: 'a' }));
  assert.deepEqual(textsIn(folder), ['old']);
  for (const { file, isShared } of captureFilesIn(folder)) if (isShared) rmSync(file);
  writer.write(captureOf({ id: idOf(3), source: 'a' }));
  assert.deepEqual(textsIn(folder), ['old']);
  share(writer, 'a', 'new', START + 5);
  writer.write(captureOf({ id: idOf(4), source: 'a' }));
  assert.deepEqual(textsIn(folder), ['new', 'old']);
});

test('a shared document stays as long as the captures that need it', (t) => {
  const folder = folderOf(t);
  const DAY = 86_400_000;
  let now = START;
  const writer = writerIn(folder, { keepMs: 2 * DAY, now: () => now });
  share(writer, 'a', 'kept');
  for (let day = 0; day < 6; day++) {
    writer.write(captureOf({ id: idAt(now), source: 'a' }));
    now += DAY;
    writer.tidy();
    assert.deepEqual(textsIn(folder), ['kept'], `day ${day}`);
  }
  now += 2 * DAY;
  writer.tidy();
  assert.deepEqual(textsIn(folder), []);
});

test('a replay reads the shared document that was the latest when the attempt ended, or the first after it', async (t) => {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  const capture = (ms: number, source = 'a'): string => {
    writer.write(captureOf({ id: idAt(ms), source }));
    return idAt(ms);
  };
  share(writer, 'a', 'old', START + 100);
  const [before, between] = [capture(START + 50), capture(START + 150)];
  share(writer, 'a', 'new', START + 200);
  const after = capture(START + 250);
  const shared = sharedIn(join(folder, 'other')).map(readCapture);
  const seen: string[] = [];
  for (const id of [before, between, after]) {
    const stored = storedIn(folder).find(({ facts }) => facts.capture === id) ?? assert.fail();
    const reply = await createCapturedUpstream(readSettings({}), stored, shared).http.ask({
      url: robotsOf('a'),
      attempt: { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY },
    });
    seen.push(reply.tag === 'answer' ? bodyText(reply.answer) : reply.tag);
  }
  assert.deepEqual(seen, ['old', 'old', 'new']);
});
