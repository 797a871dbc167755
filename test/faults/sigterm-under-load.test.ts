// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limit, realTime } from '../support/real-time.ts';
import { assertLedger, ledgerRowsIn, metric, newLookupPath, ServiceProcesses, until } from './service-process.ts';

/** Requests in flight when the signal is sent. */
const IN_FLIGHT = 120;
const UPSTREAM_MS = 500;
const DRAIN_MS = 10_000;
/** Shutdown may take at most this much longer than the wait. */
const CLOSING_MS = limit(1_000);

const processes = new ServiceProcesses();
after(() => processes.close());

interface Newcomer {
  /** Null if the connection was refused. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  readonly error: string | null;
}
/** Sends one request on its own connection. */
function comeNew(baseUrl: string, key: string, path = newLookupPath()): Promise<Newcomer> {
  return new Promise((resolve) => {
    const sent = request(`${baseUrl}${path}`, { agent: false, headers: { 'x-api-key': key } }, (answer) => {
      answer.resume();
      answer.once('close', () =>
        resolve({
          status: answer.statusCode ?? null,
          retryAfter: answer.headers['retry-after'] ?? null,
          error: answer.complete ? null : 'cut',
        }),
      );
    });
    sent.once('error', (error: NodeJS.ErrnoException) => resolve({ status: null, retryAfter: null, error: error.code ?? error.message }));
    sent.end();
  });
}

test(
  'SIGTERM with 120 lookups in flight: all are answered and charged once, new requests refused, the process exits in time',
  realTime(200, async () => {
    const folder = processes.folder();
    const served = await processes.serve(folder, { SIGHTLINE_DRAIN_MS: String(DRAIN_MS) });
    const { faults } = await processes.sandbox();
    faults.next(/dataforseo/, { kind: 'slow-headers', ms: UPSTREAM_MS }, 10_000);
    const { hostname, port } = new URL(served.baseUrl);
    // neither an idle connection nor an incomplete request may delay the shutdown
    const [idle, slow] = [connect(Number(port), hostname), connect(Number(port), hostname)];
    for (const socket of [idle, slow]) socket.on('error', () => {});
    await Promise.all([once(idle, 'connect'), once(slow, 'connect')]);
    slow.write('GET /healthz HTTP/1.1\r\nHost: ');

    const inside = Array.from({ length: IN_FLIGHT }, () => served.get(newLookupPath()));
    await until('they are in', async () => (await metric(served, 'sightline_gateway_requests{what="in_flight"}')) >= IN_FLIGHT);
    const signalled = performance.now();
    served.signal('SIGTERM');
    const gone = { ms: null as number | null };
    void served.ended.then(() => {
      gone.ms = performance.now() - signalled;
    });
    const newcomers: Promise<Newcomer>[] = [];
    // a signal is not taken at once by a process that is in the middle of something, and what comes before is let in
    await until('the signal is taken', async () => (await comeNew(served.baseUrl, served.key, '/readyz')).status !== 200, limit(500));
    while (gone.ms === null && performance.now() - signalled < DRAIN_MS + CLOSING_MS) {
      newcomers.push(comeNew(served.baseUrl, served.key));
      await sleep(20);
    }
    const replies = await Promise.all(inside);
    assert.equal(await processes.end(served), 0);

    assert.deepEqual(new Set(replies.map((r) => [r.status, r.headers.get('x-credits-charged')].join())), new Set(['200,1']));
    for (const { status, retryAfter, error } of await Promise.all(newcomers)) {
      if (status === null) assert.match(error ?? '', /^(ECONNREFUSED|ECONNRESET)$/);
      else assert.deepEqual([status, Number(retryAfter) >= 1, error], [503, true, null]);
    }
    assert.ok(newcomers.length > 50, 'there were newcomers');
    assert.ok(gone.ms !== null && gone.ms < DRAIN_MS + CLOSING_MS, `${gone.ms} ms`);
    for (const socket of [idle, slow]) socket.destroy();
    assertLedger(await ledgerRowsIn(folder), replies);
  }),
);
