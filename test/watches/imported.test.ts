// Few in a process: it computes for long.
// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { importWatches } from '../../src/cli/watch-import.ts';
import type { Sightline } from '../../src/client/index.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { dayOf } from '../../src/runtime/clock.ts';
import { pacesOf } from '../../src/sources/registration/registries.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, type Bench, silent } from '../ledger/backends.ts';
import { sizeOf } from '../support/sizes.ts';
import { DAY, deliverDue, HOUR, houseOn } from './house.ts';

const DOMAINS = sizeOf({ whole: 300, part: 60 });
const DAYS = 31;
const STEP_MS = HOUR / 2;
const CHAT = 'https://chat.example.org/hook/abcdefghij';
/** Who is asked, by the end of a domain. */
const REGISTRIES: Readonly<Record<string, string>> = {
  com: 'rdap.verisign.com',
  org: 'rdap.publicinterestregistry.org',
  de: 'rdap.denic.de',
  io: 'rdap.identitydigital.services',
  nl: 'rdap.sidn.nl',
};
const TLDS = Object.keys(REGISTRIES);

for (const backend of BACKENDS)
  describe(`an imported list on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    const folder = mkdtempSync(join(tmpdir(), 'sightline-import-'));
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      await bench.drop();
      rmSync(folder, { recursive: true });
    });

    test(`${DOMAINS} domains for a month: within the limits of the registries, and credits, messages and history agree`, async (t) => {
      const began = await bench.store.now();
      const turnOf = new Map<string, number>();
      let [refused, longestMs] = [0, 0];
      /** Whether its turn at the registry, by the pace that is published, comes within the deadline of a lookup. */
      function isWithin(tld: string, atMs: number): boolean {
        const { everyMs, burst } = pacesOf('rdap', REGISTRIES[tld] ?? '').pace;
        const turnMs = Math.max(turnOf.get(tld) ?? 0, atMs);
        const waitMs = turnMs - atMs - (burst - 1) * everyMs;
        turnOf.set(tld, turnMs + everyMs);
        longestMs = Math.max(longestMs, waitMs);
        return waitMs <= OPERATIONS.registration.deadline.ms;
      }
      const house = await houseOn(bench, ({ input }, atMs) => {
        const { domain } = input as { readonly domain: string };
        if (!isWithin(domain.split('.').at(-1) ?? '', atMs)) {
          refused++;
          return { error: 'UPSTREAM_RATE_LIMITED' };
        }
        const n = Number(/\d+/.exec(domain)?.[0]);
        const day = Math.floor((atMs - began) / DAY);
        // every tenth moves to other servers in the middle of the month, and every fifth ends within it or soon after
        const nameServers = [n % 10 === 0 && day >= 15 ? 'ns2.example' : 'ns1.example'];
        const expiresOn = dayOf(began + (n % 5 === 0 ? 10 + (n % 40) : 400) * DAY);
        return { resource: { domain, available: false, registrar: null, status: [], contacts: [], nameServers, expiresOn } };
      });
      const sent: string[] = [];
      const http: DestinationParts['http'] = {
        async ask({ url, headers = {} }) {
          sent.push(String(headers['webhook-id']));
          return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
        },
      };
      const parts = { ...house.parts, http, log: silent };
      const watches = createWatches(parts);
      const manager = { ...house.caller, manages: true };
      await watches.notify.replace(manager, { notify: [{ to: CHAT, as: 'text' }] });

      const file = join(folder, 'domains.txt');
      const names = Array.from({ length: DOMAINS }, (_, i) => `site-${i}.${TLDS[i % TLDS.length]}`);
      writeFileSync(file, [...names, names[0], 'not a domain', names[7]?.toUpperCase(), ''].join('\n'));
      // what the import uses of the client, without HTTP between
      const client = { watches: { import: (body: unknown) => watches.import(manager, body) } } as unknown as Sightline;
      const options = { operation: 'registration', every: '7d', yes: true, skipInvalid: true } as const;
      const { made, skipped } = await importWatches(client, file, options, () => {});
      assert.equal(made.length, DOMAINS);
      assert.deepEqual(
        skipped.map(({ line }) => line),
        [DOMAINS + 1, DOMAINS + 2, DOMAINS + 3],
      );
      assert.equal((await importWatches(client, file, options, () => {})).made.length, 0, 'what is watched already is left out');

      for (let passed = 0; passed < DAYS * DAY; passed += STEP_MS) {
        await bench.jump(STEP_MS);
        await house.makeDue();
      }
      await deliverDue(parts);
      await house.billing.settled();

      assert.equal(refused, 0, 'no registry had to refuse');
      let [checks, credits] = [0, 0];
      for (const { watchId: id, costPerMonth } of made) {
        const watchId = id ?? assert.fail();
        const { spentThisMonth, course, creditsPerMonth } = await watches.show(manager, watchId);
        assert.deepEqual(
          [costPerMonth, creditsPerMonth],
          [9, 9],
          'five checks, and one for each threshold; that is the budget where none is given',
        );
        const history = await watches.history(manager, watchId, { limit: 1_000 });
        assert.ok(
          history.checks.length >= 4 && history.checks.every(({ outcome }) => outcome !== 'failed' && outcome !== 'skipped'),
          watchId,
        );
        assert.equal(course, null, 'a registration has no numbers');
        const own = history.checks.reduce((sum, check) => sum + check.credits, 0);
        assert.ok(spentThisMonth <= own && own <= 2 * costPerMonth);
        checks += history.checks.length;
        credits += own;
      }
      const { balance, held } = await bench.store.db
        .selectFrom('balances')
        .select(['balance', 'held'])
        .where('account_id', '=', house.accountId)
        .executeTakeFirstOrThrow();
      const used = house.rows.reduce((sum, row) => sum + Number(row.credits), 0);
      assert.deepEqual([credits, used, 1_000_000 - Number(balance), Number(held)], [checks, checks, checks, 0]);

      const { changes } = await watches.changes(manager, { limit: 1_000, order: 'oldest', after: 0 });
      const ofKind = (kind: string) => changes.filter((change) => change.kind === kind);
      assert.equal(ofKind('changed').length, DOMAINS / 10, 'each move once');
      const due = Map.groupBy(ofKind('due'), ({ watchId }) => watchId);
      assert.equal(due.size, DOMAINS / 5);
      for (const entries of due.values())
        assert.equal(new Set(entries.map(({ daysLeft }) => daysLeft)).size, entries.length, 'no threshold twice');
      assert.equal(changes.length, ofKind('changed').length + ofKind('due').length, 'and nothing else is told');
      // entries of one check are one message, under the id of the last one
      const filed = Map.groupBy(changes, ({ watchId, at }) => `${watchId} ${at}`);
      assert.deepEqual(sent.toSorted(), [...filed.values()].map((entries) => entries.at(-1)?.id ?? '').toSorted());
      t.diagnostic(
        `${DOMAINS} domains, ${DAYS} days: ${checks} checks, ${credits} credits, ${changes.length} entries, ${sent.length} messages, ${longestMs} ms the longest wait for a registry`,
      );
      await house.ledger.close();
    });
  });
