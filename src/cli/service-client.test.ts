import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SightlineError } from '../client/index.ts';
import { serviceClient } from './service-client.ts';

/** A client of a server that answers every request with this body, under the headers of the service. */
const clientOf = (body: unknown) =>
  serviceClient(
    'http://127.0.0.1:1',
    { SIGHTLINE_API_KEY: 'sl_x' },
    {
      maxRetries: 0,
      fetch: (async () => new Response(JSON.stringify(body), { headers: { 'x-request-id': 'r', 'x-credits-charged': '0' } })) as never,
    },
  );
const CALLS: readonly ((client: ReturnType<typeof serviceClient>) => PromiseLike<unknown>)[] = [
  (client) => client.account.get(),
  (client) => client.account.price('registration', { domain: 'example.com' }),
  (client) => client.watches.list(),
  (client) => client.watches.get('wat_1'),
  (client) => client.watches.run('wat_1'),
  (client) => client.watches.edit('wat_1', { paused: true }),
  (client) => client.watches.history('wat_1'),
];

test('what another server answers to a question about the account is refused with what it lacks, and never read', async () => {
  for (const body of [{}, [], { watches: {} }, { watches: [{}] }, { watches: [null] }, { status: 'ok' }, { key: null }])
    for (const call of CALLS) {
      const error = await Promise.resolve(call(clientOf(body))).then(
        () => assert.fail(`${JSON.stringify(body)} was accepted by ${call}`),
        (thrown: unknown) => thrown as Error,
      );
      assert.ok(error instanceof SightlineError, String(error.stack));
      assert.match(
        error.message,
        /^Status 200: http:\/\/127\.0\.0\.1:1 does not answer as Sightline does: .+ (?:has no|is no|is not) .+\.$/,
      );
    }
});

test('members of a later version are accepted', async () => {
  const price = { operation: 'registration', price: 1, cached: false, freshUntil: null, charge: 1, discount: 0 };
  assert.equal((await clientOf(price).account.price('registration', { domain: 'example.com' })).price, 1);
  assert.deepEqual(await clientOf({ watches: [], after: null, hasMore: false, total: 0 }).watches.list(), {
    ...{ watches: [], after: null, hasMore: false, total: 0 },
  });
});
