import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fullList, tranco } from '../../../../sandbox/traffic/hosts.ts';
import type { Http } from '../../../upstream/ports.ts';
import { visitsOfRank } from './estimate.ts';
import { readCrux } from './parse.ts';
import { openRanks, writeRanks } from './ranks-file.ts';
import { cruxFile, type Downloaded, downloadCrux, downloadTranco } from './ranks-update.ts';

const http = (change: (body: string) => string | Uint8Array = (b) => b): Http => ({
  async ask({ url }) {
    const answer = await tranco.answer({ method: 'GET', url: new URL(url), headers: {}, body: '', at: 0 });
    const body = url.includes('/download/') ? change(String(answer.body)) : answer.body;
    return { tag: 'answer', answer: { status: answer.status, headers: {}, body: Buffer.from(body), url, atMs: 0 } };
  },
});
const signal = AbortSignal.timeout(30_000);
const quiet = () => {};
const folders: string[] = [];
after(() => {
  for (const dir of folders) rmSync(dir, { recursive: true });
});
const folder = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'ranks-')));
  return folders.at(-1) ?? '';
};

test('a list is downloaded, verified and swapped in, and every domain has its rank', async () => {
  const dir = folder();
  const path = join(dir, 'tranco.db');
  const { header, rows } = await downloadTranco(http(), signal, quiet, 1000);
  assert.equal(writeRanks(path, header, rows), 2000);
  assert.deepEqual(readdirSync(dir), ['tranco.db'], 'no draft is left');
  const file = openRanks(path);
  assert.ok(file);
  for (const line of fullList().trim().split('\r\n')) {
    const [rank, domain = ''] = line.split(',');
    assert.equal(file.rankOf(domain), Number(rank));
  }
  assert.equal(file.rankOf('nobody.com'), null);
  assert.equal(file.header.date, '2026-11-01');
  file.close();
});

test('a truncated list, an unsorted list and an HTML page are rejected', async () => {
  const dir = folder();
  const path = join(dir, 'tranco.db');
  writeRanks(path, { list: 'tranco', id: 'OLD', date: '2026-10-01' }, [['kept.com', 1]]);
  const update = async (change: (body: string) => string) => {
    const { header, rows } = await downloadTranco(http(change), signal, quiet, 1000);
    writeRanks(path, header, rows);
  };
  await assert.rejects(
    update((b) => b.slice(0, 5000)),
    /cut/,
  );
  await assert.rejects(
    update((b) => b.replace('\n7,', '\n8,')),
    /out of order/,
  );
  await assert.rejects(
    update(() => '<html>Just a moment</html>'),
    /cut or out of order/,
  );
  assert.deepEqual(readdirSync(dir), ['tranco.db'], 'no draft is left');
  const file = openRanks(path);
  assert.equal(file?.rankOf('kept.com'), 1, 'the list before stays');
  file?.close();
});

const CSV = 'origin,rank\nhttps://www.acme-widgets.com,50000\nhttp://shop.acme-widgets.com,10000\nhttps://other.org,50000000\n';
const crux = { domainOf: (h: string) => h.split('.').slice(-2).join('.'), nowMs: 0, leastRows: 3 };
const ranksIn = ({ header, rows }: Downloaded) => {
  const dir = folder();
  writeRanks(join(dir, 'crux.db'), header, rows);
  const file = openRanks(join(dir, 'crux.db')) ?? assert.fail();
  const ranks = ['acme-widgets.com', 'other.org', 'nobody.com'].map((domain) => file.rankOf(domain));
  file.close();
  return ranks;
};

test('in a list of buckets a domain has the best bucket of its origins', async () => {
  const list: Http = {
    ask: async ({ url }) => ({ tag: 'answer', answer: { status: 200, headers: {}, body: gzipSync(CSV), url, atMs: 0 } }),
  };
  assert.deepEqual(ranksIn(await downloadCrux(list, signal, quiet, crux)), [10_000, 50_000_000, null]);
});

test('a list of buckets is read from a file of the operator, plain or gzip; a cut or foreign file is refused', () => {
  const dir = folder();
  const read = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(dir, name), content);
    return ranksIn(cruxFile(join(dir, name), crux));
  };
  assert.deepEqual(read('crux.csv', CSV), [10_000, 50_000_000, null]);
  assert.deepEqual(read('crux.csv.gz', gzipSync(CSV)), [10_000, 50_000_000, null]);
  assert.throws(() => read('short.csv', 'origin,rank\nhttps://other.org,1000\n'), /cut/);
  assert.throws(() => read('tranco.csv', '1,google.com\n2,other.org\n3,example.com\n4,example.org\n'), /not of the known form: 1,google/);
});

test('an answer of rows: the best bucket of the domain, none, or a shape that is not known', () => {
  const read = (body: string, status = 200) =>
    readCrux(
      { status, headers: { 'last-modified': 'Tue, 10 Nov 2026 10:00:00 GMT' }, body: Buffer.from(body), url: '', atMs: 0 },
      { domain: 'acme-widgets.com' },
    );
  const whole = read(CSV);
  assert.ok(whole.tag === 'found');
  const { rankSource, globalRank, period, confidence, method } = whole.resource;
  assert.deepEqual([rankSource, globalRank, period, confidence, method], ['crux', null, '2026-11', 'low', 'model']);
  assert.equal(read('origin,rank\nhttps://not-acme-widgets.com,1000\n').tag, 'absent');
  for (const body of ['', '<html>Just a moment</html>\n', CSV.slice(0, -3), '{"ranks":[]}\n', 'https://acme-widgets.com,0\n'])
    assert.equal(read(body).tag, 'changed', body);
  for (const [status, tag] of [
    [404, 'changed'],
    [429, 'limited'],
    [403, 'refused'],
    [502, 'unreachable'],
  ] as const)
    assert.equal(read('Not Found', status).tag, tag);
});

test('a file that is not a list is rejected with its name', () => {
  const dir = folder();
  writeFileSync(join(dir, 'x.db'), 'something else entirely');
  assert.throws(() => openRanks(join(dir, 'x.db')), /no rank list/);
  assert.equal(openRanks(join(dir, 'none.db')), null);
});

test('visits fall as the rank grows, and the interval contains the estimate', () => {
  let last = Number.POSITIVE_INFINITY;
  for (let rank = 1; rank < 5e7; rank = Math.ceil(rank * 1.3)) {
    const { visits, low, high } = visitsOfRank(rank);
    assert.ok(visits <= last && low <= visits && visits <= high && low >= 1, String(rank));
    last = visits;
  }
});
