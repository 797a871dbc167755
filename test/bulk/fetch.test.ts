import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { Agent } from 'undici';
import { fetchBy } from '../../src/cli/bulk/fetch.ts';
import { Sightline, type SightlineError } from '../../src/client/index.ts';

const MAX_BYTES = 100_000;
const RESOURCE = { domain: 'größe.example', available: true, notes: 'ü✓'.repeat(50) };
const answers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'parts.com': async (response) => {
    // every character of several bytes is cut
    for (const byte of Buffer.from(JSON.stringify(RESOURCE))) response.write(Buffer.of(byte));
    response.end();
  },
  'large.com': (response) => response.end(JSON.stringify({ notes: 'ü'.repeat(MAX_BYTES / 2) })),
  'cut.com': (response) => response.write('{"domain":', () => response.destroy()),
  'silent.com': (response) => void response.write('{"domain":'),
};
const server = createServer((request, response) => {
  response.writeHead(200, { 'x-request-id': 'r', 'x-credits-charged': '1', 'cache-status': ['a', 'Sightline; hit'] });
  answers[request.url?.split('/').at(-1) ?? '']?.(response);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const agent = new Agent({ connections: 1 });
after(async () => {
  await agent.destroy();
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = new Sightline({ baseUrl, apiKey: 'key', fetch: fetchBy(agent, MAX_BYTES), maxBytes: MAX_BYTES, maxRetries: 0 });
const failed = (domain: string, options = {}): Promise<SightlineError> =>
  client.registration.domain({ domain }, options).then(
    () => assert.fail(domain),
    (error: SightlineError) => error,
  );

test('a body that comes in parts is read whole, with the text that it was sent as', async () => {
  const { data, text, cache } = await client.registration.domain({ domain: 'parts.com' }).withResponse();
  assert.deepEqual([data, text, cache], [RESOURCE, JSON.stringify(RESOURCE), 'hit']);
});

test('an answer that is too large, cut off or late is an error of the client, and the connection is free for the next one', async () => {
  const large = await failed('large.com');
  assert.deepEqual([large.code, large.status, large.charged], ['ANSWER_TOO_LARGE', 200, 1]);
  const cut = await failed('cut.com');
  assert.deepEqual([cut.code, cut.retryable, cut.charged], ['CONNECTION_FAILED', true, null]);
  assert.equal((await failed('silent.com', { deadlineMs: 300 })).code, 'DEADLINE_EXCEEDED');
  const stopping = new AbortController();
  const stopped = failed('silent.com', { signal: stopping.signal });
  setImmediate(() => stopping.abort());
  assert.equal((await stopped).code, 'ABORTED');
  assert.deepEqual(await client.registration.domain({ domain: 'parts.com' }), RESOURCE);
});
