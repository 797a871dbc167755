// In the gate alone: it repeats, grows or changes something at length.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Caller } from '../../src/accounts/types.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import type { HttpRequest } from '../../src/upstream/ports.ts';
import { startDeliveries } from '../../src/watches/deliveries.ts';
import { startSchedule } from '../../src/watches/schedule.ts';
import { until } from '../faults/service-process.ts';
import { BACKENDS, type Bench, grant, KEY_ROW, makeAccount } from '../ledger/backends.ts';
import { HASTY, houseOn, type Says } from './house.ts';

const BODIES = {
  registration: { operation: 'registration', parameters: { domain: 'a.com' } },
  app: { operation: 'app', parameters: { handle: 'sample' } },
} as const;

for (const backend of BACKENDS)
  describe(`no account starves another on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    /** Accounts with watches, and a source that answers when a test says so. */
    async function opened(t: TestContext) {
      for (const table of ['watch_deliveries', 'watch_checks', 'watch_answers', 'watch_bodies', 'watches'] as const)
        await bench.store.db.deleteFrom(table).execute();
      const hangs = Promise.withResolvers<Says>();
      const begun: { readonly account: string; readonly operation: string }[] = [];
      const slow = new Set<string>();
      const house = await houseOn(bench, ({ operation, account }) => {
        begun.push({ account: account ?? '', operation });
        return slow.has(`${account} ${operation}`) ? hangs.promise : { error: 'UPSTREAM_CHANGED' };
      });
      t.after(() => house.ledger.close());
      const caller = async (): Promise<Caller> => {
        const accountId = await makeAccount(bench.store);
        const keyId = `key_${randomUUID().slice(0, 8)}`;
        await bench.store.db
          .insertInto('keys')
          .values({ ...KEY_ROW, id: keyId, account_id: accountId, hash: keyId })
          .execute();
        await grant(bench.store, accountId, 1_000);
        return { ...house.caller, accountId, keyId };
      };
      /** Watches whose slots were due so long ago. */
      async function due(
        of: Caller,
        count: number,
        operation: keyof typeof BODIES,
        agoMs: number,
        url = (_i: number): string | null => null,
      ) {
        const next_at = (await bench.store.now()) - agoMs;
        for (let i = 0; i < count; i++) {
          const webhook = url(i);
          const body = { ...BODIES[operation], every: '1d', creditsPerMonth: 100, ...(webhook !== null && { webhook: { url: webhook } }) };
          const { watchId } = await house.watches.create(of, body);
          await bench.store.db.updateTable('watches').set({ next_at }).where('id', '=', watchId).execute();
          if (webhook === null) continue;
          const { n } = await bench.store.db.selectFrom('watches').select('n').where('id', '=', watchId).executeTakeFirstOrThrow();
          const message = { watch: n, cursor: n, kinds: '["changed"]', created_at: next_at, attempts: 0, next_at };
          await bench.store.db
            .insertInto('watch_deliveries')
            .values({ ...message, delivered_at: null, result: null })
            .execute();
        }
      }
      return { house, begun, slow, caller, due, endHanging: () => hangs.resolve({ error: 'UPSTREAM_CHANGED' }) };
    }
    const checksOf = async ({ accountId }: Caller): Promise<number> => {
      const rows = bench.store.db.selectFrom('watch_checks').innerJoin('watches', 'watches.n', 'watch').select('slot');
      return (await rows.where('account_id', '=', accountId).execute()).length;
    };

    for (const [beside, operation, inFlight] of [
      ['of another area', 'registration', 0],
      ['of the same platform', 'app', 0],
      ['of another area while requests wait', 'registration', 1],
      ['of the same platform while requests wait', 'app', 1],
    ] as const)
      test(`a check ${beside} is made while all 40 of another account, due before, wait for their pace`, async (t) => {
        const { house, begun, slow, caller, due, endHanging } = await opened(t);
        const [many, neighbour] = [await caller(), await caller()];
        slow.add(`${many.accountId} app`);
        await due(many, 40, 'app', 60_000);
        await due(neighbour, 1, operation, 50_000);
        const schedule = startSchedule({ ...house.parts, clock: HASTY, inFlight: () => inFlight, newClaim: randomUUID });
        try {
          await until('the check of the neighbour has its outcome', async () => (await checksOf(neighbour)) === 1);
          assert.equal(await checksOf(many), 0, 'none of the others has ended');
          const ofMany = begun.filter(({ account }) => account === many.accountId).length;
          assert.ok(ofMany >= 1 && ofMany <= house.parts.settings.SIGHTLINE_WATCH_CHECKS + 1, `${ofMany} wait for the pace`);
        } finally {
          endHanging();
          await schedule.close();
        }
      });

    test('a check of another area of the same account is made while 40 wait for their pace', async (t) => {
      const { house, slow, caller, due, endHanging } = await opened(t);
      const one = await caller();
      slow.add(`${one.accountId} app`);
      await due(one, 40, 'app', 60_000);
      await due(one, 1, 'registration', 50_000);
      const schedule = startSchedule({ ...house.parts, clock: HASTY, newClaim: randomUUID });
      try {
        await until('it has its outcome', async () => (await checksOf(one)) === 1);
      } finally {
        endHanging();
        await schedule.close();
      }
    });

    test('accounts take turns: none has a third check before each has its first', async (t) => {
      const { house, begun, caller, due } = await opened(t);
      const callers = [await caller(), await caller(), await caller(), await caller()];
      for (const [i, one] of callers.entries()) await due(one, 12, 'registration', 60_000 - 10_000 * i);
      const schedule = startSchedule({ ...house.parts, clock: HASTY, inFlight: () => 1, newClaim: randomUUID });
      await until('all are made', () => begun.length === 48);
      await schedule.close();
      const counts = new Map(callers.map(({ accountId }) => [accountId, 0]));
      for (const { account } of begun) {
        counts.set(account, (counts.get(account) ?? 0) + 1);
        assert.ok(Math.max(...counts.values()) - Math.min(...counts.values()) <= 2, JSON.stringify([...counts]));
      }
    });

    for (const [targets, hostOf] of [
      ['at hosts of their own', (i: number) => `slow-${i}.example.com`],
      ['at one host', () => 'slow.example.com'],
      ['at the host of the neighbour', () => 'hooks.example.com'],
    ] as const)
      test(`a message is sent while 80 targets ${targets} hang, of 1 account and of 20`, async (t) => {
        for (const accounts of [1, 20]) {
          const { house, caller, due } = await opened(t);
          const neighbour = await caller();
          for (let i = 0; i < accounts; i++)
            await due(await caller(), 80 / accounts, 'registration', 60_000, (k) => `https://${hostOf(80 * i + k)}/hang`);
          await due(neighbour, 1, 'registration', 50_000, () => 'https://hooks.example.com/mine');
          const hanging: string[] = [];
          const ended = Promise.withResolvers<Reply>();
          let sent = 0;
          const http = {
            ask: async ({ url }: HttpRequest): Promise<Reply> => {
              if (url.endsWith('/hang')) {
                hanging.push(new URL(url).host);
                return ended.promise;
              }
              sent++;
              return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
            },
          };
          const deliveries = startDeliveries({ ...house.parts, clock: HASTY, http });
          try {
            await until('the message of the neighbour is sent', () => sent === 1);
            if (accounts > 1) continue;
            assert.ok(hanging.length <= 8, `${hanging.length} messages of one account hang`);
            for (const [host, all] of Map.groupBy(hanging, (one) => one)) assert.ok(all.length <= 4, `${all.length} at ${host}`);
          } finally {
            ended.resolve({ tag: 'timeout', what: 'It did not answer.' } as Reply);
            await deliveries.close();
          }
        }
      });

    test('places are filled as they become free: the messages of one slow target do not hold up those to others of the account', async (t) => {
      const { house, caller, due } = await opened(t);
      const one = await caller();
      await due(one, 20, 'registration', 60_000, () => 'https://slow.example.com/hang');
      await due(one, 30, 'registration', 50_000, () => 'https://hooks.example.com/mine');
      const ended = Promise.withResolvers<Reply>();
      let sent = 0;
      const http = {
        ask: async ({ url }: HttpRequest): Promise<Reply> => {
          if (url.endsWith('/hang')) return ended.promise;
          sent++;
          return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
        },
      };
      const deliveries = startDeliveries({ ...house.parts, clock: HASTY, http });
      try {
        await until('all to the other target are sent', () => sent === 30);
      } finally {
        ended.resolve({ tag: 'timeout', what: 'It did not answer.' } as Reply);
        await deliveries.close();
      }
    });
  });
