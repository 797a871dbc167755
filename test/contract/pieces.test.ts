import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import { writePieces } from '../../src/gateway/http/pieces.ts';
import { createContext, type RequestContext } from '../../src/gateway/http/request-context.ts';
import { createResponder } from '../../src/gateway/http/response.ts';
import { createExports } from '../../src/watches/feed.ts';
import { adminHttp } from '../support/inject.ts';

const PIECE = 'x'.repeat(1_000_000);
const COUNT = 500;

/** A server whose answer is made of these pieces; how many were made, and what the handler did. */
async function serving(t: TestContext, make: (i: number) => string) {
  const state = { made: 0, isClosed: false, thrown: null as unknown };
  const http = adminHttp();
  const responder = createResponder(http);
  async function* pieces(): AsyncGenerator<string> {
    try {
      for (; state.made < COUNT; state.made++) yield make(state.made);
    } finally {
      state.isClosed = true;
    }
  }
  const ended = Promise.withResolvers<RequestContext>();
  const server = createServer(async (request, response) => {
    const context = createContext(http, { request, response, operation: 'test', route: '/' });
    await writePieces(responder, context, ['Content-Type', 'text/csv'], pieces()).catch((thrown: unknown) => {
      state.thrown = thrown;
      response.end();
    });
    ended.resolve(context);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { state, ended: ended.promise, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test('no more is made than the client reads, and nothing more once it has left', async (t) => {
  const { state, ended, url } = await serving(t, () => PIECE);
  const left = new AbortController();
  const answer = await fetch(url, { signal: left.signal });
  await answer.body?.getReader().read();
  left.abort();
  await ended;
  assert.ok(state.isClosed);
  assert.ok(state.made < COUNT / 2, `${state.made} of ${COUNT} pieces were made for a client that read one`);
});

test('a whole answer has all pieces in their order; HEAD has the headers alone', async (t) => {
  const { url } = await serving(t, (i) => `${i},é\n`);
  const lines = (await (await fetch(url)).text()).split('\n');
  assert.deepEqual([lines[0], lines[COUNT - 1], lines.length], ['0,é', `${COUNT - 1},é`, COUNT + 1]);
  const head = await serving(t, () => PIECE);
  const answer = await fetch(head.url, { method: 'HEAD' });
  assert.deepEqual([answer.status, answer.headers.get('content-type'), await answer.text()], [200, 'text/csv', '']);
  await head.ended;
  assert.ok(head.state.isClosed && head.state.made <= 1);
});

test('a failure of the first piece is an error response; a later one cuts the answer', async (t) => {
  const failing = (at: number) => (i: number) => {
    if (i === at) throw new ServiceError('UNAVAILABLE');
    return `${i}\n`;
  };
  const first = await serving(t, failing(0));
  assert.equal(await (await fetch(first.url)).text(), '');
  assert.ok(first.state.thrown instanceof ServiceError, 'left to the route');
  const later = await serving(t, failing(3));
  await assert.rejects(fetch(later.url).then((answer) => answer.text()));
  await later.ended;
  assert.equal(later.state.thrown, null);
});

test('exports of an account are made one after another, those of others beside them; one that is given up lets the next begin', async () => {
  const inTurn = createExports();
  const begun: string[] = [];
  async function* pieces(name: string): AsyncGenerator<string> {
    begun.push(name);
    yield name;
    yield name;
  }
  const [first, second, third, other] = [
    inTurn('acc_1', pieces('first')),
    inTurn('acc_1', pieces('second')),
    inTurn('acc_1', pieces('third')),
    inTurn('acc_2', pieces('other')),
  ];
  await first.next();
  const waits = [second.next(), third.next()];
  await other.next();
  assert.deepEqual(begun, ['first', 'other']);
  await first.return(undefined);
  await waits[0];
  assert.deepEqual(begun, ['first', 'other', 'second']);
  await second.return(undefined);
  await waits[1];
  assert.deepEqual(begun, ['first', 'other', 'second', 'third']);
});
