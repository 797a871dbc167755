import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { verifyAudit } from '../../src/accounts/admin/verify-audit.ts';
import type { CreditLedger } from '../../src/billing/ledger.ts';
import type { WatchChange } from '../../src/contract/account/watch-schemas.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { registrationRdap } from '../../src/sources/registration/rdap/source.ts';
import { registrationWhois } from '../../src/sources/registration/whois/source.ts';
import { check } from '../../src/watches/check.ts';
import { claimNow } from '../../src/watches/records.ts';
import { expire } from '../../src/watches/retention.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, type Bench } from '../ledger/backends.ts';
import { registrationPorts } from '../registration/fake-ports.ts';
import { type Answering, claimDue, DAY, gatewayOn, HOUR, houseOn, type Says } from './house.ts';

const registered = (more: Record<string, unknown> = {}) => ({
  domain: 'acme-widgets.com',
  available: false,
  registrar: { name: 'Acme Registrar', ianaId: '1', abuseEmail: null, abusePhone: null },
  registeredOn: null,
  expiresOn: '2027-01-01',
  updatedOn: null,
  status: ['ok'],
  nameServers: ['ns1.acme-widgets.com'],
  dnssec: null,
  contacts: [],
  scrapedAt: '2026-01-31T12:00:00.000Z',
  source: 'authoritative',
  ...more,
});
async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
/** A registry without contacts, and the registrar that it names: with a holder, or limited. */
function thinRegistry(holder: () => string | null) {
  const record = {
    objectClassName: 'domain',
    ldhName: 'thin.com',
    events: [{ eventAction: 'registration', eventDate: '2020-01-02T03:04:05Z' }],
  };
  const person = () => ({ roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', holder()]]] });
  const answers = {
    'https://data.iana.org': () => ({ services: [[['com'], ['https://rdap.registry.example/']]] }),
    'https://rdap.registry.example': () => ({
      ...record,
      links: [{ rel: 'related', href: 'https://rdap.registrar.example/domain/thin.com' }],
    }),
    'https://rdap.registrar.example': () => (holder() === null ? { errorCode: 429 } : { ...record, entities: [person()] }),
  };
  const rdap = Object.entries(answers).map(([origin, body]) => ({
    origins: [origin],
    answer: () => ({ status: 200, body: JSON.stringify(body()) }),
  }));
  const registrar = () =>
    holder() === null ? 'Rate limit exceeded.' : `Domain Name: THIN.COM\nRegistrar: Acme\nRegistrant Name: ${holder()}\n`;
  const whois = [
    {
      host: 'whois.verisign-grs.com',
      answer: () =>
        'Domain Name: THIN.COM\nRegistrar: Acme\nRegistrar WHOIS Server: whois.registrar.example\nCreation Date: 2020-01-02T03:04:05Z\n',
    },
    { host: 'whois.registrar.example', answer: registrar },
  ];
  return registrationPorts(rdap, whois);
}
const free = { ...registered(), available: true, registrar: null, expiresOn: null, status: [], nameServers: [] };
const NEW = { operation: 'registration', parameters: { domain: 'acme-widgets.com' }, every: '1d', creditsPerMonth: 100 };

for (const backend of BACKENDS)
  describe(`checks of watches on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    const ledgers: CreditLedger[] = [];
    after(async () => {
      for (const ledger of ledgers) await ledger.close();
      // a test sets parameters that no owner could, and one empties the table
      const ofTests = /: the audit log says that it was made, but|a b/;
      const faults = (await verifyAudit(bench.store.db)).faults.filter((each) => each.startsWith('watch ') && !ofTests.test(each));
      assert.deepEqual(faults, [], 'each write of a watch is in the audit log');
      await bench.drop();
    });

    async function opened(answering: Answering, credits?: number) {
      const house = await houseOn(bench, answering, credits);
      ledgers.push(house.ledger);
      return house;
    }
    /** A watch, and a way to make its checks one after the other with what the source says. */
    async function watching(body: object = NEW) {
      let says: Says = { resource: registered() };
      const house = await opened(() => says);
      const watch = await house.watches.create(house.caller, body);
      const run = async (now: Says | Record<string, unknown>) => {
        says = 'resource' in now || 'error' in now ? (now as Says) : { resource: now };
        const { outcome, code, credits } = await house.watches.run(house.caller, watch.watchId);
        await bench.jump(60_000);
        return code === null ? `${outcome} ${credits}` : `${outcome} ${code} ${credits}`;
      };
      const feed = async (): Promise<readonly WatchChange[]> =>
        (await house.watches.changes(house.caller, { limit: 100, order: 'oldest', watch: watch.watchId })).changes;
      const kinds = async () => (await feed()).map(({ kind, field }) => (field ? `${kind} ${field}` : kind));
      return { ...house, watch, run, feed, kinds };
    }

    test('the first answer is no change; the same is none; a difference is one, with both values', async () => {
      const { run, feed, billing, metrics } = await watching();
      assert.equal(await run(registered()), 'first 1');
      assert.equal(await run(registered({ scrapedAt: '2026-02-01T12:00:00.000Z' })), 'same 1');
      assert.equal(await run(registered({ expiresOn: '2028-01-01' })), 'changed 1');
      const [change, ...others] = await feed();
      assert.deepEqual(others, []);
      assert.deepEqual([change?.kind, change?.field, change?.before, change?.after], ['changed', 'expiresOn', '2027-01-01', '2028-01-01']);
      await billing.settled();
      assert.match(await metrics.text(), /^sightline_credits_charged_total\{operation="registration"\} 3$/m);
    });

    test('failed and skipped checks, unread fields and another source are no changes; each is compared with what was read last', async () => {
      const { run, kinds } = await watching();
      await run(registered());
      assert.equal(await run({ error: 'UPSTREAM_BLOCKED' }), 'failed UPSTREAM_BLOCKED 0');
      assert.equal(await run({ error: 'UPSTREAM_RATE_LIMITED', isUnsent: true }), 'skipped resting 0');
      assert.equal(await run({ resource: registered({ expiresOn: null }), unread: ['expiresOn'] }), 'same 1');
      assert.equal(await run({ resource: registered({ expiresOn: '2027-01-01T00:00:00.000Z' }), source: 'other' }), 'first 1');
      assert.equal(await run(registered()), 'same 1');
      assert.deepEqual(await kinds(), []);
      assert.equal(await run({ resource: registered({ expiresOn: null }), unread: ['expiresOn'] }), 'same 1');
      assert.equal(await run(registered({ expiresOn: '2028-01-01' })), 'changed 1');
      assert.deepEqual(await kinds(), ['changed expiresOn']);
    });

    test('a change that one source told is not told again by another one, whose answer of before is replaced; its next change is told', async () => {
      const { run, feed } = await watching();
      const expires = (expiresOn: string, source: string) => ({ resource: registered({ expiresOn }), source });
      const [rdap, whois] = ['registration/rdap', 'registration/whois'];
      assert.equal(await run(expires('2027-01-01', rdap)), 'first 1');
      assert.equal(await run(expires('2027-01-01', whois)), 'first 1');
      assert.equal(await run(expires('2028-01-01', whois)), 'changed 1');
      assert.equal(await run(expires('2028-01-01', rdap)), 'first 1');
      assert.equal(await run(expires('2028-01-01', whois)), 'same 1');
      assert.equal(await run(expires('2028-01-01', rdap)), 'same 1');
      assert.equal(await run(expires('2029-01-01', rdap)), 'changed 1');
      assert.deepEqual(
        (await feed()).map(({ after, source }) => [after, source]),
        [
          ['2028-01-01', whois],
          ['2029-01-01', rdap],
        ],
      );
    });

    test('a registrar that answers, fails and answers again is no change by RDAP or WHOIS; another contact is one', async () => {
      for (const source of [registrationRdap, registrationWhois]) {
        let holder: string | null = 'Jo Roe';
        const ports = thinRegistry(() => holder);
        const { registration } = source.open(ports);
        const read = async (name: string | null): Promise<Says> => {
          holder = name;
          const attempt = { signal: new AbortController().signal, deadlineMs: ports.clock.now() + 30_000 };
          const outcome = await registration?.({ domain: 'thin.com' }, attempt);
          assert.ok(outcome?.tag === 'found');
          assert.equal(outcome.resource.contacts.length, name === null ? 0 : 1);
          return { resource: outcome.resource, unread: outcome.unread ?? [], source: source.id };
        };
        for (const first of ['Jo Roe', null]) {
          const { run, kinds } = await watching({ ...NEW, fields: ['registrar', 'contacts', 'registeredOn'] });
          assert.equal(await run(await read(first)), 'first 1');
          for (const next of [null, 'Jo Roe', null, null, 'Jo Roe']) assert.equal(await run(await read(next)), 'same 1');
          assert.deepEqual(await kinds(), []);
          assert.equal(await run(await read(null)), 'same 1');
          assert.equal(await run(await read('Ann Roe')), 'changed 1');
          assert.deepEqual(await kinds(), ['changed contacts.name']);
        }
      }
    });

    test('`free` needs a second check at least ten minutes later; a name that is registered again is one change', async () => {
      const { run, kinds, watches, caller, watch } = await watching();
      await run(registered());
      assert.equal(await run(free), 'same unconfirmed 1');
      const { nextAt } = await watches.show(caller, watch.watchId);
      assert.ok(Date.parse(nextAt) - (await bench.store.now()) <= 600_000, 'the second check is planned');
      assert.equal(await run(free), 'same unconfirmed 1');
      assert.equal(await run(registered()), 'same 1');
      assert.equal(await run(free), 'same unconfirmed 1');
      await bench.jump(600_000);
      assert.equal(await run(free), 'changed 1');
      assert.equal(await run(free), 'same 1');
      assert.deepEqual(await kinds(), ['free available']);
      assert.equal(await run(registered()), 'changed 1');
      assert.deepEqual(await kinds(), ['free available', 'changed available']);
    });

    test('`gone` needs a second NOT_FOUND; what is there again is one change', async () => {
      const { run, kinds } = await watching();
      await run(registered());
      assert.equal(await run({ error: 'NOT_FOUND' }), 'same unconfirmed 0');
      await bench.jump(600_000);
      assert.equal(await run({ error: 'NOT_FOUND' }), 'changed 0');
      assert.equal(await run(registered()), 'changed 1');
      assert.deepEqual(await kinds(), ['gone', 'added']);
    });

    test('the third failed check in a row is told once, and the recovery once', async () => {
      const { run, kinds, watches, caller, watch } = await watching();
      await run(registered());
      for (let i = 0; i < 5; i++) await run({ error: 'UPSTREAM_CHANGED' });
      assert.equal((await watches.show(caller, watch.watchId)).state, 'failing');
      assert.equal(await run(registered()), 'same 1');
      assert.deepEqual(await kinds(), ['failing', 'recovered']);
    });

    test('a watch that comes to a stop says why, also while its source is out or after another reason: each once', async () => {
      const { run, feed, watches, caller, watch } = await watching({ ...NEW, creditsPerMonth: 2 });
      const revoked_at = (at: number | null) =>
        bench.store.db.updateTable('keys').set({ revoked_at: at }).where('id', '=', caller.keyId).execute();
      await run(registered());
      for (let i = 0; i < 4; i++) await run({ error: 'UPSTREAM_CHANGED' });
      await revoked_at(1);
      for (let i = 0; i < 3; i++) assert.equal(await run(registered()), 'skipped key 0');
      await revoked_at(null);
      assert.equal(await run(registered()), 'same 1');
      for (let i = 0; i < 2; i++) assert.equal(await run(registered()), 'skipped budget 0');
      await revoked_at(1);
      for (let i = 0; i < 2; i++) assert.equal(await run(registered()), 'skipped key 0');
      assert.equal((await watches.show(caller, watch.watchId)).stopped, 'key');
      await revoked_at(null);
      await watches.edit(caller, watch.watchId, { creditsPerMonth: 10 });
      assert.equal(await run(registered()), 'same 1');
      assert.deepEqual(
        (await feed()).map(({ kind, after }) => (after === null ? kind : `${kind} ${after}`)),
        ['failing UPSTREAM_CHANGED', 'failing key', 'recovered', 'failing budget', 'failing key', 'recovered'],
      );
    });

    test('skips: budget, credits, key and paused are outcomes, and cost nothing', async () => {
      const { run, watches, caller, watch } = await watching({ ...NEW, creditsPerMonth: 1 });
      assert.equal(await run(registered()), 'first 1');
      assert.equal(await run(registered()), 'skipped budget 0');
      await watches.edit(caller, watch.watchId, { creditsPerMonth: 50, paused: true });
      assert.equal(await run(registered()), 'skipped paused 0');
      await watches.edit(caller, watch.watchId, { paused: false });
      await bench.store.db.updateTable('keys').set({ revoked_at: 1 }).where('id', '=', caller.keyId).execute();
      assert.equal(await run(registered()), 'skipped key 0');
      const poor = await opened(() => ({ resource: registered() }), 1);
      const { watchId } = await poor.watches.create(poor.caller, NEW);
      assert.equal((await poor.watches.run(poor.caller, watchId)).outcome, 'first');
      await assert.rejects(poor.watches.run(poor.caller, watchId), { failure: 'INSUFFICIENT_CREDITS' });
      const { checks } = await poor.watches.history(poor.caller, watchId, { limit: 5 });
      assert.deepEqual(
        checks.map(({ outcome }) => outcome),
        ['first'],
        'a run that its caller cannot pay is no check',
      );
    });

    test('a key that was rerolled hands on its watches; an operation that it may not use skips', async () => {
      const { run, caller } = await watching();
      const { db } = bench.store;
      const old = await db.selectFrom('keys').selectAll().where('id', '=', caller.keyId).executeTakeFirstOrThrow();
      await db
        .insertInto('keys')
        .values({ ...old, id: `${old.id}b`, hash: `${old.id}b` })
        .execute();
      await db
        .updateTable('keys')
        .set({ revoked_at: 1, replaced_by: `${old.id}b` })
        .where('id', '=', old.id)
        .execute();
      assert.equal(await run(registered()), 'first 1');
      await db.updateTable('keys').set({ operations: '["serp"]' }).where('id', '=', `${old.id}b`).execute();
      assert.equal(await run(registered()), 'skipped key 0');
    });

    test('parameters that this version refuses: the check says so, and the watch stays', async () => {
      const { run, watch } = await watching();
      await bench.store.db.updateTable('watches').set({ parameters: '{"domain":"a b"}' }).where('id', '=', watch.watchId).execute();
      assert.equal(await run(registered()), 'failed INVALID_REQUEST 0');
    });

    test('a due slot is claimed once; a slot whose process was killed is made again after its claim, and one that was frozen writes nothing', async () => {
      for (const table of ['watch_answers', 'watch_changes', 'watch_checks', 'watches'] as const)
        await bench.store.db.deleteFrom(table).execute();
      const { watch, accountId } = await watching();
      await bench.jump(DAY);
      const other = (await bench.another()) ?? bench.store;
      const [a, b] = await Promise.all([bench.store, other].map((store) => claimsOf(store)));
      assert.equal((a?.length ?? 0) + (b?.length ?? 0), 1, 'one process has it');
      const house = await opened(() => ({ resource: registered() }));
      const frozen = (a?.[0] ?? b?.[0]) as Parameters<typeof check>[1];
      assert.deepEqual(await claimsOf(bench.store), [], 'not while it is claimed');
      const behind = (await other.now()) - 60_000;
      assert.deepEqual(await claimDue(other, 10, behind, randomUUID), [], 'nor by one whose clock is behind');
      await bench.jump(HOUR);
      const [again] = await claimsOf(other);
      assert.equal(again?.watch.id, watch.watchId);
      assert.equal(again?.slot, frozen.slot);
      const ended = again && (await check(house.parts, again));
      assert.equal(ended?.verdict.outcome, 'first');
      assert.equal(await check(house.parts, frozen), null, 'the frozen one lost its claim');
      const rows = await bench.store.db.selectFrom('watch_checks').selectAll().where('watch', '=', frozen.watch.n).execute();
      assert.deepEqual(
        rows.map(({ slot, credits }) => [slot, credits]),
        [[frozen.slot, 1]],
      );
      await house.billing.settled();
      // the release of the frozen one is written by a later batch
      const read = () => bench.store.db.selectFrom('balances').selectAll().where('account_id', '=', accountId).executeTakeFirstOrThrow();
      let balance = await read();
      for (let i = 0; i < 100 && balance.held > 0; i++) {
        await realClock.sleep(20);
        balance = await read();
      }
      assert.deepEqual([balance.held, balance.balance], [0, 999_999]);
    });
    const claimsOf = (store: Bench['store']) =>
      gatewayOn(store, {} as never, () => ({ error: 'UPSTREAM_FAILED' }))
        .claim(10)
        .then((slots) => slots);

    test('after downtime a missed slot runs once', async () => {
      const { watch, makeDue, watches, caller } = await watching();
      await bench.jump(9 * DAY);
      await makeDue();
      const { checks } = await watches.history(caller, watch.watchId, { limit: 10 });
      assert.equal(checks.length, 1);
      const { nextAt } = await watches.show(caller, watch.watchId);
      assert.ok(Date.parse(nextAt) > (await bench.store.now()));
    });

    test('a check after downtime says when it ended, beside the slot that it was for; so do the list and the exports', async () => {
      const { watch, makeDue, watches, caller } = await watching();
      const slot = Date.parse(watch.nextAt);
      await bench.jump(3 * DAY);
      const before = await bench.store.now();
      await makeDue();
      const { checks } = await watches.history(caller, watch.watchId, { limit: 10 });
      const [made] = checks;
      assert.ok(made && checks.length === 1);
      assert.equal(Date.parse(made.slot), slot);
      assert.ok(Date.parse(made.at) >= before, made.at);
      const { lastCheck } = await watches.show(caller, watch.watchId);
      assert.deepEqual([lastCheck?.at, lastCheck?.slot], [made.at, made.slot]);
      const csv = (await textOf(await watches.export(caller, watch.watchId, 'csv'))).split('\r\n');
      assert.equal(csv[0], 'at,slot,outcome,code,credits,source,field,key,value');
      assert.ok(csv[1]?.startsWith(`${made.at},${made.slot},first,`), csv[1]);
      // a check of before `at` was stored
      await bench.store.db.updateTable('watch_checks').set({ at: null }).where('slot', '=', slot).execute();
      const [old] = (await watches.history(caller, watch.watchId, { limit: 10 })).checks;
      assert.equal(old?.at, made.slot);
    });

    test('a missed slot also runs once where the clock was set back to a slot that was made', async () => {
      const { watch, makeDue, watches, caller } = await watching();
      await bench.jump(DAY);
      await makeDue();
      const { db } = bench.store;
      const made = db.selectFrom('watch_checks as c').innerJoin('watches as w', 'w.n', 'c.watch').where('w.id', '=', watch.watchId);
      const { slot } = await made.select('c.slot').executeTakeFirstOrThrow();
      await db.updateTable('watches').set({ next_at: slot }).where('id', '=', watch.watchId).execute();
      await bench.jump(3 * DAY);
      // the first turn passes over what was made
      for (let turn = 0; turn < 2; turn++) await makeDue();
      const { checks } = await watches.history(caller, watch.watchId, { limit: 10 });
      assert.deepEqual(
        checks.map((one) => Date.parse(one.slot)),
        [slot + DAY, slot],
      );
      const { nextAt } = await watches.show(caller, watch.watchId);
      assert.ok(Date.parse(nextAt) > (await bench.store.now()));
    });

    test('a check that runs makes another one `overlap`', async () => {
      const { watch, run } = await watching();
      const row = await bench.store.db.selectFrom('watches').selectAll().where('id', '=', watch.watchId).executeTakeFirstOrThrow();
      assert.ok(await claimNow(bench.store, row, await bench.store.now(), 'running'));
      assert.equal(await run(registered()), 'skipped overlap 0');
    });

    test('texts of the discussion platform go after 48 hours, and what is compared with them later is no change', async () => {
      const post = (postId: string, selftext: string) => ({
        postId,
        title: 'A title',
        selftext,
        createdAt: '2026-01-01T00:00:00.000Z',
        score: 7,
      });
      const page = (...posts: object[]) => ({ posts, after: null, hasMore: false });
      const { run, feed, kinds } = await watching({
        operation: 'forum-community',
        parameters: { community: 'acmewidgets' },
        every: '7d',
        creditsPerMonth: 100,
      });
      await run(page(post('1', 'a secret')));
      await run(page(post('2', 'another secret'), post('1', 'a secret')));
      await bench.jump(3 * DAY);
      await expire(bench.store, await bench.store.now());
      const stored = JSON.stringify([
        await bench.store.db.selectFrom('watch_bodies').selectAll().where('operation', '=', 'forum-community').execute(),
        await feed(),
      ]);
      assert.doesNotMatch(stored, /secret|A title/);
      assert.match(stored, /sha256:/);
      assert.equal(await run(page(post('2', 'another secret'), post('1', 'a secret'))), 'same 1');
      assert.equal(await run(page(post('2', 'edited'), post('1', 'a secret'))), 'changed 1');
      assert.deepEqual(await kinds(), ['added posts', 'changed posts.selftext']);
    });

    test('checks and answers go after a year; what is read for that has an index', async () => {
      const { watch, run, parts } = await watching({ ...NEW, every: '7d' });
      const { db } = bench.store;
      await run(registered());
      await bench.jump(400 * DAY);
      assert.equal(await run(registered({ expiresOn: '2030-01-01' })), 'changed 1');
      const checks = await db
        .selectFrom('watch_checks')
        .innerJoin('watches', 'watches.n', 'watch_checks.watch')
        .select('outcome')
        .where('id', '=', watch.watchId)
        .execute();
      assert.deepEqual(checks, [{ outcome: 'changed' }]);
      await expire(parts.store, await parts.store.now());
      const bodies = await db.selectFrom('watch_bodies').select('body').where('operation', '=', 'registration').execute();
      assert.ok(bodies.length > 0 && bodies.every(({ body }) => body.includes('2030-01-01')), JSON.stringify(bodies));
      if (parts.store.kind === 'postgres') return; // which plans by the sizes of its tables
      const { sql } = await import('kysely');
      const asked: string[] = [];
      const plugin: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          asked.push(db.getExecutor().compileQuery(node, queryId).sql);
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      await expire({ ...parts.store, db: db.withPlugin(plugin) }, await parts.store.now());
      assert.ok(asked.length >= 7, `${asked.length} statements`);
      for (const text of asked) {
        const plan = await sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', '1')}`)}`.execute(db);
        for (const { detail } of plan.rows) assert.doesNotMatch(detail, /^SCAN/, text);
      }
    });

    test('what a watch has stored is deleted with it; the same answer of another watch stays', async () => {
      const { watch, run, watches, caller, parts } = await watching();
      const { db } = parts.store;
      const other = await watches.create(caller, NEW);
      await run(registered());
      await run(registered({ expiresOn: '2028-01-01' }));
      await watches.run(caller, other.watchId);
      const stored = async (watchId: string) => {
        const { n } = await db.selectFrom('watches').select('n').where('id', '=', watchId).executeTakeFirstOrThrow();
        return () => db.selectFrom('watch_bodies').select('body').where('watch', '=', n).execute();
      };
      const [own, others] = [await stored(watch.watchId), await stored(other.watchId)];
      assert.deepEqual([(await own()).length, (await others()).length], [2, 1]);
      await watches.remove(caller, watch.watchId);
      assert.deepEqual([(await own()).length, (await others()).length], [0, 1]);
      assert.equal((await watches.run(caller, other.watchId)).outcome, 'same');
    });

    test('a watch of an account that is deleted goes with its next check', async () => {
      const { watch, run, makeDue, accountId, parts } = await watching();
      await run(registered());
      const { db } = parts.store;
      await db.updateTable('accounts').set({ suspended_at: 1, deleted_at: 1 }).where('id', '=', accountId).execute();
      await bench.jump(DAY);
      await makeDue();
      assert.deepEqual(await db.selectFrom('watches').select('n').where('id', '=', watch.watchId).execute(), []);
    });

    test('two sites of one keyword have a series each, in the history and in its exports, whichever page of theirs ranks', async () => {
      const page = (...ranked: readonly string[]) => ({
        ...{ totalResults: null, paid: [], aiOverview: null },
        organic: ranked.map((url, i) => ({ url, domain: new URL(url).host, rank: i + 1, title: url })),
      });
      const fields = ['organic[a.example].rank', 'organic[b.example].rank'];
      const { watch, run, feed, watches, caller } = await watching({
        ...{ operation: 'serp', parameters: { keyword: 'shoes' }, every: '1h', creditsPerMonth: 100, fields },
      });
      await run(page('https://a.example/1', 'https://x.example/', 'https://b.example/'));
      await run(page('https://b.example/', 'https://x.example/', 'https://a.example/2'));
      await run(page('https://b.example/', 'https://x.example/'));
      const { checks } = await watches.history(caller, watch.watchId, { limit: 10 });
      const of = (field: string) => checks.map(({ series }) => series.filter((point) => point.field === field).map(({ value }) => value));
      assert.deepEqual(of('organic[a.example].rank'), [[null], [3], [1]]);
      assert.deepEqual(of('organic[b.example].rank'), [[1], [1], [3]]);
      for (const form of ['csv', 'ndjson'] as const) {
        const text = await textOf(await watches.export(caller, watch.watchId, form));
        for (const field of fields) assert.equal(text.split(field).length - 1, 3, form);
      }
      assert.deepEqual(
        (await feed()).filter(({ kind }) => kind === 'moved').map(({ key, before, after }) => [key, before, after]),
        [['https://b.example/', 3, 1]],
        'another page of the site is another entry',
      );
    });

    test('the list has the last change and the course of each watch, by as many statements for many watches as for one', async () => {
      const page = (rank: number) => ({
        ...{
          totalResults: null,
          organic: [{ url: 'https://a.example/', domain: 'a.example', rank, title: 'A' }],
          paid: [],
          aiOverview: null,
        },
      });
      const fields = [{ path: 'organic[a.example].rank', least: 1 }];
      const { watch, run, feed, watches, caller, parts } = await watching({
        ...{ operation: 'serp', parameters: { keyword: 'shoes' }, every: '1h', creditsPerMonth: 100, fields },
      });
      const listed = async (of = watches) => (await of.list(caller, { limit: 100 })).watches[0];
      assert.deepEqual((await listed())?.course, { field: 'organic[a.example].rank', values: [] });
      await run(page(9));
      await run(page(3));
      await run({ error: 'UPSTREAM_BLOCKED' });
      await run({ resource: { ...page(3), organic: [] }, unread: ['organic'] });
      await run(page(2));
      assert.deepEqual((await listed())?.course?.values, [9, 3, null, null, 2]);
      const [change] = (await feed()).slice(-1);
      const { at, kind, field, key } = change ?? assert.fail();
      assert.deepEqual((await listed())?.lastChange, { at, kind, field, key });
      for (let i = 0; i < 3; i++) await run({ error: 'UPSTREAM_CHANGED' });
      assert.equal((await feed()).at(-1)?.kind, 'failing');
      assert.deepEqual((await listed())?.lastChange, { at, kind, field, key }, 'a notice is no change');
      for (let i = 0; i < 20; i++) await run(page(i));
      assert.deepEqual((await listed())?.course?.values, [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
      const edited = await watches.edit(caller, watch.watchId, { fields: null });
      assert.equal(edited.course?.field, 'totalResults');
      assert.ok(
        edited.course?.values.every((value) => value === null),
        'other numbers are not shown under its name',
      );

      const { db } = parts.store;
      const asked: string[] = [];
      const plugin: KyselyPlugin = {
        transformQuery({ node, queryId }) {
          asked.push(db.getExecutor().compileQuery(node, queryId).sql);
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const counted = createWatches({ ...parts, store: { ...parts.store, db: db.withPlugin(plugin) } });
      await listed(counted);
      const ofOne = asked.splice(0);
      for (let i = 0; i < 5; i++) await watches.create(caller, NEW);
      await listed(counted);
      assert.equal(asked.length, ofOne.length);
      if (parts.store.kind === 'postgres') return; // which plans by the sizes of its tables
      const { sql } = await import('kysely');
      for (const text of asked) {
        const plan = await sql<{ detail: string }>`${sql.raw(`explain query plan ${text.replaceAll('?', '1')}`)}`.execute(db);
        for (const { detail } of plan.rows) assert.doesNotMatch(detail, /^SCAN/, text);
      }
    });

    test('the feed in both orders: a page continues where the one before ended', async () => {
      const { run, feed, watches, caller } = await watching();
      for (let year = 2057; year < 2064; year++) await run(registered({ expiresOn: `${year}-01-01` }));
      const all = await feed();
      assert.equal(all.length, 6);
      for (const order of ['oldest', 'newest'] as const) {
        const read: WatchChange[] = [];
        for (let after: number | undefined; ; ) {
          const page = await watches.changes(caller, { after, limit: 4, order });
          read.push(...page.changes);
          assert.equal(page.hasMore, read.length < 6);
          after = Number(page.after);
          if (!page.hasMore) break;
        }
        assert.deepEqual(read, order === 'newest' ? all.toReversed() : all);
      }
    });

    test('changes of a watch that the account does not have are 404, also of another account', async () => {
      const [one, other] = [await watching(), await watching()];
      assert.deepEqual((await one.watches.changes(one.caller, { limit: 10, order: 'oldest', watch: one.watch.watchId })).changes, []);
      for (const [caller, watch] of [
        [one.caller, 'wat_nope'],
        [other.caller, one.watch.watchId],
      ] as const)
        await assert.rejects(one.watches.changes(caller, { limit: 10, order: 'oldest', watch }), { failure: 'NOT_FOUND' });
    });

    test('messages in pages, newest first', async () => {
      const hooked = { ...NEW, webhook: { url: 'https://hooks.example.com/x' } };
      const { watch, watches, caller, n } = await watching(hooked).then(async (house) => {
        const { n } = await bench.store.db
          .selectFrom('watches')
          .select('n')
          .where('id', '=', house.watch.watchId)
          .executeTakeFirstOrThrow();
        return { ...house, n };
      });
      const row = { watch: n, kinds: '["changed"]', created_at: 1, attempts: 1, next_at: null, delivered_at: 2, result: '204' };
      for (const cursor of [3, 5, 8])
        await bench.store.db
          .insertInto('watch_deliveries')
          .values({ ...row, cursor })
          .execute();
      const first = await watches.deliveries(caller, watch.watchId, { limit: 2 });
      assert.deepEqual([first.deliveries.map(({ cursor }) => cursor), first.after, first.hasMore], [['8', '5'], '5', true]);
      const second = await watches.deliveries(caller, watch.watchId, { limit: 2, after: Number(first.after) });
      assert.deepEqual([second.deliveries.map(({ cursor }) => cursor), second.after, second.hasMore], [['3'], null, false]);
      assert.deepEqual(
        (await watches.repeat(caller, watch.watchId, 5)).deliveries.map(({ cursor, attempts }) => [cursor, attempts]),
        [['5', 1]],
      );
    });

    test('an unchanged check takes at most 150 bytes', async (t) => {
      const { watch, run, parts } = await watching({ ...NEW, creditsPerMonth: 1_000_000 });
      await run(registered());
      await run(registered());
      const { n } = await parts.store.db.selectFrom('watches').select('n').where('id', '=', watch.watchId).executeTakeFirstOrThrow();
      const row = await parts.store.db.selectFrom('watch_checks').selectAll().where('watch', '=', n).limit(1).executeTakeFirstOrThrow();
      const sizeOf = () => bytesOfChecks(bench);
      const before = await sizeOf();
      const count = 20_000;
      for (let i = 0; i < count; i += 500)
        await parts.store.db
          .insertInto('watch_checks')
          .values(Array.from({ length: 500 }, (_, j) => ({ ...row, outcome: 'same', slot: 2_000_000_000_000 + (i + j) * HOUR })))
          .execute();
      const bytes = ((await sizeOf()) - before) / count;
      t.diagnostic(`${bytes.toFixed(1)} bytes a check on ${backend.name}`);
      assert.ok(bytes <= 150, `${bytes} bytes`);
    });
  });

async function bytesOfChecks({ store }: Bench): Promise<number> {
  const { sql } = await import('kysely');
  const query =
    store.kind === 'postgres'
      ? sql<{ n: number }>`select pg_total_relation_size('watch_checks') as n`
      : sql<{ n: number }>`select page_count * page_size as n from pragma_page_count, pragma_page_size`;
  return Number((await query.execute(store.db)).rows[0]?.n);
}
