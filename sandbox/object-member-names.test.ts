// Few in a process: it computes for long.
// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Running, startWhole } from '../test/end-to-end/service.ts';

let house: Running;
before(async () => {
  house = await startWhole({ SIGHTLINE_APPMARKET_SEARCH: '1', SIGHTLINE_APPMARKET_PACE_MS: '100' });
});
after(() => house.stop());

test('simulated platforms answer 404 for names of Object.prototype members', async () => {
  for (const name of ['constructor', '__proto__'])
    for (const path of [`/v1/forum/communities/${name}`, `/v1/forum/search?query=x&community=${name}`]) {
      const { status, body } = await house.get(path);
      assert.equal(status, 404, `${path}: ${JSON.stringify(body)}`);
    }
  for (const path of ['apps/constructor', 'apps/constructor/reviews', 'apps/developers/constructor', 'appstore/category/constructor']) {
    const { status, body } = await house.get(`/v1/appmarket/${path}`);
    assert.equal(status, 404, `${path}: ${JSON.stringify(body)}`);
  }
});

test('an example with optional parameters returns data', async () => {
  const both = await house.get('/v1/forum/communities/acmewidgets?sort=hot&after=t3_1abc6d');
  assert.equal(both.status, 200);
  assert.ok(both.body.posts.length > 0);
});
