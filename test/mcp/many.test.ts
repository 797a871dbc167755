import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { ServiceError } from '../../src/contract/errors.ts';
import type { GatewayParts } from '../../src/gateway/parts.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createServiceEndpoint } from '../../src/mcp/service.ts';
import { MAX_RESULT_BYTES } from '../../src/mcp/shape.ts';
import { type Clock, realClock } from '../../src/runtime/clock.ts';
import { cached, caller, KEY, leads, type Rig, refused, rig, settingsOf } from '../contract/fakes.ts';
import type { Running } from '../end-to-end/service.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { registered } from '../support/orchestrator-fakes.ts';
import { chargedAt, connect, connectWith, errorIn, type Failed, type Progress, programOf, startSandboxService } from './mcp-client.ts';

const endpointOn = (clock: Clock): Partial<GatewayParts> => ({
  createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), clock, () => {})),
});
const toolClock = createManualClock();
const LIMITED = 'sl_limited';
const SLOW = 'sl_slow';
let service: Rig;
let baseUrl = '';
const clients: Client[] = [];

before(async () => {
  service = rig({
    parts: endpointOn(realClock),
    settings: { SIGHTLINE_MCP_MAX_CREDITS: '12' },
    callers: {
      [KEY]: caller(),
      [LIMITED]: caller({ operations: ['traffic'] }),
      [SLOW]: caller({ keyId: 'key_slow', ratePerSecond: 1, rateBurst: 4 }),
    },
  });
  await service.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  baseUrl = urlOf(service);
  for (const mode of ['auto', 'legacy'] as const) clients.push(await connect(baseUrl, { 'x-api-key': KEY }, mode));
});
after(async () => {
  for (const client of clients) await client.close();
  await service.gateway.drain();
});
const urlOf = ({ gateway }: Rig): string => `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}`;

interface Many {
  readonly answers: readonly {
    readonly data?: Readonly<Record<string, unknown>>;
    readonly call?: { readonly credits: number; readonly receipt: string | null };
    readonly error?: Failed;
  }[];
  readonly call: { readonly credits: number; readonly answered: number; readonly failed: number };
}
const manyIn = (result: unknown): Many => {
  const { isError, structuredContent } = result as { isError?: boolean; structuredContent: Many };
  assert.equal(isError, undefined, JSON.stringify(result));
  return structuredContent;
};
const call = (inputs: unknown, more: object = {}, operation = 'registration') => ({
  name: 'lookup_many',
  arguments: { operation, inputs, ...more },
});
const domains = (count: number) => Array.from({ length: count }, (_, i) => ({ domain: `d${i}.com` }));
/** Each domain is answered with its name, but for those of `errors`. */
const byDomain =
  (errors: Readonly<Record<string, ServiceError>> = {}): Rig['script'] =>
  (request) => {
    const { domain } = request.input as { domain: string };
    const error = errors[domain];
    return error ? Promise.resolve(refused(error)) : leads(service.clock, { body: registered(domain) })(request);
  };
async function settled(it: Rig): Promise<void> {
  for (let turns = 0; turns < 10_000 && (it.accounts.state.holds.size > 0 || it.gateway.inFlight() > 0); turns++)
    await new Promise(setImmediate);
  assert.deepEqual([it.accounts.state.holds.size, it.gateway.inFlight()], [0, 0]);
}

test('each input is answered or refused by itself, in its place; each answer is charged, and has a row of the request log of its own', async () => {
  service.script = byDomain({ 'd1.com': new ServiceError('NOT_FOUND', 'Why.'), 'd3.com': new ServiceError('UPSTREAM_TIMEOUT', 'Late.') });
  const inputs = [...domains(4), { domian: 'a.com' }, 'a.com', { domain: 'b.com', maxItems: 3 }, { domain: 'https://d5.com/about' }];
  for (const client of clients) {
    const [rows, balance] = [service.accounts.state.usage.length, service.accounts.state.balance];
    const { answers, call: sum } = manyIn(await client.callTool(call(inputs)));
    assert.deepEqual(
      answers.map(({ data, error }) => data?.domain ?? error?.code),
      ['d0.com', 'NOT_FOUND', 'd2.com', 'UPSTREAM_TIMEOUT', 'INVALID_REQUEST', 'INVALID_REQUEST', 'INVALID_REQUEST', 'd5.com'],
    );
    assert.deepEqual(sum, { credits: 3, answered: 3, failed: 5 });
    assert.deepEqual(
      answers.map((answer) => answer.call?.credits ?? answer.error?.charged),
      [1, 0, 1, 0, 0, 0, 0, 1],
    );
    assert.match(answers[4]?.error?.message ?? '', /^registration has no argument "domian" \(did you mean domain\?\)/);
    assert.match(answers[5]?.error?.message ?? '', /^The arguments are "a\.com", but they must be an object/);
    assert.equal(answers[6]?.error?.message, 'Argument maxItems holds for all inputs: give it beside inputs.');
    assert.deepEqual([answers[1]?.error?.message, answers[3]?.error?.retryable], ['Why.', true]);
    await settled(service);
    assert.equal(balance - service.accounts.state.balance, 3);
    const written = service.accounts.state.usage.slice(rows);
    assert.deepEqual(written.map(({ operation, status, credits, target }) => `${operation} ${status} ${credits} ${target}`).sort(), [
      'mcp 200 0 null',
      'registration 200 1 /v1/website/whois/domains/d0.com',
      'registration 200 1 /v1/website/whois/domains/d2.com',
      'registration 200 1 /v1/website/whois/domains/d5.com',
      'registration 404 0 /v1/website/whois/domains/d1.com',
      'registration 502 0 /v1/website/whois/domains/d3.com',
    ]);
    assert.equal(new Set(written.map(({ requestId }) => requestId)).size, written.length);
    const receipts = answers.flatMap((answer) => answer.call?.receipt ?? []);
    assert.equal(new Set(receipts).size, 3);
    assert.deepEqual(written.flatMap(({ details }) => details?.receipt ?? []).sort(), [...receipts].sort());
  }
});

test('the answer says in its header fields what all inputs cost together', async () => {
  service.script = byDomain();
  const answer = await fetch(`${baseUrl}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'x-api-key': KEY },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call(domains(3)) }),
  });
  assert.match(await answer.text(), /"credits\\?":3/);
  const charged = answer.headers.get('x-credits-charged');
  assert.ok(charged === '3' || answer.headers.get('content-type')?.startsWith('text/event-stream'), String(charged));
});

test('maxCredits and the limit of the service hold for all inputs together: beyond them nothing is done, and the price is said', async () => {
  service.script = byDomain();
  const cases: [more: object, inputs: number, why: RegExp][] = [
    [{ maxCredits: 0 }, 3, /^These 3 lookups cost 3 credits, and maxCredits allows 0: nothing was done\. Allow 3, or give fewer inputs\.$/],
    [{ maxCredits: 2 }, 3, /cost 3 credits, and maxCredits allows 2/],
    [{}, 13, /^These 13 lookups cost 13 credits, and this caller may spend 12: nothing was done/],
    [{ maxCredits: 100 }, 13, /this caller may spend 12/],
  ];
  for (const client of clients)
    for (const [more, inputs, why] of cases) {
      const asked = service.asked.length;
      const error = errorIn(await client.callTool(call(domains(inputs), more)));
      assert.deepEqual([error.code, error.charged], ['INSUFFICIENT_CREDITS', 0]);
      assert.match(error.message, why);
      assert.equal(service.asked.length, asked);
    }
  const [client] = clients;
  const { call: sum } = manyIn(await client?.callTool(call([...domains(12), { domain: 'x y' }], { maxCredits: 12 })));
  assert.deepEqual(sum, { credits: 12, answered: 12, failed: 1 });
});

test('an input that was free when the price was read costs nothing later either: it is refused, and the others are answered', async (t) => {
  t.after(() => {
    service.peeked = null;
  });
  service.script = byDomain();
  service.peeked = cached(service.clock);
  const [client] = clients;
  const { answers, call: sum } = manyIn(await client?.callTool(call(domains(2), { maxCredits: 0 })));
  assert.deepEqual([sum.credits, answers.map(({ error }) => error?.code)], [0, ['INSUFFICIENT_CREDITS', 'INSUFFICIENT_CREDITS']]);
});
test('each input counts against the limits of the key like a request of its own', async () => {
  service.script = byDomain();
  const client = await connect(baseUrl, { 'x-api-key': SLOW });
  service.clock.ms += 10_000; // the burst is there again
  const { answers, call: sum } = manyIn(await client.callTool(call(domains(6))));
  assert.deepEqual(sum, { credits: 3, answered: 3, failed: 3 });
  for (const { error } of answers.slice(3))
    assert.deepEqual(
      [error?.code, error?.retryable, error?.charged, Number(error?.retryAfterSeconds) > 0],
      ['RATE_LIMITED', true, 0, true],
    );
  await settled(service);
  await client.close();
});

test('a key without the operation is refused before any lookup', async () => {
  const client = await connect(baseUrl, { 'x-api-key': LIMITED });
  const asked = service.asked.length;
  assert.equal(errorIn(await client.callTool(call(domains(2)))).code, 'FORBIDDEN');
  assert.equal(service.asked.length, asked);
  await client.close();
});

test('wrong arguments of the whole call are refused with the cure', async () => {
  const wrong: [object, RegExp][] = [
    [{}, /^Argument operation must be one of serp/],
    [{ operation: 'registraton', inputs: [{}] }, /did you mean registration\?/],
    [{ operation: 'registration' }, /^Argument inputs is no list, but it must be a list of 1 to 20 objects/],
    [{ operation: 'registration', inputs: [] }, /^Argument inputs has 0 entries/],
    [{ operation: 'registration', inputs: domains(21) }, /^Argument inputs has 21 entries/],
    [{ operation: 'registration', inputs: domains(1), cursor: 'x' }, /^Unknown argument "cursor": this tool knows operation, inputs/],
    [{ operation: 'registration', inputs: domains(1), fields: ['nope'] }, /^Argument fields has "nope"/],
    [{ operation: 'registration', inputs: domains(1), maxCredits: -1 }, /^Argument maxCredits is -1/],
  ];
  const asked = service.asked.length;
  for (const client of clients)
    for (const [given, why] of wrong) {
      const error = errorIn(await client.callTool({ name: 'lookup_many', arguments: given as Record<string, unknown> }));
      assert.deepEqual([error.code, error.charged], ['INVALID_REQUEST', 0]);
      assert.match(error.message, why);
    }
  assert.equal(service.asked.length, asked);
});

test('a client that leaves is charged for none, the answered ones included, and no further input is asked', async () => {
  const cancel = new AbortController();
  const began = Promise.withResolvers<void>();
  let asked = 0;
  service.script = async (request) => {
    asked++;
    const { domain } = request.input as { domain: string };
    if (domain === 'd0.com') return byDomain()(request);
    await request.charge.hold();
    if (domain === 'd5.com') began.resolve();
    await new Promise((resolve) => request.signal?.addEventListener('abort', resolve));
    return refused(new ServiceError('UPSTREAM_TIMEOUT', 'Cancelled.'));
  };
  const [client] = clients;
  const [rows, balance] = [service.accounts.state.usage.length, service.accounts.state.balance];
  const answer = client?.callTool(call(domains(10)), { signal: cancel.signal });
  await began.promise;
  cancel.abort();
  await assert.rejects(async () => answer);
  await settled(service);
  assert.equal(service.accounts.state.balance, balance);
  assert.equal(asked, 6, 'five at a time, and one more for the one that was answered');
  const written = service.accounts.state.usage.slice(rows);
  assert.deepEqual(
    written.map(({ status, credits }) => [status, credits]),
    written.map(({ operation, target }) => [operation === 'mcp' || target?.endsWith('/d0.com') ? 499 : 502, 0]),
  );
  assert.equal(written.length, 7);
});

test('a hold that cannot be renewed makes the whole answer fail: nothing is delivered, and nothing is charged', async (t) => {
  t.after(() => {
    service.accounts.state.renews = true;
  });
  service.accounts.state.renews = false;
  service.script = async (request) => {
    const result = await leads(service.clock, { body: registered('d0.com') })(request);
    service.clock.ms += 60_000; // beyond the life of the hold
    return result;
  };
  const balance = service.accounts.state.balance;
  const [client] = clients;
  await assert.rejects(async () => client?.callTool(call(domains(1))));
  service.accounts.state.holds.clear(); // it has expired
  await settled(service);
  assert.equal(service.accounts.state.balance, balance);
});

test('progress says how many ended; after deadlineSeconds the rest is refused, free, and the answered ones are charged', async (t) => {
  const own = rig({ parts: endpointOn(toolClock) });
  await own.gateway.app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => own.gateway.drain());
  const agent = await connectWith('v2', { url: `${urlOf(own)}/mcp`, headers: { 'x-api-key': KEY } });
  t.after(() => agent.close());
  const told: Progress[] = [];
  own.script = async (request) => {
    const { domain } = request.input as { domain: string };
    if (Number(domain[1]) < 2) return leads(own.clock, { body: registered(domain) })(request);
    await request.charge.hold();
    await new Promise((resolve) => request.signal?.addEventListener('abort', resolve));
    return refused(new ServiceError('UPSTREAM_TIMEOUT', 'Cancelled.'));
  };
  const balance = own.accounts.state.balance;
  const running = agent.callTool(call(domains(9), { deadlineSeconds: 20 }), (progress) => told.push(progress));
  let isDone = false;
  void running.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    // slowly until the first message has arrived
    await toolClock.advance(own.asked.length < 7 ? 0 : told.length === 0 ? 10 : 500);
    await new Promise(setImmediate);
  }
  const { answers, call: sum } = manyIn(await running);
  assert.match(told[0]?.message ?? '', /^2 of 9 lookups ended, for \d+ s now; it ends by \d{4}-/);
  assert.deepEqual(sum, { credits: 2, answered: 2, failed: 7 });
  for (const { error } of answers.slice(2)) {
    assert.deepEqual([error?.code, error?.retryable, error?.charged], ['UPSTREAM_TIMEOUT', true, 0]);
    assert.match(error?.message ?? '', /^No answer within 20 s, which is the time of the whole call/);
  }
  await settled(own);
  assert.equal(balance - own.accounts.state.balance, 2);
});

test('at simulated sources: 20 large answers fit into one result, in both revisions and over stdio, and the ledger has what they said', async (t) => {
  const simulated: Running = await startSandboxService();
  t.after(() => simulated.stop());
  const inputs = Array.from({ length: 20 }, (_, i) => ({ keyword: `acme widgets ${i}` }));
  const fields = ['organic.rank', 'organic.url'];
  const overHttp = { url: `${simulated.baseUrl}/mcp`, headers: { 'x-api-key': simulated.key } };
  let said = 0;
  for (const [sdk, way] of [
    ['v1', overHttp],
    ['v2', overHttp],
    ['v1', programOf(['--url', simulated.baseUrl], { SIGHTLINE_API_KEY: simulated.key, SIGHTLINE_MCP_MAX_CREDITS: '40' })],
  ] as const) {
    const agent = await connectWith(sdk, way);
    for (const more of [{}, { fields }]) {
      const result = await agent.callTool(call(inputs, more, 'serp'));
      const { answers, call: sum } = manyIn(result);
      assert.deepEqual([sum.answered, sum.failed], [20, 0], JSON.stringify(answers.find(({ error }) => error)));
      const size = Buffer.byteLength(JSON.stringify(result));
      t.diagnostic(`${sdk}, ${JSON.stringify(more)}: ${size} bytes`);
      assert.ok(size <= MAX_RESULT_BYTES, `${size} bytes`);
      if ('fields' in more)
        for (const answer of answers) assert.deepEqual(Object.keys(answer.call ?? {}).includes('leftOut'), false, JSON.stringify(answer));
      said += sum.credits;
    }
    await agent.close();
  }
  assert.equal(said, 20, 'what is kept is free');
  assert.equal(await chargedAt(simulated, said), said);
});
