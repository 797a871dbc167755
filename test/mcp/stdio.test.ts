// Few in a process: it waits for processes that it starts.
// In the gate alone: it runs the clients and the suite of the protocol.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Running } from '../end-to-end/service.ts';

import {
  type Agent,
  chargedAt,
  connectWith,
  contentOf,
  errorIn,
  exampleCalls,
  programOf,
  type Sdk,
  startSandboxService,
} from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startSandboxService();
});
after(() => service.stop());

const open = (args: readonly string[], env: Record<string, string>, sdk: Sdk = 'v2'): Promise<Agent> =>
  connectWith(sdk, programOf(args, env));

test('over stdio with the key of a service every tool answers, and the ledger has what the answers said', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: service.key });
  assert.equal((await client.listTools()).tools.length, 21);
  let said = 0;
  for (const call of exampleCalls) {
    const result = await client.callTool(call);
    assert.ok(!('isError' in result), `${call.name}: ${JSON.stringify(result)}`);
    const { call: facts } = contentOf(result);
    assert.equal(facts.credits > 0, typeof facts.receipt === 'string');
    said += facts.credits;
  }
  assert.equal(await chargedAt(service, said), said);
  const account = contentOf(await client.callTool({ name: 'account', arguments: {} })) as unknown as { credits: { balance: number } };
  assert.equal(account.credits.balance, 1000 - said);
  const price = contentOf(
    await client.callTool({ name: 'price', arguments: { tool: 'serp', arguments: { keyword: 'other', depth: 30 } } }),
  );
  assert.deepEqual(price, { operation: 'serp', price: 3, cached: false, freshUntil: null, charge: 3 });
  await client.close();
});

test('a session of stdio spends no more than SIGHTLINE_MCP_MAX_CREDITS in all; what is stored stays free', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: service.key, SIGHTLINE_MCP_MAX_CREDITS: '3' }, 'v1');
  const dear = await client.callTool({ name: 'serp', arguments: { keyword: 'too dear', depth: 40 } });
  assert.equal(errorIn(dear).code, 'INSUFFICIENT_CREDITS');
  const words = ['one', 'two', 'three', 'four'];
  const results = await Promise.all(words.map((keyword) => client.callTool({ name: 'serp', arguments: { keyword } })));
  assert.deepEqual(
    results.map((result) => 'isError' in result),
    [false, false, false, true],
  );
  const refused = errorIn(results[3]);
  assert.deepEqual([refused.code, refused.charged], ['INSUFFICIENT_CREDITS', 0]);
  await client.close();
});

test("over stdio without a service the tools ask this machine's own sources, and cost nothing", async () => {
  const client = await open([], {
    SIGHTLINE_HOSTS: service.sandbox.mapFile,
    REDDIT_CLIENT_ID: 'demo',
    REDDIT_CLIENT_SECRET: 'demo-secret',
  });
  const result = await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } });
  const { data, call } = contentOf(result);
  assert.deepEqual([data.domain, call.credits, call.cache], ['acme-widgets.com', 0, 'miss']);
  const account = await client.callTool({ name: 'account', arguments: {} });
  assert.equal(errorIn(account).code, 'NOT_IMPLEMENTED');
  await client.close();
});

test('a wrong key is an error of the tool, and never shown', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: 'sl_wrong_key' });
  const result = await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } });
  assert.equal(errorIn(result).code, 'UNAUTHORIZED');
  assert.ok(!JSON.stringify(result).includes('sl_wrong_key'));
  await client.close();
});
