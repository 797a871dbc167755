import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { fullList, tranco } from '../../../../sandbox/traffic/hosts.ts';
import type { Http } from '../../../upstream/ports.ts';
import { visitsOfRank } from './curve.ts';
import { openRanks, writeRanks } from './ranks-file.ts';
import { downloadCrux, downloadTranco } from './ranks-update.ts';

const http = (change: (body: string) => string | Uint8Array = (b) => b): Http => ({
  async ask({ url }) {
    const answer = await tranco.answer({ method: 'GET', url: new URL(url), headers: {}, body: '', at: 0 });
    const body = url.includes('/download/') ? change(String(answer.body)) : answer.body;
    return { tag: 'answer', answer: { status: answer.status, headers: {}, body: Buffer.from(body), url, at: 0 } };
  },
});
const signal = AbortSignal.timeout(30_000);
const quiet = () => {};
const folder = (): string => mkdtempSync(join(tmpdir(), 'ranks-'));

test('a list is downloaded, verified and swapped in, and every domain has its rank', async () => {
  const dir = folder();
  const path = join(dir, 'tranco.bin');
  const { header, rows } = await downloadTranco(http(), signal, quiet, 1000);
  assert.equal(writeRanks(path, header, rows), 2000);
  assert.deepEqual(readdirSync(dir), ['tranco.bin'], 'no draft is left');
  const file = openRanks(path);
  assert.ok(file);
  for (const line of fullList().trim().split('\r\n')) {
    const [rank, domain = ''] = line.split(',');
    assert.equal(file.rankOf(domain), Number(rank));
  }
  assert.equal(file.rankOf('nobody.com'), null);
  assert.equal(file.header.date, '2026-11-01');
  file.close();
  rmSync(dir, { recursive: true });
});

test('a truncated list, an unsorted list and an HTML page are rejected', async () => {
  await assert.rejects(
    downloadTranco(
      http((b) => b.slice(0, 5000)),
      signal,
      quiet,
      1000,
    ),
    /cut/,
  );
  await assert.rejects(
    downloadTranco(
      http((b) => b.replace('\n7,', '\n8,')),
      signal,
      quiet,
      1000,
    ),
    /out of order/,
  );
  await assert.rejects(
    downloadTranco(
      http(() => '<html>Just a moment</html>'),
      signal,
      quiet,
      1000,
    ),
    /cut or out of order/,
  );
});

test('in a list of buckets a domain has the best bucket of its origins', async () => {
  const csv = 'origin,rank\nhttps://www.acme-widgets.com,50000\nhttp://shop.acme-widgets.com,10000\nhttps://other.org,1000\n';
  const { rows, header } = await downloadCrux(
    { ask: async ({ url }) => ({ tag: 'answer', answer: { status: 200, headers: {}, body: gzipSync(csv), url, at: 0 } }) },
    signal,
    quiet,
    (h) => h.split('.').slice(-2).join('.'),
    0,
    1,
  );
  assert.deepEqual(
    [...rows],
    [
      ['acme-widgets.com', 10000],
      ['other.org', 1000],
    ],
  );
  assert.equal(header.rows, 2);
});

test('a file that is not a list is rejected with its name', () => {
  const dir = folder();
  writeFileSync(join(dir, 'x.bin'), 'something else entirely');
  assert.throws(() => openRanks(join(dir, 'x.bin')), /no rank list/);
  assert.equal(openRanks(join(dir, 'none.bin')), null);
  rmSync(dir, { recursive: true });
});

test('visits fall as the rank grows, and the interval contains the estimate', () => {
  let last = Number.POSITIVE_INFINITY;
  for (let rank = 1; rank < 5e7; rank = Math.ceil(rank * 1.3)) {
    const { visits, low, high } = visitsOfRank(rank);
    assert.ok(visits <= last && low <= visits && visits <= high && low >= 1, String(rank));
    last = visits;
  }
});
