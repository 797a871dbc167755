// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectedOf } from '../../sandbox/registration/expected.ts';
import { DOMAINS, SPECIAL } from '../../sandbox/registration/facts.ts';
import { REGISTRIES } from '../../sandbox/registration/registries.ts';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { runChain } from '../../src/orchestrator/chain.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { registrationRdap } from '../../src/sources/registration/rdap/source.ts';
import { registrationWhois } from '../../src/sources/registration/whois/source.ts';
import { registrationPorts } from './fake-ports.ts';

const sources = [registrationRdap, registrationWhois];

function lookups() {
  const ports = registrationPorts();
  const parts = {
    engine: createLocalEngine(sources, ports),
    breakers: createBreakers(),
    clock: ports.clock,
    random: ports.random,
  };
  return {
    ports,
    ask: async (domain: string) =>
      (await runChain(parts, sources, { operation: 'registration', input: { domain }, deadlineMs: ports.clock.now() + 30_000 })).outcome,
  };
}

test('every simulated domain is answered with its facts and nothing else', async () => {
  const { ports, ask } = lookups();
  const at = new Date(ports.clock.now()).toISOString();
  const names = [...DOMAINS.keys(), ...Object.values(SPECIAL), ...REGISTRIES.map((r) => `never-asked-before.${r.suffix}`)];
  for (const domain of new Set(names)) {
    const { outcome, resource } = expectedOf(domain);
    const got = await ask(domain);
    assert.equal(got.tag, outcome, `${domain}: ${JSON.stringify(got)}`);
    if (got.tag === 'found') assert.deepEqual(JSON.parse(got.resource.bytes.toString()), { ...resource, scrapedAt: at }, domain);
  }
});

test('a thin registry is queried first, then the registrar that it names; the bootstrap once', async () => {
  const { ports, ask } = lookups();
  await ask('acme-widgets.com');
  await ask('bluebirdlooms.com');
  assert.equal(ports.asked.filter((url) => url.includes('data.iana.org')).length, 1);
  assert.equal(ports.asked[1], 'https://rdap.verisign.com/com/v1/domain/acme-widgets.com');
  assert.match(ports.asked[2] ?? '', /^https:\/\/rdap\..+\/domain\/ACME-WIDGETS\.COM$/);
});

test('WHOIS reports a domain as available only after IANA has named the server', async () => {
  const { ports, ask } = lookups();
  const got = await ask(SPECIAL.freeByWhois);
  assert.equal(got.tag, 'found');
  assert.ok(ports.asked.includes('whois://whois.iana.org se'));
});

test('a throttled registry never gives an available domain', async () => {
  const { ask } = lookups();
  const got = await ask(SPECIAL.throttled);
  assert.equal(got.tag, 'limited');
  assert.equal(got.tag === 'limited' && got.retryAfterMs, 120_000);
});
