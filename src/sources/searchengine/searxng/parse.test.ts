import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked } from '../../../../test/searchengine/fixture.ts';
import { openSearxngPage } from './parse.ts';

const OTHER = { url: 'https://hill.example/', title: 'Hill', engines: ['bing'], positions: [1] };
const read = (more: object, places = 0) =>
  openSearxngPage(
    { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ query: 'x', results: [], ...more })), url: '', atMs: 0 },
    { input: asked('x'), places },
  );

test('an engine that did not answer is named in pairs, objects or alone, in any case of letters', () => {
  for (const [unresponsive_engines, tag] of [
    [[['google', 'timeout']], 'timeout'],
    [[['Google', 'Suspended: CAPTCHA', true]], 'blocked'],
    [[{ engine: 'google', error: 'too many requests' }], 'limited'],
    [{ google: 'access denied' }, 'blocked'],
    [['google'], 'unreachable'],
    [[['google cse', 'CAPTCHA']], 'changed'],
    [[['bing', 'timeout']], 'changed'],
  ] as const)
    assert.equal(read({ unresponsive_engines }).tag, tag, JSON.stringify(unresponsive_engines));
});
test('an instance that listed the engine before has it: a later page of other engines names the depth that is answered', () => {
  const later = read({ results: [OTHER] }, 14);
  assert.ok(later.tag === 'changed' && later.advice?.includes('14'), JSON.stringify(later));
  assert.equal(read({ results: [OTHER] }).tag, 'refused');
});
