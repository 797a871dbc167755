import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client, ClientCredentialsProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Running } from '../end-to-end/service.ts';
import { chargedAt, connect, contentOf, errorIn, exampleCalls, startSandboxService } from './mcp-client.ts';

const MAX_LIST_BYTES = 40_000;
/** 6,000 tokens of 4 bytes. */
const MAX_DEFAULT_BYTES = 24_000;

let service: Running;
/** Bytes of the list of tools, and of each default answer. */
const bytes = new Map<string, number>();
let said = 0;
before(async () => {
  // the SDK refuses metadata without an authorization endpoint
  service = await startSandboxService({}, { apps: true });
});
after(() => service.stop());

test('every tool answers a real client of both revisions, and the ledger has what the answers said', async () => {
  for (const mode of ['auto', 'legacy'] as const) {
    const client = await connect(service.baseUrl, { 'x-api-key': service.key }, mode);
    const list = await client.listTools();
    assert.equal(list.tools.length, 21);
    bytes.set('the list of tools', Buffer.byteLength(JSON.stringify(list)));
    for (const call of exampleCalls) {
      const result = await client.callTool(call);
      assert.equal(result.isError, undefined, `${call.name}: ${JSON.stringify(result.structuredContent)}`);
      const { data, call: facts } = contentOf(result);
      assert.ok(Object.keys(data).length > 0);
      said += facts.credits;
      const size = Buffer.byteLength(JSON.stringify(result));
      assert.ok(size <= MAX_DEFAULT_BYTES, `${call.name}: ${size} bytes`);
      bytes.set(call.name, Math.max(size, bytes.get(call.name) ?? 0));
    }
    await client.close();
  }
  assert.equal(said, 14);
  assert.equal(await chargedAt(service, said), said);
});

test('the list of tools has 40 kB at most, and docs/mcp.md says the tokens of it and of each default answer', () => {
  assert.ok((bytes.get('the list of tools') ?? Number.POSITIVE_INFINITY) <= MAX_LIST_BYTES, `${bytes.get('the list of tools')} bytes`);
  const page = readFileSync('docs/mcp.md', 'utf8');
  const stated = new Map(
    [...page.matchAll(/^\| `?([\w ]+?)`? \| ([\d,]+) \|$/gm)].map(([, name = '', tokens = '']) => [name, Number(tokens.replace(',', ''))]),
  );
  const measured = [...bytes].map(([name, size]) => [name, Math.round(size / 4)] as const);
  const wrong = measured.filter(([name, tokens]) => Math.abs(tokens - (stated.get(name) ?? 0)) > Math.max(10, tokens / 20));
  assert.deepEqual(
    wrong,
    [],
    `the table should be:\n${measured.map(([name, tokens]) => `| ${name} | ${tokens.toLocaleString('en')} |`).join('\n')}`,
  );
});

test('what does not fit is said, and comes with the cursor, free; fields and maxItems shorten an answer', async () => {
  const client = await connect(service.baseUrl, { 'x-api-key': service.key });
  const posts: string[] = [];
  const given = { community: 'acmewidgets', fields: ['posts.postId', 'hasMore'], maxItems: 40 };
  let cursor: unknown;
  for (let parts = 0; parts < 5 && (parts === 0 || cursor !== undefined); parts++) {
    const { data, call } = contentOf(
      await client.callTool({ name: 'forum_community', arguments: { ...given, ...(cursor !== undefined && { cursor }) } }),
    );
    assert.equal(call.credits, 0);
    const page = data.posts as { postId: string }[];
    assert.deepEqual([Object.keys(data), page.length <= 40, Object.keys(page[0] ?? {})], [['posts', 'hasMore'], true, ['postId']]);
    posts.push(...page.map(({ postId }) => postId));
    assert.match(String(call.leftOut), /^posts: entries \d+ to \d+ of 102 are here/);
    cursor = call.nextCursor;
  }
  assert.deepEqual([posts.length, new Set(posts).size], [102, 102]);
  const short = contentOf(await client.callTool({ name: 'forum_community', arguments: { community: 'acmewidgets' } }));
  assert.equal((short.data.posts as unknown[]).length, 20);
  const gone = await client.callTool({
    name: 'forum_search',
    arguments: { query: 'never asked', cursor: Buffer.from('5.0123456789').toString('base64url') },
  });
  assert.equal(errorIn(gone).code, 'NOT_CACHED');
  assert.match(errorIn(gone).message, /call again without cursor, which costs 1 credit\.$/);
  await client.close();
});

test('a client signs in by OAuth with what the service says of itself; a token without the scope of a tool is told which one it lacks', async () => {
  const [account] = await service.admin.listAccounts();
  const { clientId, clientSecret } = await service.admin.createClient({ accountId: account?.accountId ?? '', label: 'agent' });
  const client = new Client({ name: 'sightline-test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const authProvider = new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: service.baseUrl });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { authProvider }));
  const result = await client.callTool({ name: 'registration', arguments: { domain: 'bluebirdlooms.com' } });
  assert.equal(contentOf(result).call.credits, 1);
  said += 1;
  assert.equal(await chargedAt(service, said), said);
  await client.close();

  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'traffic',
  });
  const { access_token: token } = (await (await fetch(`${service.baseUrl}/v1/oauth/token`, { method: 'POST', body: form })).json()) as {
    access_token: string;
  };
  const refused = await fetch(`${service.baseUrl}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'registration', arguments: { domain: 'a.com' } } }),
  });
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="registration", resource_metadata="/);
});

test('what people paste is read, and stands beside the data; what is no such address is refused', async () => {
  const client = await connect(service.baseUrl, { 'x-api-key': service.key });
  const pasted: [string, Record<string, string>, Record<string, string>, Record<string, unknown>][] = [
    ['app', { handle: 'https://apps.shopify.com/acme-reviews?locale=de' }, { handle: 'acme-reviews' }, { handle: 'acme-reviews' }],
    ['forum_comments', { postId: 'https://www.reddit.com/r/acmewidgets/comments/1abc01/title/' }, { postId: '1abc01' }, {}],
    [
      'registration',
      { domain: 'https://www.acme-widgets.com/shop?a=1' },
      { domain: 'www.acme-widgets.com' },
      { domain: 'acme-widgets.com' },
    ],
    ['forum_community', { community: 'https://old.reddit.com/r/acmewidgets/top/?t=day' }, { community: 'acmewidgets' }, {}],
  ];
  for (const [name, given, understood, known] of pasted) {
    const { data, call } = contentOf(await client.callTool({ name, arguments: given }));
    assert.deepEqual(call.understood, understood, name);
    assert.ok(!JSON.stringify(data).includes('understood'));
    for (const [field, value] of Object.entries(known)) assert.equal(data[field], value);
    const price = contentOf(await client.callTool({ name: 'price', arguments: { operation: name, parameters: given } }));
    assert.deepEqual((price as unknown as { understood: unknown }).understood, understood);
  }
  const plain = contentOf(await client.callTool({ name: 'registration', arguments: { domain: 'acme-widgets.com' } }));
  assert.equal(plain.call.understood, undefined);
  const other = errorIn(await client.callTool({ name: 'app', arguments: { handle: 'https://example.com/acme-reviews' } }));
  assert.deepEqual([other.code, other.charged], ['INVALID_REQUEST', 0]);
  await client.close();
});

test('resources: the OpenAPI description and the pages of docs', async () => {
  const client = await connect(service.baseUrl, { 'x-api-key': service.key });
  const { resources } = await client.listResources();
  assert.ok(resources.some(({ uri }) => uri === 'sightline://docs/mcp.md'));
  const [openApi] = (await client.readResource({ uri: 'sightline://openapi.json' })).contents;
  assert.ok(openApi && 'text' in openApi && JSON.parse(openApi.text).openapi.startsWith('3.1'));
  await client.close();
});

test('mcp-readiness gives grade A', async () => {
  const { auditServer } = (await import('mcp-readiness' as string)) as {
    auditServer(url: string): Promise<{ grade: string; top_gap: string }>;
  };
  const { fetch: real } = globalThis;
  // the auditor has no way to send credentials
  globalThis.fetch = (url, init) =>
    real(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-api-key': service.key } });
  try {
    let audit = await auditServer(`${service.baseUrl}/mcp`);
    // it takes any "402" in an answer for a demand to pay, also in an ID or the fraction of a second: a real one would come each time
    for (let again = 0; again < 4 && /priced/.test(audit.top_gap); again++) audit = await auditServer(`${service.baseUrl}/mcp`);
    assert.equal(audit.grade, 'A', audit.top_gap);
  } finally {
    globalThis.fetch = real;
  }
});
