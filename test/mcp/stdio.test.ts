// Own process: it waits for processes that it starts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Running } from '../end-to-end/service.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { chargedAt, contentOf, exampleCalls, startSandboxService } from './mcp-client.ts';

let service: Running;
before(async () => {
  service = await startSandboxService();
});
after(() => service.stop());

async function open(args: readonly string[], env: Record<string, string>, mode: 'auto' | 'legacy' = 'auto'): Promise<Client> {
  const client = new Client({ name: 'sightline-test', version: '1' }, { versionNegotiation: { mode } });
  const command = process.execPath;
  await client.connect(
    new StdioClientTransport({
      command,
      args: ['src/cli/main.ts', 'mcp', ...args],
      env: { ...CHILD_ENVIRONMENT, ...env },
      stderr: 'ignore',
    }),
  );
  return client;
}

test('over stdio with the key of a service every tool answers, and the ledger has what the answers said', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: service.key });
  assert.equal((await client.listTools()).tools.length, 16);
  let said = 0;
  for (const call of exampleCalls) {
    const result = await client.callTool(call);
    assert.equal(result.isError, undefined, `${call.name}: ${JSON.stringify(result.structuredContent)}`);
    const { call: facts } = contentOf(result);
    assert.equal(facts.credits > 0, typeof facts.receipt === 'string');
    said += facts.credits;
  }
  assert.equal(await chargedAt(service, said), said);
  const account = (await client.callTool({ name: 'account', arguments: {} })).structuredContent as { credits: { balance: number } };
  assert.equal(account.credits.balance, 1000 - said);
  const price = (await client.callTool({ name: 'price', arguments: { tool: 'serp', arguments: { keyword: 'other', depth: 30 } } }))
    .structuredContent;
  assert.deepEqual(price, { operation: 'serp', price: 3, cached: false, freshUntil: null, charge: 3 });
  await client.close();
});

test('a session of stdio spends no more than SIGHTLINE_MCP_MAX_CREDITS in all; what is stored stays free', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: service.key, SIGHTLINE_MCP_MAX_CREDITS: '3' }, 'legacy');
  const dear = await client.callTool({ name: 'serp', arguments: { keyword: 'too dear', depth: 40 } });
  assert.deepEqual([dear.isError, (dear.structuredContent as { code: string }).code], [true, 'INSUFFICIENT_CREDITS']);
  const words = ['one', 'two', 'three', 'four'];
  const results = await Promise.all(words.map((keyword) => client.callTool({ name: 'serp', arguments: { keyword } })));
  assert.deepEqual(
    results.map(({ isError }) => isError === true),
    [false, false, false, true],
  );
  const refused = results[3]?.structuredContent as { code: string; charged: number };
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
  assert.deepEqual([account.isError, (account.structuredContent as { code: string }).code], [true, 'NOT_IMPLEMENTED']);
  await client.close();
});

test('a wrong key is an error of the tool, and never shown', async () => {
  const client = await open(['--url', service.baseUrl], { SIGHTLINE_API_KEY: 'sl_wrong_key' });
  const result = await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } });
  assert.deepEqual([result.isError, (result.structuredContent as { code: string }).code], [true, 'UNAUTHORIZED']);
  assert.ok(!JSON.stringify(result).includes('sl_wrong_key'));
  await client.close();
});
