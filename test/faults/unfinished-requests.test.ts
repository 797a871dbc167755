// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { metric, newLookupPath, type Served, ServiceProcesses, until } from './service-process.ts';

/** Number of bodies that are never completed, and how many at a time. `SIGHTLINE_TEST_BODIES=100000` makes a longer run. */
const BODIES = Number(process.env.SIGHTLINE_TEST_BODIES ?? 3_000);
const AT_ONCE = 300;
/** Connections that the service keeps open to its sources, and the test to the service. */
const SPARE = 8;

const processes = new ServiceProcesses();
after(() => processes.close());

const HEADS = (key: string): readonly string[] => [
  'POST /v1/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n',
  `POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nX-API-Key: ${key}\r\n`,
  'POST /mcp HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n',
  'POST /console/api/session HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n',
];
const TAILS = ['Content-Length: 50\r\n\r\nabc', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 'Transfer-Encoding: chunked\r\n\r\n5\r\nabc'];
/** How the client leaves; `stays`: it waits for the answer. */
const LEAVES = ['reset', 'end', 'destroy', 'reset', 'end', 'destroy', 'reset', 'stays'] as const;

/** Sends an unfinished request, and resolves when its connection is closed. */
function unfinished(port: number, request: string, leaves: (typeof LEAVES)[number]): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.once('close', () => done());
    socket.resume();
    socket.write(request, () => {
      if (leaves === 'reset') socket.resetAndDestroy();
      else if (leaves !== 'stays') socket[leaves]();
    });
  });
}

const descriptors = ({ pid }: Served): number => readdirSync(`/proc/${pid}/fd`).length;
const inFlight = (served: Served): Promise<number> => metric(served, 'sightline_gateway_requests{what="in_flight"}');

test(`${BODIES} bodies that are never complete leave no descriptor and nothing in flight, and refuse no other request`, async (t) => {
  const served = await processes.serve(processes.folder(), {
    SIGHTLINE_REQUEST_TIMEOUT_MS: '1000',
    // a fast machine sends more than an address may
    SIGHTLINE_PROTECTION: JSON.stringify({ wrongCredentials: { burst: 100000 }, address: { perSecond: 100000, burst: 100000 } }),
  });
  const port = Number(new URL(served.baseUrl).port);
  const heads = HEADS(served.key);
  const one = (i: number): Promise<void> =>
    unfinished(port, `${heads[i % heads.length]}${TAILS[i % TAILS.length]}`, LEAVES[i % LEAVES.length] ?? 'reset');
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other, so that they share one connection. */
  const honest = (): Promise<void> => {
    const answer = last.then(async () => assert.equal((await served.get(newLookupPath())).status, 200));
    last = answer;
    return answer;
  };
  await honest();
  // opens the descriptors of a first use
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => one(i)));
  await until('the first ones are gone', async () => (await inFlight(served)) === 0, 20_000);
  const before = { descriptors: descriptors(served), inFlight: await inFlight(served) };
  let begun = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < BODIES) {
        const i = begun++;
        if (i % 1_000 === 0) await honest();
        await one(i);
      }
    }),
  );
  try {
    await until('no more descriptors than before', () => descriptors(served) <= before.descriptors + SPARE, 20_000);
    await until('nothing is in flight', async () => (await inFlight(served)) === 0, 20_000);
  } finally {
    const now = { descriptors: descriptors(served), inFlight: await inFlight(served) };
    t.diagnostic(`before ${JSON.stringify(before)}, after ${BODIES} bodies ${JSON.stringify(now)}`);
  }
  await honest();
  assert.equal(await processes.end(served), 0);
  assert.doesNotMatch(served.log(), /"level":50/);
});

test('300 requests that still send delay no shutdown', async () => {
  const tenMinutes = '600000';
  const served = await processes.serve(processes.folder(), { SIGHTLINE_REQUEST_TIMEOUT_MS: tenMinutes, SIGHTLINE_DRAIN_MS: tenMinutes });
  const port = Number(new URL(served.baseUrl).port);
  const before = descriptors(served);
  const heads = HEADS(served.key).filter((head) => !/mcp/.test(head) || /API-Key/.test(head));
  const closed = Array.from({ length: 300 }, (_, i) => unfinished(port, `${heads[i % heads.length]}${TAILS[0]}`, 'stays'));
  await until('all of them are connected', () => descriptors(served) >= before + 300, 20_000);
  await until('none is in work', async () => (await inFlight(served)) === 0, 20_000);
  assert.equal(await processes.end(served), 0);
  await Promise.all(closed);
});
