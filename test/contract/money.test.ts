import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { hits, KEY, leads, MISS, REGISTRATION, refused, rig } from './fakes.ts';

const SERP = '/v1/searchengine/serp?keyword=a&depth=30';

test('the price is held before the work and captured after the answer', async () => {
  const r = rig();
  const steps = r.accounts.state.steps;
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    assert.deepEqual(steps, ['hold 3'], 'nothing is captured before the response is written');
    return result;
  };
  assert.equal((await r.get(SERP)).headers['x-credits-charged'], '3');
  assert.deepEqual(steps, ['hold 3', 'capture 3']);
  assert.equal(r.accounts.state.balance, 997);
});

test('fewer results than requested cost less, and the header gives the remaining credits', async () => {
  const r = rig();
  r.script = leads(r.clock, { delivered: 8 });
  const { headers } = await r.get(SERP);
  assert.deepEqual([headers['x-credits-charged'], headers['x-credits-remaining']], ['1', '999']);
  assert.equal(r.accounts.state.balance, 999);
});

test('cache hits, stale answers and coalesced lookups are free', async () => {
  const r = rig();
  for (const cacheStatus of [{ how: 'hit' }, { how: 'stale', fwdStatus: 502 }, { ...MISS, collapsed: true }] as const) {
    r.script = hits(r.clock, cacheStatus);
    assert.equal((await r.get(REGISTRATION)).headers['x-credits-charged'], '0');
  }
  assert.deepEqual(r.accounts.state.steps, []);
});

test('SIGHTLINE_CHARGE_CACHE_HITS charges cache hits, by hold and capture; coalesced lookups stay free', async () => {
  const r = rig({ settings: { SIGHTLINE_CHARGE_CACHE_HITS: '1' } });
  r.script = hits(r.clock);
  assert.equal((await r.get(REGISTRATION)).headers['x-credits-charged'], '1');
  assert.equal((await r.get(REGISTRATION, { 'x-api-key': KEY, 'x-max-credits': '0' })).status, 402);
  r.script = hits(r.clock, { ...MISS, collapsed: true });
  assert.equal((await r.get(REGISTRATION)).headers['x-credits-charged'], '0');
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
  r.script = async (request) => {
    await request.charge.hold();
    request.charge.release();
    return hits(r.clock, { how: 'stale', fwdStatus: 502 })(request);
  };
  assert.equal((await r.get(REGISTRATION)).headers['x-credits-charged'], '1', 'a stale answer after a failed lookup');
  r.accounts.state.balance = 0;
  r.script = hits(r.clock);
  assert.equal((await r.get(REGISTRATION)).status, 402);
});

test('credits held for a lookup that is not charged are released', async () => {
  const r = rig();
  r.script = async ({ charge }) => {
    await charge.hold();
    return refused(new ServiceError('UPSTREAM_BLOCKED'));
  };
  assert.equal((await r.get(REGISTRATION)).headers['x-credits-remaining'], '1000');
  r.script = async (request) => {
    await request.charge.hold();
    return hits(r.clock, { how: 'stale', fwdStatus: 502 })(request);
  };
  const stale = await r.get(REGISTRATION);
  assert.deepEqual([stale.headers['x-credits-charged'], stale.headers['x-credits-remaining']], ['0', '1000']);
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'release', 'hold 1', 'release']);
  assert.equal(r.accounts.state.holds.size, 0);
});

test('a hold lives longer than the deadline of its lookup by a margin', async () => {
  const r = rig();
  let ttlMs = 0;
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    ttlMs = [...r.accounts.state.holds.values()][0]?.ttlMs ?? 0;
    return result;
  };
  await r.get(SERP);
  assert.equal(ttlMs, 120_000 + 30_000);
});

test('a hold that is nearly expired is renewed before the first byte; if that fails, the answer is a free 503', async () => {
  const r = rig();
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    r.clock.ms += 58_000;
    return result;
  };
  assert.equal((await r.get(REGISTRATION)).status, 200);
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'renew', 'capture 1']);
  r.accounts.state.renews = false;
  const reply = await r.get(REGISTRATION);
  assert.equal(reply.status, 503);
  assert.equal(reply.body.error?.code, 'UNAVAILABLE');
  assert.equal(reply.headers['x-credits-charged'], '0');
  assert.deepEqual(r.accounts.state.steps.slice(3), ['hold 1', 'renew']);
});

test('the last check of the hold and the first byte are in one turn of the event loop', async () => {
  const r = rig();
  let looks = Number.POSITIVE_INFINITY;
  r.clock.now = () => {
    if (looks-- === 0)
      queueMicrotask(() => {
        r.clock.ms += 200_000;
      });
    return r.clock.ms;
  };
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    looks = 0;
    return result;
  };
  // Age is computed when the response is written
  assert.equal((await r.get(REGISTRATION)).headers.age, '0');
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
});

test('a hold that is confirmed after its request failed is released', async () => {
  const r = rig();
  let answered: () => void = () => {};
  const slow = new Promise<void>((done) => {
    answered = done;
  });
  const { hold } = r.accounts.ledger;
  r.accounts.ledger.hold = async (request) => {
    await slow;
    return hold(request);
  };
  let holding: Promise<void> = Promise.resolve();
  r.script = async ({ charge }) => {
    holding = charge.hold();
    return refused(new ServiceError('UPSTREAM_TIMEOUT'));
  };
  assert.equal((await r.get(REGISTRATION)).status, 502);
  answered();
  await holding;
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'release']);
});

test('a failed capture is logged, and the response stays 200', async () => {
  const r = rig();
  r.accounts.ledger.capture = async () => {
    throw new Error('connection lost');
  };
  assert.equal((await r.get(REGISTRATION)).status, 200);
  await Promise.resolve();
  assert.equal(
    r.logged.some((l) => l.level === 'error' && /capture/.test(l.message)),
    true,
  );
});

test('a client that disconnects before the response pays for the successful lookup', async () => {
  const r = rig();
  let go: () => void = () => {};
  const wait = new Promise<void>((done) => {
    go = done;
  });
  let asked: () => void = () => {};
  const running = new Promise<void>((done) => {
    asked = done;
  });
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    asked();
    await wait;
    return result;
  };
  await r.gateway.app.listen({ port: 0 });
  const address = r.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  const gone = new Promise<void>((done) => r.gateway.app.server.once('connection', (socket) => socket.once('close', () => done())));
  const client = connect(address.port, '127.0.0.1');
  client.on('error', () => {});
  await once(client, 'connect');
  client.write(`GET ${REGISTRATION} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${KEY}\r\n\r\n`);
  await running;
  client.resetAndDestroy();
  await gone;
  go();
  await r.gateway.drain();
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
  assert.equal(r.accounts.state.usage[0]?.credits, 1);
});

test('a client that reads slowly is charged before the hold expires', async () => {
  const r = rig();
  let patience: () => void = () => {};
  const slow = new Promise<void>((done) => {
    r.clock.sleep = (ms) => {
      return new Promise((over) => {
        // the other timer closes connections of clients that do not read
        if (ms > 25_000) return;
        patience = over;
        done();
      });
    };
  });
  r.script = leads(r.clock, { body: { text: 'x'.repeat(40_000_000) } });
  await r.gateway.app.listen({ port: 0 });
  const address = r.gateway.app.server.address();
  assert.ok(address && typeof address === 'object');
  const client = connect(address.port, '127.0.0.1');
  client.on('error', () => {});
  client.pause();
  client.write(`GET ${REGISTRATION} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${KEY}\r\n\r\n`);
  await slow;
  assert.deepEqual(r.accounts.state.steps, ['hold 1']);
  patience();
  await new Promise((done) => setImmediate(done));
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
  client.destroy();
  r.gateway.app.server.closeAllConnections();
  await r.gateway.app.close();
  assert.deepEqual(r.accounts.state.steps, ['hold 1', 'capture 1']);
});

test('a balance that is not known neither delays nor fails an answer: the header says what the hold left, or is left out', async () => {
  const r = rig();
  r.accounts.state.balanceKnown = false;
  r.script = leads(r.clock);
  const paid = await r.get(REGISTRATION);
  assert.deepEqual([paid.status, paid.headers['x-credits-charged'], paid.headers['x-credits-remaining']], [200, '1', '999']);
  r.script = async ({ charge }) => {
    await charge.hold();
    return refused(new ServiceError('UPSTREAM_BLOCKED'));
  };
  const released = await r.get(REGISTRATION);
  assert.deepEqual([released.status, released.headers['x-credits-remaining']], [502, '999']);
  r.script = hits(r.clock);
  const hit = await r.get(REGISTRATION);
  assert.deepEqual([hit.status, hit.headers['x-credits-remaining']], [200, undefined]);
  r.script = async () => refused(new ServiceError('UPSTREAM_BLOCKED'));
  assert.deepEqual([(await r.get(REGISTRATION)).status, (await r.get('/v1/account')).status], [502, 200]);

  // a read of the balance that fails
  r.accounts.state.balanceKnown = true;
  r.script = async (request) => {
    const result = await leads(r.clock)(request);
    r.accounts.state.unavailable = true;
    return result;
  };
  const failing = await r.get(REGISTRATION);
  assert.deepEqual([failing.status, failing.headers['x-credits-remaining']], [200, '998']);
});

test('credits whose release is in progress count as remaining', async () => {
  const r = rig();
  const { release } = r.accounts.ledger;
  let flush: () => void = () => {};
  const flushed = new Promise<void>((done) => {
    flush = done;
  });
  r.accounts.ledger.release = async (holdId) => {
    await flushed;
    await release(holdId);
  };
  r.script = async ({ charge }) => {
    await charge.hold();
    charge.release();
    return refused(new ServiceError('UPSTREAM_BLOCKED'));
  };
  assert.equal((await r.get(REGISTRATION)).headers['x-credits-remaining'], '1000');
  flush();
  await flushed;
});
