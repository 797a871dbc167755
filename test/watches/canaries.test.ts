import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { faultFinder } from '../../src/contract/operations/define.ts';
import { SourceStatus } from '../../src/contract/status.ts';
import { statusPage } from '../../src/gateway/routes/status.ts';
import { canaryResults, sourceStatus, storeCanaries } from '../../src/watches/canaries.ts';
import { parseCanaries, unmetFact } from '../../src/watches/canary-file.ts';
import { check } from '../../src/watches/check.ts';
import { BACKENDS } from '../ledger/backends.ts';
import { htmlFaults } from '../support/html-faults.ts';
import { type Answering, claimDue, DAY, gatewayOn } from './house.ts';

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
const MINUTE = 60_000;

for (const backend of BACKENDS)
  describe(`canaries on ${backend.name}`, { skip: backend.skip }, () => {
    /** A gateway on a store of its own with the canaries of a file. Its clock is at noon. */
    async function opened(t: { after(run: () => Promise<void>): void }, answer: (domain: string) => ReturnType<Answering>, file = FILE) {
      const bench = await backend.open();
      t.after(() => bench.drop());
      const { store } = bench;
      const asked: [string, boolean][] = [];
      const logged: string[] = [];
      const gateway = gatewayOn(store, {} as never, ({ input, freshness }) => {
        const { domain } = input as { domain: string };
        asked.push([domain, freshness.noCache]);
        return answer(domain);
      });
      const parts: typeof gateway.parts = {
        ...gateway.parts,
        log: (level, message, facts) => logged.push(`${level} ${message} ${facts.name}: ${facts.why ?? ''}`),
      };
      const keep = async (text = file) => storeCanaries(store, parseCanaries(text), await store.now());
      await bench.jump(DAY * 1.5 - ((await store.now()) % DAY));
      await keep();
      return {
        ...{ bench, store, asked, logged, keep },
        results: async () => canaryResults(store, await store.now()),
        status: async () => sourceStatus(store, await store.now()),
        async makeDue(): Promise<void> {
          for (const slot of (await claimDue(store, 10, await store.now(), randomUUID)).toSorted((a, b) => a.watch.n - b.watch.n))
            await check(parts, slot);
        },
      };
    }
    const holds = (domain: string) => ({
      resource: domain === 'nic.com' ? { available: false } : { registrar: { name: 'Sample' } },
      source: 'registration/rdap',
    });

    test('each canary is a watch of the operator: looked up once a day, past the cache, charged to nobody, in no feed', async (t) => {
      const { bench, store, asked, results, makeDue } = await opened(t, holds);
      await makeDue();
      assert.deepEqual(asked, [], 'not before the start is over');
      await bench.jump(MINUTE);
      await makeDue();
      assert.deepEqual(asked, [
        ['example.com', true],
        ['nic.com', true],
      ]);
      assert.deepEqual(
        (await results()).map(({ name, operation, ok, why, source, past }) => [name, operation, ok, why, source, past.length]),
        [
          ['a registration', 'registration', true, null, 'registration/rdap', 1],
          ['nic.com', 'registration', true, null, 'registration/rdap', 1],
        ],
      );
      for (let day = 1; day <= 40; day++) {
        await bench.jump(DAY);
        await makeDue();
        await makeDue();
        assert.equal(asked.length, 2 * (day + 1));
      }
      assert.deepEqual(
        (await results()).map(({ at, past }) => [past.length, past.at(-1)?.at === at, past.at(0)?.ok]),
        [
          [30, true, true],
          [30, true, true],
        ],
      );
      for (const table of ['watch_changes', 'watch_answers', 'watch_feeds'] as const)
        assert.deepEqual(await store.db.selectFrom(table).selectAll().execute(), [], table);
      const { credits } = await store.db
        .selectFrom('watch_checks')
        .select((e) => e.fn.sum('credits').as('credits'))
        .executeTakeFirstOrThrow();
      assert.equal(Number(credits), 0);
    });

    test('a fact that does not hold and a failed lookup are logged, and so is their end', async (t) => {
      let broken = true;
      const { bench, logged, results, makeDue } = await opened(t, (domain) =>
        !broken ? holds(domain) : domain === 'nic.com' ? { error: 'UPSTREAM_CHANGED' } : { resource: { registrar: { name: null } } },
      );
      await bench.jump(MINUTE);
      await makeDue();
      assert.deepEqual(logged, [
        'warn a canary fails a registration: registrar.name is null, expected {"exists":true}',
        "warn a canary fails nic.com: UPSTREAM_CHANGED: The source's answer has an unknown form.",
      ]);
      assert.deepEqual(
        (await results()).map(({ ok, why, source }) => [ok, why, source]),
        [
          [false, 'registrar.name is null, expected {"exists":true}', 'test'],
          [false, "UPSTREAM_CHANGED: The source's answer has an unknown form.", null],
        ],
      );
      broken = false;
      await bench.jump(DAY);
      await makeDue();
      assert.deepEqual(logged.slice(2), ['info a canary holds again a registration: ', 'info a canary holds again nic.com: ']);
      assert.deepEqual(
        (await results()).map(({ ok, past }) => [ok, past.map((one) => one.ok)]),
        [
          [true, [false, true]],
          [true, [false, true]],
        ],
      );
    });

    test('a restart repeats no lookup of the day; another fact is checked at once; what left the file is gone', async (t) => {
      const { bench, store, asked, keep, results, makeDue } = await opened(t, holds);
      await bench.jump(MINUTE);
      await makeDue();
      await keep();
      await bench.jump(MINUTE);
      await makeDue();
      assert.equal(asked.length, 2);
      await keep(FILE.replace('{"exists":true}', '"Another"'));
      await bench.jump(MINUTE);
      await makeDue();
      assert.deepEqual(asked.slice(2), [['example.com', true]]);
      assert.equal((await results())[0]?.why, 'registrar.name is "Sample", expected "Another"');
      await keep('{"registries":["com"]}');
      assert.deepEqual(
        (await results()).map(({ name }) => name),
        ['nic.com'],
      );
      assert.equal((await store.db.selectFrom('watch_checks').select('watch').execute()).length, 1);
    });

    test('the status has 90 days of each source; a day without a check has no data, and says neither up nor down', async (t) => {
      let broken = '';
      const { bench, status, makeDue } = await opened(t, (domain) =>
        broken.includes(domain) ? { resource: { available: true }, source: 'registration/rdap' } : holds(domain),
      );
      assert.deepEqual((await status()).sources, []);
      assert.deepEqual(htmlFaults(statusPage(await status())), []);
      const days = [null, '', 'nic.com', 'nic.com example.com', null, null, ''];
      for (const [i, day] of days.entries()) {
        await bench.jump(i === 0 ? MINUTE : DAY);
        broken = day ?? '';
        if (day !== null) await makeDue();
      }
      const found = await status();
      assert.equal(await faultFinder(SourceStatus)(found), null);
      const [source, ...others] = found.sources;
      assert.deepEqual(others, []);
      assert.deepEqual([source?.source, source?.state, source?.days.length, source?.upShare], ['registration/rdap', 'up', 90, 5 / 8]);
      assert.deepEqual(
        source?.days.slice(-7).map(({ state, checks, failed }) => `${state} ${checks} ${failed}`),
        ['no_data 0 0', 'up 2 0', 'partly 2 1', 'down 2 2', 'no_data 0 0', 'no_data 0 0', 'up 2 0'],
      );
      assert.ok(source?.days.slice(0, -7).every(({ state }) => state === 'no_data'));
      const page = statusPage(found);
      assert.deepEqual(htmlFaults(page), []);
      for (const [state, n] of [
        ['up', 2],
        ['partly', 1],
        ['down', 1],
        ['no_data', 86],
      ] as const)
        assert.equal(page.split(`<rect class="${state}"`).length - 1, n, state);
      await bench.jump(100 * DAY);
      assert.deepEqual((await status()).sources, [], 'what is older is left out');
    });
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
  // a misspelt fact would fail every day, as if the platform had changed
  const stated = (path: string): string => faultOf({ canaries: [{ ...canary, facts: { [path]: 'x' } }] });
  assert.match(stated('avaible'), /\/canaries\/0\/facts\/avaible is no field of registration \(did you mean available\?\)$/);
  assert.match(stated('registrar.nam'), /facts\/registrar\.nam is no field of registration \(did you mean registrar\.name\?\)$/);
  assert.match(stated(''), /\/canaries\/0\/facts\/ is no field of registration$/);
  for (const path of ['registrar', 'nameServers.0', 'nameServers.length', 'contacts.0.name']) assert.equal(stated(path), '', path);
  assert.match(faultOf({ canaries: [canary, canary] }), /"x" is given twice/);
  assert.match(faultOf({ registries: ['not a tld'] }), /\/registries\/0\//);
});
