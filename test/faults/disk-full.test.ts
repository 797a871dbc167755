// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, copyFileSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import {
  assertLedger,
  assertUnavailable,
  ledgerRowsIn,
  metric,
  newLookupPath,
  type Reply,
  type Served,
  ServiceProcesses,
  SIGHTLINE,
  until,
} from './service-process.ts';

const processes = new ServiceProcesses();
after(() => processes.close());

/** A data folder whose disk can be filled, so that the system itself rejects writes. */
interface Place {
  readonly folder: string;
  /** Prefix of the command line of a process that uses this folder. */
  readonly under: readonly string[];
  fill(served: Served): Promise<void>;
  free(served: Served): Promise<void>;
  /** Path under which the files can be read after the service has stopped. */
  copy(): string;
}

/** A small tmpfs in a mount namespace that ends with its process: no privilege is needed. */
async function smallDisk(): Promise<Place | null> {
  const folder = processes.folder();
  const holder = processes.child([
    'unshare',
    '-Urm',
    'sh',
    '-c',
    'mount -t tmpfs -o size=8m,mode=700 tmpfs "$0" && echo mounted && exec cat',
    folder,
  ]);
  const mounted = once(holder.stdout ?? holder, 'data').then(() => true);
  if (!(await Promise.race([mounted, once(holder, 'exit').then(() => false)]))) return null;
  // seen from outside the namespace
  const seen = `/proc/${holder.pid}/root${folder}`;
  const ballast = join(seen, 'ballast');
  return {
    folder,
    under: ['nsenter', '--target', String(holder.pid), '--user', '--mount', '--preserve-credentials'],
    async fill() {
      const file = openSync(ballast, 'w');
      const write = (): void => {
        for (;;) writeSync(file, Buffer.alloc(4096));
      };
      assert.throws(write, { code: 'ENOSPC' });
      closeSync(file);
    },
    free: async () => rmSync(ballast),
    copy() {
      const copied = processes.folder();
      for (const name of readdirSync(seen).filter((n) => n.startsWith('sightline.db'))) copyFileSync(join(seen, name), join(copied, name));
      return copied;
    },
  };
}

/** RLIMIT_FSIZE: the limit on the size of the process's files. */
function limitedFiles(): Place {
  const limit = async (served: Served, bytes: string): Promise<void> => {
    const [code] = await once(processes.child(['prlimit', '--pid', String(served.pid), `--fsize=${bytes}:unlimited`]), 'exit');
    assert.equal(code, 0, 'prlimit');
  };
  const folder = processes.folder();
  return {
    folder,
    under: [],
    fill: (served) => limit(served, '1'),
    free: (served) => limit(served, 'unlimited'),
    copy: () => folder,
  };
}

const PLACES: Record<string, { open(): Promise<Place | null>; skip: string }> = {
  'the file system is full (ENOSPC)': { open: smallDisk, skip: 'no file system can be mounted in a user namespace here' },
  'files may not grow (EFBIG)': { open: async () => limitedFiles(), skip: '' },
};

for (const [name, { open, skip }] of Object.entries(PLACES))
  test(`${name}: 503, nothing charged, free answers continue; with free space again it recovers without a restart`, async (t: TestContext) => {
    const place = await open();
    if (!place) return t.skip(skip);
    const served = await processes.serve(place.folder, {}, place.under);
    const { faults } = await processes.sandbox();
    const replies: Reply[] = [];
    const get = async (path: string): Promise<Reply> => {
      const reply = await served.get(path);
      replies.push(reply);
      return reply;
    };
    const cachedPath = newLookupPath();
    assert.equal((await get(cachedPath)).status, 200);

    // these place their holds before the disk is full, and are answered while it is full
    faults.next(/dataforseo/, { kind: 'slow-headers', ms: 1_000 }, 20);
    const slow = Array.from({ length: 20 }, () => get(newLookupPath()));
    await until('their price is held', async () => (await metric(served, 'sightline_ledger{what="held"}')) === 21);
    await place.fill(served);
    const answered = await Promise.all(slow);
    assert.deepEqual(new Set(answered.map((r) => r.status)), new Set([200]));

    for (let round = 0; round < 5; round++)
      for (const reply of await Promise.all([0, 1, 2].map(() => get(newLookupPath())))) assertUnavailable(reply);
    const free = await get(cachedPath);
    assert.deepEqual([free.status, free.headers.get('x-credits-charged')], [200, '0'], 'what is kept is free: nothing is written for it');
    assert.equal((await served.get('/healthz')).status, 200);
    assertUnavailable(await served.get('/readyz'));
    assert.equal((await served.get('/v1/account')).status, 200, 'what is written already can be read');

    await place.free(served);
    await until('it sells again', async () => (await get(newLookupPath())).status === 200);
    await until('it is ready again', async () => (await served.get('/readyz')).status === 200);
    const verified = ['ledger', 'audit'].map(async (what) => {
      const verify = processes.child([...place.under, ...SIGHTLINE, what, 'verify'], { SIGHTLINE_DATA_DIR: place.folder });
      assert.deepEqual(await once(verify, 'exit'), [0, null], `${what} verify`);
    });
    await Promise.all(verified);
    assert.equal(await processes.end(served), 0);
    const lines = served.log().split('\n').filter(Boolean);
    const told = (what: string): number => lines.filter((line) => line.includes(what)).length;
    assert.deepEqual([told('store: writes fail'), told('store: writes succeed again')], [1, 1], served.log());
    assert.deepEqual([told('the store is not ready'), told('the store is ready again')], [1, 1], served.log());
    const unasked = lines.filter((line) => /"level":"(error|warn)"/.test(line) && !line.includes('requestId'));
    // today's spending and captures are on the same disk: outside of requests, one log line each reports that they cannot be written
    const others = ['paid-today.json', 'captures: not written'].map((what) => unasked.filter((line) => line.includes(what)).length);
    assert.ok(
      others.every((count) => count <= 1),
      unasked.join('\n'),
    );
    assert.equal(
      unasked.length - others.reduce((sum, count) => sum + count, 0),
      2,
      `beside the line of each request: ${unasked.join('\n')}`,
    );
    assertLedger(await ledgerRowsIn(place.copy()), replies);
  });
