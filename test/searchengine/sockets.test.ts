import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SEARCH_HOSTS } from '../../sandbox/searchengine/host.ts';
import { dataforseo } from '../../src/sources/searchengine/dataforseo/source.ts';
import { connectedBrowser } from '../../src/sources/searchengine/page/browser.ts';
import { outside } from '../support/upstream-fixture.ts';
import { asked, expectedOf, lookup, sandboxPorts } from './fixture.ts';

test('a provider whose first byte takes a minute is waited for within the deadline of the lookup', async () => {
  const environment = { DATAFORSEO_LOGIN: 'demo', DATAFORSEO_PASSWORD: 'demo-secret' };
  const real = await outside({ hosts: SEARCH_HOSTS, environment });
  try {
    const { ports } = sandboxPorts(environment);
    const there = { ...ports, clock: real.clock, http: real.http };
    real.sandbox.faults.next('https://api.dataforseo.com', { kind: 'slow-headers', ms: 60_000 }, 1);
    const pending = lookup(dataforseo, there, asked('running shoes'), 120_000);
    await real.clock.whenSleeping(2);
    await real.clock.advance(60_000);
    const outcome = await pending;
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    assert.deepEqual(outcome.resource.organic, expectedOf(asked('running shoes')).organic);
  } finally {
    await real.close();
  }
});
test("an unreachable browser is a failure of the operator's setup, not a crash", async () => {
  const { ports } = sandboxPorts();
  const tab = await connectedBrowser('http://127.0.0.1:1', ports.clock).open('en-US');
  assert.ok('tag' in tab && tab.tag === 'unreachable', JSON.stringify(tab));
});
