import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanaryResult } from '../../src/contract/admin/schemas.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import { parseCanaries, startCanaries, unmetFact } from '../../src/orchestrator/canaries.ts';
import type { LookupRequest, LookupResult } from '../../src/orchestrator/types.ts';
import { readSettings } from '../../src/settings.ts';
import { createManualClock } from '../support/manual-clock.ts';

const DAY_MS = 86_400_000;
const FILE = JSON.stringify({
  canaries: [
    {
      name: 'a registration',
      operation: 'registration',
      parameters: { domain: 'EXAMPLE.com' },
      facts: { 'registrar.name': { exists: true } },
    },
  ],
  registries: ['com'],
});

function answered(resource: object): LookupResult {
  const cached = {
    bytes: Buffer.from(JSON.stringify(resource)),
    etag: '',
    at: 0,
    freshUntil: 0,
    keepUntil: 0,
    source: 'registration/rdap',
    absent: null,
    delivered: null,
    unread: [],
  };
  return { ok: true, answer: { cached, cacheStatus: { how: 'hit' }, leads: true, attempts: [], upstreamMs: 0 } };
}
const refused: LookupResult = {
  ok: false,
  refusal: { error: new ServiceError('UPSTREAM_CHANGED', 'Unknown shape.'), cacheStatus: null, attempts: [], upstreamMs: 0, at: null },
};

function started(answer: (domain: string) => LookupResult, saved: readonly CanaryResult[] = []) {
  const clock = createManualClock();
  const asked: LookupRequest[] = [];
  const logged: string[] = [];
  const stored: (readonly CanaryResult[])[] = [];
  const canaries = startCanaries({
    canaries: parseCanaries(FILE),
    orchestrator: {
      async lookup(request) {
        asked.push(request as LookupRequest);
        return answer((request.input as { domain: string }).domain);
      },
    },
    settings: readSettings({}),
    clock,
    newRequestId: () => `canary-${asked.length}`,
    log: (level, message, facts) => logged.push(`${level} ${message} ${facts.name}: ${facts.why ?? ''}`),
    saved,
    save: async (results) => void stored.push(results),
  });
  return { clock, asked, logged, stored, canaries };
}

test('each canary is looked up once a day, past the cache and free of charge; failures are logged, and when they end', async (t) => {
  let broken = false;
  const { clock, asked, logged, stored, canaries } = started((domain) => {
    if (domain === 'nic.com') return broken ? refused : answered({ available: false });
    return answered({ registrar: { name: broken ? null : 'Sample' } });
  });
  t.after(() => canaries.close());
  await clock.advance(60_000);
  assert.deepEqual(
    asked.map(({ operation, input, freshness }) => [operation, (input as { domain: string }).domain, freshness.noCache]),
    [
      ['registration', 'example.com', true],
      ['registration', 'nic.com', true],
    ],
  );
  assert.deepEqual(
    canaries.results().map(({ name, ok, why, source }) => [name, ok, why, source]),
    [
      ['a registration', true, null, 'registration/rdap'],
      ['nic.com', true, null, 'registration/rdap'],
    ],
  );
  await clock.advance(DAY_MS - 120_000);
  assert.equal(asked.length, 2, 'not before the day is over');
  broken = true;
  await clock.advance(120_000);
  assert.equal(asked.length, 4);
  assert.deepEqual(logged, [
    'warn a canary fails a registration: registrar.name is null, expected {"exists":true}',
    'warn a canary fails nic.com: UPSTREAM_CHANGED: Unknown shape.',
  ]);
  broken = false;
  await clock.advance(DAY_MS);
  assert.deepEqual(logged.slice(2), ['info a canary holds again a registration: ', 'info a canary holds again nic.com: ']);
  assert.equal(stored.length, 6);
});

test('a restart does not repeat the lookups of the day', async (t) => {
  const first = started(() => answered({ available: false, registrar: { name: 'Sample' } }));
  await first.clock.advance(60_000);
  first.canaries.close();
  const second = started(() => answered({}), first.stored.at(-1));
  t.after(() => second.canaries.close());
  await second.clock.advance(DAY_MS / 2);
  assert.equal(second.asked.length, 0);
  assert.equal(second.canaries.results().length, 2);
  await second.clock.advance(DAY_MS / 2 + 60_000);
  assert.equal(second.asked.length, 2);
});

test('a fact is a value at a path; a missing path does not hold', () => {
  const resource = { a: { b: [1, 2], c: null } };
  assert.equal(unmetFact(resource, { 'a.b': [1, 2], 'a.b.0': 1, 'a.c': null }), null);
  assert.equal(unmetFact(resource, { 'a.c': { exists: true } }), 'a.c is null, expected {"exists":true}');
  assert.equal(unmetFact(resource, { 'a.d.e': 1 }), 'a.d.e is missing, expected 1');
});

test('a wrong file is refused with the path of the field', () => {
  const faultOf = (file: unknown): string => {
    try {
      parseCanaries(typeof file === 'string' ? file : JSON.stringify(file));
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const canary = { name: 'x', operation: 'registration', parameters: { domain: 'example.com' }, facts: { available: false } };
  assert.equal(faultOf({ canaries: [canary] }), '');
  assert.match(faultOf('{'), /^SIGHTLINE_CANARIES: the file is not JSON/);
  assert.match(faultOf({ lookups: [] }), /\/lookups is not known: the file has canaries and registries/);
  assert.match(faultOf({ canaries: [{ ...canary, facts: {} }] }), /\/canaries\/0\/facts must be an object of paths and values/);
  assert.match(faultOf({ canaries: [{ ...canary, operation: 'none' }] }), /\/canaries\/0\/operation is "none", which is no operation/);
  assert.match(
    faultOf({ canaries: [{ ...canary, parameters: { domain: 'localhost' } }] }),
    /\/canaries\/0\/parameters are no input of registration/,
  );
  assert.match(faultOf({ canaries: [canary, canary] }), /"x" is given twice/);
  assert.match(faultOf({ registries: ['not a tld'] }), /\/registries\/0\//);
});
