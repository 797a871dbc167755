import assert from 'node:assert/strict';
import test from 'node:test';
import { AddressRefused, type Lookup, pinned } from './guard.ts';

const answer = (lookup: Lookup, options: object = { all: true }) =>
  new Promise<{ error: Error | null; found: unknown }>((resolve) => {
    pinned(lookup)('name.com', options, (error, found) => resolve({ error, found }));
  });
const of = (...addresses: string[]): Lookup => {
  return async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

test('a name with one forbidden address is refused, even if its other addresses are allowed', async () => {
  for (const bad of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1']) {
    const { error } = await answer(of('8.8.8.8', bad));
    assert.ok(error instanceof AddressRefused, bad);
  }
});

test('the connection uses exactly the checked addresses, from one resolution', async () => {
  let asked = 0;
  const rebinding: Lookup = async () => [{ address: asked++ === 0 ? '8.8.8.8' : '127.0.0.1', family: 4 }];
  const { error, found } = await answer(rebinding);
  assert.equal(error, null);
  assert.deepEqual(found, [{ address: '8.8.8.8', family: 4 }]);
  assert.equal(asked, 1);
  assert.equal((await answer(of('8.8.8.8', '2606:4700::1111'), { family: 6 })).found, '2606:4700::1111');
});

test('a name without an address, and a failed resolution, are errors', async () => {
  assert.match(String((await answer(of())).error), /no address/);
  assert.match(String((await answer(() => Promise.reject(new Error('SERVFAIL')))).error), /SERVFAIL/);
});
