import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedOf } from '../sandbox/registration/expected.ts';
import { DOMAINS, SPECIAL } from '../sandbox/registration/facts.ts';
import { REGISTRIES } from '../sandbox/registration/registries.ts';
import { createLocalEngine } from '../src/engine/local.ts';
import { createBreakers } from '../src/orchestrator/breaker.ts';
import { runChain } from '../src/orchestrator/chain.ts';
import { createCheck } from '../src/orchestrator/check.ts';
import { registrationRdap } from '../src/sources/registration/rdap/source.ts';
import { registrationWhois } from '../src/sources/registration/whois/source.ts';
import { registrationWorld } from './registration-world.ts';

const sources = [registrationRdap, registrationWhois];

function lookups() {
  const world = registrationWorld();
  const parts = {
    engine: createLocalEngine(sources, world),
    breakers: createBreakers(),
    clock: world.clock,
    random: world.random,
    check: createCheck(),
  };
  return {
    world,
    ask: async (domain: string) =>
      (await runChain(parts, sources, { operation: 'registration', input: { domain }, deadlineMs: world.clock.now() + 30_000 })).outcome,
  };
}

test('every name of the simulated world is answered with its facts, and with nothing else', async () => {
  const { world, ask } = lookups();
  const at = new Date(world.clock.now()).toISOString();
  const names = [...DOMAINS.keys(), ...Object.values(SPECIAL), ...REGISTRIES.map((r) => `never-asked-before.${r.suffix}`)];
  for (const domain of new Set(names)) {
    const { outcome, resource } = expectedOf(domain);
    const got = await ask(domain);
    assert.equal(got.tag, outcome, `${domain}: ${JSON.stringify(got)}`);
    if (got.tag === 'found') assert.deepEqual(got.resource, { ...resource, scrapedAt: at }, domain);
  }
});

test('a thin registry is asked first, then the registrar that it names, and the bootstrap once', async () => {
  const { world, ask } = lookups();
  await ask('acme-widgets.com');
  await ask('bluebirdlooms.com');
  assert.equal(world.asked.filter((url) => url.includes('data.iana.org')).length, 1);
  assert.equal(world.asked[1], 'https://rdap.verisign.com/com/v1/domain/acme-widgets.com');
  assert.match(world.asked[2] ?? '', /^https:\/\/rdap\..+\/domain\/ACME-WIDGETS\.COM$/);
});

test('a name is called free by WHOIS only after IANA has named the server that said so', async () => {
  const { world, ask } = lookups();
  const got = await ask(SPECIAL.freeByWhois);
  assert.equal(got.tag, 'found');
  assert.ok(world.asked.includes('whois://whois.iana.org se'));
});

test('a throttled registry is never read as a free name', async () => {
  const { ask } = lookups();
  const got = await ask(SPECIAL.throttled);
  assert.equal(got.tag, 'limited');
  assert.equal(got.tag === 'limited' && got.retryAfterMs, 120_000);
});
