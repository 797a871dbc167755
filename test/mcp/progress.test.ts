// Few in a process: it waits for processes that it starts.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../src/contract/errors.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createServiceEndpoint } from '../../src/mcp/service.ts';
import { KEY, leads, type Rig, refused, rig, settingsOf } from '../contract/fakes.ts';
import { noNginx, startNginx } from '../deploy/nginx.ts';
import { freePort } from '../fleet/services.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { type Agent, connectWith, contentOf, errorIn, type Progress, programOf, SDKS } from './mcp-client.ts';

const DOMAIN = { name: 'registration', arguments: { domain: 'acme-widgets.com' } };
let service: Rig;
let baseUrl = '';
const clock = createManualClock();
before(async () => {
  service = rig({
    parts: {
      createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), clock, () => {})),
    },
  });
  await service.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = `http://127.0.0.1:${(service.gateway.app.server.address() as AddressInfo).port}`;
});
after(() => service.gateway.drain());

/**
 * Moves the clock in small steps until `done` or the end of the request: what waits for it must first have begun to. After six seconds,
 * when one message has been sent, it moves ten times slower than real time: the message may take long to arrive, and the next one
 * must not be sent meanwhile.
 */
async function moveUntil(done: () => boolean, signal?: AbortSignal): Promise<void> {
  const ended = () => done() || signal?.aborted === true;
  for (let steps = 0; steps < 60 && !ended(); steps++) await clock.advance(100);
  while (!ended()) {
    await sleep(10);
    await clock.advance(1);
  }
}

test('behind nginx progress arrives while the lookup runs', { skip: noNginx }, async (t) => {
  const { port } = new URL(baseUrl);
  const proxy = await startNginx(await freePort(), [Number(port), Number(port)]);
  t.after(proxy.close);
  const agent = await connectWith('v2', { url: `${proxy.baseUrl}/mcp`, headers: { 'x-api-key': KEY } });
  t.after(() => agent.close());
  const told: Progress[] = [];
  service.script = async (request) => {
    await moveUntil(() => told.length >= 1, request.signal);
    return leads(service.clock)(request);
  };
  assert.equal(contentOf(await agent.callTool(DOMAIN, (progress) => told.push(progress))).call.credits, 1);
});

for (const sdk of SDKS)
  test(`client ${sdk} over HTTP: progress says the source, how long and until when; the answer is charged once, its hold being valid`, async (t) => {
    const agent = await connectWith(sdk, { url: `${baseUrl}/mcp`, headers: { 'x-api-key': KEY } });
    t.after(() => agent.close());
    const before = service.accounts.state.balance;
    const told: Progress[] = [];
    service.script = async (request) => {
      request.asking?.('first');
      await moveUntil(() => told.length >= 1, request.signal);
      request.asking?.('second');
      await moveUntil(() => told.length >= 2, request.signal);
      assert.equal(service.accounts.state.usage.length, rows);
      return leads(service.clock)(request);
    };
    const rows = service.accounts.state.usage.length;
    const result = await agent.callTool(DOMAIN, (progress) => told.push(progress));
    assert.equal(contentOf(result).call.credits, 1);
    const [one, two] = told;
    assert.match(one?.message ?? '', /^Asking first, for \d+ s now; it ends by \d{4}-\d\d-\d\dT[\d:.]+Z\.$/);
    assert.match(two?.message ?? '', /^Asking second, /);
    assert.ok(Number(one?.progress) > 0 && Number(one?.progress) < Number(two?.progress) && Number(two?.progress) < Number(two?.total));
    for (let turns = 0; turns < 10_000 && service.accounts.state.holds.size > 0; turns++) await new Promise(setImmediate);
    assert.equal(before - service.accounts.state.balance, 1);

    // an error after progress is read, too, and free
    told.length = 0;
    service.script = async (request) => {
      await request.charge.hold();
      await moveUntil(() => told.length >= 1, request.signal);
      return refused(new ServiceError('UPSTREAM_BLOCKED', 'Why.'));
    };
    assert.equal(errorIn(await agent.callTool(DOMAIN, (progress) => told.push(progress))).code, 'UPSTREAM_BLOCKED');
    assert.match(told[0]?.message ?? '', /^Waiting for a source, /);
    assert.equal(before - service.accounts.state.balance, 1);
  });

test('the time for sending limits what the client does not read, not how long a stream lasts', async (t) => {
  const agent = await connectWith('v2', { url: `${baseUrl}/mcp`, headers: { 'x-api-key': KEY } });
  const timers = new Set<() => void>();
  t.after(() => Reflect.deleteProperty(service.clock, 'after'));
  t.after(() => agent.close());
  Object.assign(service.clock, {
    after(_ms: number, run: () => void) {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const told: Progress[] = [];
  service.script = async (request) => {
    await moveUntil(() => told.length >= 1, request.signal);
    for (const run of timers) run();
    await moveUntil(() => told.length >= 2, request.signal);
    return leads(service.clock)(request);
  };
  assert.equal(contentOf(await agent.callTool(DOMAIN, (progress) => told.push(progress))).call.credits, 1);
});

test('deadlineSeconds ends the wait: the lookup is cancelled and free, and the message says what to change', async (t) => {
  const agent = await connectWith('v1', { url: `${baseUrl}/mcp`, headers: { 'x-api-key': KEY } });
  t.after(() => agent.close());
  const before = service.accounts.state.balance;
  service.script = async ({ charge, signal }) => {
    await charge.hold();
    await moveUntil(() => signal?.aborted === true);
    return refused(new ServiceError('UPSTREAM_TIMEOUT', 'The request was cancelled.'));
  };
  const error = errorIn(await agent.callTool({ ...DOMAIN, arguments: { ...DOMAIN.arguments, deadlineSeconds: 2 } }));
  assert.deepEqual([error.code, error.retryable, error.charged], ['UPSTREAM_TIMEOUT', true, 0]);
  assert.match(error.message, /^No answer within 2 s, as deadlineSeconds asks: call again with more, \d+ at most\.$/);
  assert.equal(service.accounts.state.balance, before);
  const wrong = errorIn(await agent.callTool({ ...DOMAIN, arguments: { ...DOMAIN.arguments, deadlineSeconds: 0 } }));
  assert.match(wrong.message, /^Argument deadlineSeconds is 0, but it must be a whole number, 1 or more\./);
});

test('progress over stdio: a client of each version is told while the service works', async (t) => {
  const agents: Agent[] = [];
  for (const sdk of ['v1', 'v2'] as const) agents.push(await connectWith(sdk, programOf(['--url', baseUrl], { SIGHTLINE_API_KEY: KEY })));
  t.after(() => Promise.all(agents.map((agent) => agent.close())));
  const told = Promise.withResolvers<void>();
  let count = 0;
  service.script = async (request) => {
    await told.promise;
    return leads(service.clock)(request);
  };
  const results = await Promise.all(
    agents.map((agent) =>
      agent.callTool(DOMAIN, ({ message }) => {
        assert.match(message ?? '', /^Waiting for a source, for \d+ s now/);
        if (++count >= agents.length) told.resolve();
      }),
    ),
  );
  for (const result of results) assert.equal(contentOf(result).data.domain, 'acme-widgets.com');
});
