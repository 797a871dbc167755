// Few in a process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { EndedOutcome } from '../../src/captures/capture.ts';
import { captureFilesIn, timeOf } from '../../src/captures/capture-files.ts';
import type { Captures } from '../../src/captures/captures.ts';
import { capturesIn } from '../../src/captures/read-captures.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { readSettings, SETTINGS, type SettingName } from '../../src/settings.ts';
import type { Ports, Source } from '../../src/sources/source.ts';
import { createPace } from '../../src/upstream/pace.ts';
import type { Exchange } from '../../src/upstream/ports.ts';
import { answerOf, captureOf, exchangeOf, folderOf, foundOf, idAt, capturesIn as openIn, START, sentOf, writerIn } from './samples.ts';

const WORK = { source: 'appmarket/page', operation: 'app', input: { handle: 'widget' } } as const;
const FOUND = foundOf({});
const attempt = (captures: Captures, outcome: EndedOutcome | undefined, exchange: Exchange = exchangeOf()): void => {
  const recording = captures.begin(WORK);
  recording.record(exchange);
  recording.end(outcome);
};
const tagsIn = (folder: string): (string | undefined)[] => [...capturesIn(folder)].map(({ facts }) => facts.outcome?.tag);
/** Disk space of the captures below a folder, in blocks of 4 KiB. */
const spaceIn = (folder: string): number =>
  captureFilesIn(folder).reduce((sum, { file }) => sum + Math.ceil(statSync(file).size / 4_096) * 4_096, 0);
function opened(t: TestContext, environment: Record<string, string> = {}, given: Parameters<typeof openIn>[2] = {}) {
  const folder = join(folderOf(t), 'captures');
  const all = openIn(folder, readSettings(environment), given);
  t.after(() => all.captures.close(5_000));
  return { folder, ...all };
}

const OUTCOMES: readonly (EndedOutcome | undefined)[] = [
  FOUND,
  { ...FOUND, unread: ['name'] },
  { tag: 'absent', what: '' },
  { tag: 'changed', what: '' },
  { tag: 'blocked', what: '' },
  { tag: 'blocked', what: '', known: true },
  { tag: 'blocked', what: '', final: true },
  { tag: 'limited', what: '' },
  undefined,
];

test('failures: captures what a parser did not understand, and nothing else', async (t) => {
  const { captures, folder } = opened(t);
  for (const outcome of OUTCOMES) attempt(captures, outcome);
  await captures.flush();
  assert.deepEqual(tagsIn(folder), ['found', 'changed', 'blocked', 'defect']);
});

test('all: captures every attempt that asked anything; off is not opened at all', async (t) => {
  const { captures, folder } = opened(t, { SIGHTLINE_CAPTURE: 'all' });
  for (const outcome of OUTCOMES) attempt(captures, outcome);
  captures.begin(WORK).end(FOUND);
  await captures.flush();
  assert.equal(tagsIn(folder).length, OUTCOMES.length);
});

test('a resource that does not fit the contract is captured as changed, a source that throws as a defect', async (t) => {
  const { captures, folder } = opened(t);
  const { clock } = openIn(folder, readSettings({}));
  const unused = {
    ask: async (): Promise<never> => {
      throw new Error('not asked here');
    },
  };
  const ports: Ports = {
    settings: readSettings({}),
    http: unused,
    whois: unused,
    pace: createPace(clock),
    clock,
    random: () => 0,
    log: () => {},
  };
  const source: Source = {
    id: 'registration/rdap',
    operations: ['registration'],
    needs: [],
    knowsAbsence: true,
    about: 'gives a resource without its fields, or throws',
    open: () => ({
      async registration({ domain }, { record }) {
        record?.(exchangeOf());
        if (domain === 'throws.com') throw new Error('a defect');
        return { tag: 'found', resource: { domain } } as never;
      },
    }),
  };
  const engine = createLocalEngine([source], ports, captures);
  const work = { source: 'registration/rdap', operation: 'registration', leftMs: 1_000 } as const;
  await engine.attempt({ ...work, input: { domain: 'widgets.com' } });
  await assert.rejects(engine.attempt({ ...work, input: { domain: 'throws.com' } }));
  await captures.flush();
  assert.deepEqual(tagsIn(folder), ['changed', 'defect']);
});

test('one of so many good answers is captured beside the failures; 0 captures none', async (t) => {
  let draws = 0;
  const random = () => (draws++ % 10) / 10;
  const every = opened(t, { SIGHTLINE_CAPTURE_SAMPLE: '5' }, { random });
  for (let i = 0; i < 20; i++) attempt(every.captures, FOUND);
  await every.captures.flush();
  assert.equal(tagsIn(every.folder).length, 4);
  const none = opened(t, { SIGHTLINE_CAPTURE_SAMPLE: '0' }, { random: () => 0 });
  attempt(none.captures, FOUND);
  await none.captures.flush();
  assert.equal(existsSync(none.folder), false);
});

test('while a field is lost, answers without it are captured', async (t) => {
  const isLost = (source: string, missing: readonly string[]) => source === WORK.source && missing.includes('rating');
  const { captures, folder } = opened(t, { SIGHTLINE_CAPTURE_SAMPLE: '0' }, { isLost });
  for (const missing of [[], ['name'], ['name', 'rating']])
    attempt(captures, { tag: 'found', resource: { bytes: Buffer.from('{}'), fields: { missing } } });
  await captures.flush();
  assert.deepEqual(tagsIn(folder), ['found']);
});

test('a full queue loses captures and counts them; the caller never waits', async (t) => {
  const { captures, folder } = opened(t, { SIGHTLINE_CAPTURE: 'all' }, { maxWaitingBytes: 100_000 });
  const large = exchangeOf([sentOf({ answer: answerOf({ text: 'x'.repeat(20_000) }) })]);
  for (let i = 0; i < 10; i++) attempt(captures, FOUND, large);
  await captures.flush();
  const { written, lost_queue: lost } = captures.counts();
  assert.equal(written + lost, 10);
  assert.ok(lost >= 5 && written >= 1, `${written} written, ${lost} lost`);
  assert.equal(tagsIn(folder).length, written);
});

test('a disk that refuses loses captures, says so once, and captures go on when it is back', async (t) => {
  const { captures, folder, logged } = opened(t, { SIGHTLINE_CAPTURE: 'all' });
  // a file where the folder should be: every user is refused, root too
  writeFileSync(folder, '');
  attempt(captures, FOUND);
  await captures.flush();
  attempt(captures, FOUND);
  await captures.flush();
  assert.equal(captures.counts().lost_disk, 2);
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /^captures: not written .*(EEXIST|ENOTDIR)/);
  rmSync(folder);
  attempt(captures, FOUND);
  await captures.flush();
  assert.equal(captures.counts().written, 1);
  assert.match(logged[1] ?? '', /^captures: written again/);
});

test('no credential reaches a file: settings, headers, URLs, redirects, bodies, answers that repeat them, failures', async (t) => {
  const canary = (name: string): string => `canary-${name.toLowerCase().replaceAll('_', '-')}/ä+"'&`;
  const secretNames = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].secret);
  assert.ok(secretNames.length >= 10);
  const urlOf: Partial<Record<SettingName, string>> = {
    DATABASE_URL: 'postgresql://user:canary-database@host/db',
    REDIS_URL: 'redis://:canary-redis@host:6379',
    SIGHTLINE_CACHE_URL: 'redis://:canary-cache@host:6379',
    SIGHTLINE_SMTP_URL: 'smtp://user:canary-mail@host:25',
    HTTP_PROXY: 'http://user:canary-proxy@proxy:80',
    HTTPS_PROXY: 'http://user:canary-proxy-s@proxy:80',
  };
  const values = Object.fromEntries(secretNames.map((name) => [name, urlOf[name] ?? canary(name)]));
  const { captures, folder } = opened(t, {
    ...values,
    SIGHTLINE_CAPTURE: 'all',
    DATAFORSEO_LOGIN: 'login',
    REDDIT_CLIENT_ID: 'client',
  });
  const basic = Buffer.from(`login:${values.DATAFORSEO_PASSWORD}`).toString('base64');
  const all = [...Object.values(values), basic, 'canary-header-one', 'canary-cookie-two', 'canary-relay-three'];
  const everything = all
    .flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value), Buffer.from(value).toString('base64')])
    .join(' ');
  const url = `https://user:canary-user@api.example/search?q=1&api_key=canary-parameter&ToKen=canary-parameter&${new URLSearchParams({ x: everything })}`;
  const headers = {
    accept: 'text/html',
    authorization: `Basic ${basic}`,
    'x-own-header': 'canary-header-one',
    cookie: 'a=canary-cookie-two; b=canary-cookie-two',
    'content-type': `text/plain; ${everything}`,
  };
  const answered = {
    'set-cookie': 'session=canary-set-cookie',
    'x-echo': everything,
    location: url,
    'content-type': 'text/html',
    etag: `"${everything}"`,
  };
  const answer = answerOf({ status: 302, url, headers: answered, text: `<p>${everything}</p>` });
  const sent = sentOf({ method: 'POST', url, headers, body: everything, answer });
  const given = { secrets: ['canary-relay-three'] };
  const failure = { tag: 'unreachable' as const, what: 'It failed.', detail: everything };
  const recording = captures.begin({ ...WORK, input: { handle: everything }, requestId: everything });
  recording.record(exchangeOf([sent, { ...sent, answer: answerOf({ url, headers: answered, text: everything }) }], given));
  recording.record(exchangeOf([{ ...sent, answer: null }], { ...given, reply: failure }));
  recording.record(exchangeOf([{ ...sent, url: 'https://api.example/robots.txt' }], { ...given, shared: true }));
  recording.end({
    tag: 'changed',
    what: everything,
    detail: everything,
    resource: { bytes: Buffer.from(JSON.stringify({ text: everything })) },
  });
  await captures.flush();
  assert.equal(captures.counts().written, 1);
  let read = 0;
  for (const { file } of captureFilesIn(folder)) {
    for (const text of [gunzipSync(readFileSync(file)).toString(), file.slice(folder.length)]) {
      const left = /.{0,60}canary.{0,40}|.{0,60}session=.{0,40}/i.exec(text)?.[0];
      assert.equal(left, undefined, `a secret is in ${file}: ${left}`);
      for (const value of all) assert.ok(!text.includes(Buffer.from(value).toString('base64')), `base64 of ${value}`);
      read += text.length;
    }
  }
  assert.ok(read > 5_000);
});

test('3,000 captures, ten times what the budget holds, stay within it, the newest stay', (t) => {
  const folder = folderOf(t);
  const [count, maxBytes] = [3_000, 300_000];
  let now = START;
  const writer = writerIn(folder, { maxBytes, now: () => now });
  const sizes: number[] = [];
  const texts = Array.from({ length: 50 }, (_, i) => answerOf({ text: `${i} ${'some words of a page '.repeat(i)}` }));
  const written: string[] = [];
  for (let n = 0; n < count; n++) {
    now += 7_000;
    written.push(idAt(now));
    writer.write(captureOf({ id: idAt(now), atMs: now, exchanges: [exchangeOf([sentOf({ answer: texts[n % texts.length] ?? null })])] }));
    if (n % 50 === 0) sizes.push(spaceIn(folder));
  }
  const most = Math.max(...sizes);
  assert.ok(most <= maxBytes, `${most} bytes`);
  assert.ok(most > maxBytes * 0.8, 'the budget is used');
  const ids = captureFilesIn(folder).map(({ id }) => id);
  assert.deepEqual(ids, written.slice(-ids.length), 'only the oldest are dropped');
});

test('captures of the discussion platform go after 48 hours at most, others after the days of the setting', (t) => {
  const folder = folderOf(t);
  const HOUR = 3_600_000;
  let now = START;
  const writer = writerIn(folder, { keepMs: 7 * 24 * HOUR, now: () => now });
  const ageOf = (area: string): number =>
    Math.max(0, ...captureFilesIn(folder).flatMap(({ file, id }) => (file.includes(`/${area}/`) ? [now - timeOf(id)] : []))) / HOUR;
  for (let hour = 0; hour < 240; hour++) {
    writer.write(captureOf({ id: idAt(now, 1), atMs: now }));
    writer.write(captureOf({ id: idAt(now, 2), atMs: now, source: 'forum/api', operation: 'forum-search' }));
    now += HOUR;
    writer.tidy();
    assert.ok(ageOf('forum') < 48, `${ageOf('forum')} hours`);
    assert.ok(ageOf('other') < 168, `${ageOf('other')} hours`);
    // a young capture does not go with an old one
    if (hour > 60) assert.equal(ageOf('forum'), 47);
    if (hour > 200) assert.equal(ageOf('other'), 167);
  }
  now += 8 * 24 * HOUR;
  writer.tidy();
  assert.deepEqual(readdirSync(folder), []);
});

test('processes share the budget of a data folder; the empty folder of an ended one is removed', (t) => {
  const folder = folderOf(t);
  const maxBytes = 250_000;
  let now = START;
  const writers = ['one', 'two'].map((name) => writerIn(folder, { ownFolder: join(folder, name), maxBytes, now: () => now }));
  const write = (n: number): void => {
    now += 1_000;
    writers[n]?.write(captureOf({ id: idAt(now), atMs: now }));
  };
  for (let n = 0; n < 600; n++) {
    write(n % 2);
    if (n % 50 === 0) assert.ok(spaceIn(folder) <= maxBytes, `${spaceIn(folder)} bytes`);
  }
  for (let n = 0; n < 300; n++) write(1);
  assert.deepEqual(readdirSync(folder), ['two']);
});

test('tidying removes the temporary file of a killed process, and not one that is being written', (t) => {
  const folder = folderOf(t);
  const writer = writerIn(folder);
  writer.write(captureOf());
  const [file] = captureFilesIn(folder);
  const [left, young] = [`${file?.file}.part`, join(folder, 'other', 'young.warc.gz.part')];
  for (const [path, atMs] of [
    [left, START - 3_700_000],
    [young, START - 60_000],
  ] as const) {
    writeFileSync(path, 'the beginning of');
    utimesSync(path, atMs / 1_000, atMs / 1_000);
  }
  assert.equal([...capturesIn(folder)].length, 1, 'readers do not see them');
  writer.tidy();
  assert.deepEqual([existsSync(left), existsSync(young), existsSync(file?.file ?? '')], [false, true, true]);
});
