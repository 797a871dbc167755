import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { recordWatch } from '../../src/accounts/admin/bound-rows.ts';
import { verifyAudit } from '../../src/accounts/admin/verify-audit.ts';
import { createSealer, type Sealer } from '../../src/accounts/oauth/sealer.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { sealStored } from '../../src/watches/seal.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { signedHeaders } from '../../src/watches/webhooks.ts';
import { BACKENDS, type Bench, silent } from '../ledger/backends.ts';
import { deliverDue, HOUR, houseOn } from './house.ts';

for (const backend of BACKENDS)
  describe(`webhooks on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    before(async () => {
      bench = await backend.open();
    });
    after(() => bench.drop());

    /** Finds `checks` changes while the target fails for `outageHours`; the cursors that it took then. */
    async function outage(checks: number, outageHours: number, status: number) {
      let dnssec = false;
      const record = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
      const house = await houseOn(bench, () => ({ resource: { ...record, dnssec } }));
      const webhook = { url: 'https://hooks.example.com/x' };
      const body = { operation: 'registration', parameters: { domain: 'a.com' }, every: '1d', creditsPerMonth: 1_000, webhook };
      const { watchId } = await house.watches.create(house.caller, body);
      const since = await bench.store.now();
      const taken: string[] = [];
      const http: DestinationParts['http'] = {
        async ask(request) {
          const { cursor } = JSON.parse(request.body ?? '{}').data as { cursor: string };
          const isOver = (await bench.store.now()) - since >= outageHours * HOUR;
          if (isOver) taken.push(cursor);
          const answer = { status: isOver ? 204 : status, headers: {}, body: new Uint8Array(), url: request.url, atMs: 0 };
          return { tag: 'answer', answer };
        },
      };
      const parts = { ...house.parts, http, log: silent };
      for (let hour = 0; hour < outageHours + 30; hour++) {
        if (hour <= checks) {
          await house.watches.run(house.caller, watchId);
          dnssec = !dnssec;
        }
        await deliverDue(parts);
        await bench.jump(HOUR);
      }
      const { changes } = await house.watches.changes(house.caller, { limit: 100, order: 'oldest', watch: watchId });
      const watch = await house.watches.show(house.caller, watchId);
      await house.ledger.close();
      return { taken, cursors: changes.map(({ cursor }) => cursor), disabledAt: watch.webhook?.disabledAt ?? null };
    }

    test('after an outage of almost three days each change is told, in the order of the feed', async () => {
      const { taken, cursors, disabledAt } = await outage(5, 60, 503);
      assert.equal(cursors.length, 5);
      assert.deepEqual(taken, cursors);
      assert.equal(disabledAt, null);
    });

    /** A watch with a webhook on a service with this sealer; `requests`: what the target got. */
    async function sealing(sealer: Sealer | null) {
      let dnssec = false;
      let status = 204;
      const record = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
      const house = await houseOn(bench, () => ({ resource: { ...record, dnssec } }));
      const requests: { readonly url: string; readonly body: string; readonly headers: Readonly<Record<string, string>> }[] = [];
      const http: DestinationParts['http'] = {
        async ask({ url, body = '', headers = {} }) {
          requests.push({ url, body, headers });
          return { tag: 'answer', answer: { status, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
        },
      };
      const partsOf = (own: Sealer | null) => ({ ...house.parts, http, log: silent, sealer: own });
      const { db } = bench.store;
      return {
        ...house,
        requests,
        answerWith(next: number): void {
          status = next;
        },
        partsOf,
        watches: createWatches(partsOf(sealer)),
        rowOf: (id: string) => db.selectFrom('watches').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
        audit: async () => JSON.stringify(await db.selectFrom('audit').select('facts').execute()),
        faults: async (id: string) => (await verifyAudit(db)).faults.filter((fault) => fault.includes(id)),
        /** A change of the watch, told by a process with this sealer. */
        async change(watchId: string, own: Sealer | null): Promise<void> {
          dnssec = !dnssec;
          await house.watches.run(house.caller, watchId);
          await deliverDue(partsOf(own));
        },
        /** The row as an earlier version stored it. */
        async inClear(id: string, url: string, secret: string): Promise<void> {
          const set = { webhook_url: url, webhook_secret: secret, webhook_hint: null, webhook_old_secret: null };
          const row = await db.updateTable('watches').set(set).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
          await db.transaction().execute((trx) => recordWatch(trx, 1, 'test', 'edit', row, Object.keys(set)));
        },
      };
    }
    type Sent = Awaited<ReturnType<typeof sealing>>['requests'][number];
    /** Which secrets signed, in their order. */
    const isSignedBy = ({ headers, body }: Sent, ...secrets: readonly string[]): boolean => {
      const [id = '', at = '0'] = [headers['webhook-id'], headers['webhook-timestamp']];
      return signedHeaders(id, Number(at) * 1_000, body, secrets)['webhook-signature'] === headers['webhook-signature'];
    };
    const URL_OF = 'https://hooks.example.com/path-that-nobody-guesses?token=of-the-receiver';
    const asked = { operation: 'registration', parameters: { domain: 'a.com' }, every: '1d', creditsPerMonth: 1_000 };
    const sealerOf = (secret: string): Sealer => createSealer(secret, randomBytes);

    test('address and secrets are sealed in the store; a rotated secret signs beside the new one for a day', async () => {
      const sealer = sealerOf('the secret of the service');
      const house = await sealing(sealer);
      const made = await house.watches.create(house.caller, { ...asked, webhook: { url: URL_OF } });
      const edited = await house.watches.edit(house.caller, made.watchId, { webhook: { url: URL_OF } });
      assert.equal(edited.webhook?.url, URL_OF);
      const [old, secret] = [String(made.webhook?.secret), String(edited.webhook?.secret)];
      assert.match(secret, /^whsec_/);
      await house.change(made.watchId, sealer);
      await house.change(made.watchId, sealer);
      const [request] = house.requests;
      assert.equal(request?.url, URL_OF);
      assert.ok(request && isSignedBy(request, secret, old));
      const everything = JSON.stringify(await house.rowOf(made.watchId)) + (await house.audit());
      for (const text of [old, secret, 'path-that-nobody-guesses', 'of-the-receiver', 'whsec_'])
        assert.ok(!everything.includes(text), `${text} in ${everything}`);
      assert.deepEqual(await house.faults(made.watchId), []);
      const other = await house.watches.show({ ...house.caller, keyId: 'key_other', manages: false }, made.watchId);
      assert.equal(other.webhook?.url, 'https://hooks.example.com/…iver');
      await bench.jump(25 * HOUR);
      await house.change(made.watchId, sealer);
      const last = house.requests.at(-1);
      assert.ok(last && isSignedBy(last, secret));
      await house.watches.edit(house.caller, made.watchId, { webhook: null });
      const { webhook_url, webhook_hint, webhook_secret, webhook_old_secret } = await house.rowOf(made.watchId);
      assert.deepEqual([webhook_url, webhook_hint, webhook_secret, webhook_old_secret], [null, null, null, null]);
      await house.ledger.close();
    });

    test('under another secret nothing is sent, and the watch and its targets say why; the secret again loses nothing', async () => {
      const [sealer, other] = [sealerOf('the secret of the service'), sealerOf('the secret of another')];
      const house = await sealing(sealer);
      const made = await house.watches.create(house.caller, {
        ...asked,
        webhook: { url: URL_OF },
        notify: [{ to: 'https://ntfy.sh/topic-that-nobody-guesses' }],
      });
      await house.change(made.watchId, other);
      await house.change(made.watchId, null);
      assert.deepEqual(house.requests, []);
      const watches = createWatches(house.partsOf(other));
      const shown = await watches.show(house.caller, made.watchId);
      const says = 'not sent: the address was sealed with another SIGHTLINE_SECRET: set it again';
      assert.equal(shown.webhook?.url, 'https://hooks.example.com/…iver');
      assert.deepEqual([shown.webhook?.lastError, shown.webhook?.disabledAt, shown.notify?.[0]?.lastError], [says, null, says]);
      const { deliveries } = await watches.deliveries(house.caller, made.watchId, { limit: 5 });
      assert.deepEqual([deliveries.at(-1)?.result, deliveries.at(-1)?.nextAt === null], [says, false]);
      const logged: unknown[] = [];
      await sealStored({ ...house.partsOf(other), log: (...line) => void logged.push(line) });
      assert.match(JSON.stringify(logged), /"warn","addresses of messages were sealed with another SIGHTLINE_SECRET/);
      await bench.jump(HOUR);
      await deliverDue(house.partsOf(sealer));
      assert.deepEqual(house.requests.map(({ url }) => url).sort(), [URL_OF, 'https://ntfy.sh/'].sort());
      // or it is set again: a new address under the new secret
      const again = await watches.edit(house.caller, made.watchId, { webhook: { url: URL_OF } });
      house.requests.length = 0;
      await house.change(made.watchId, other);
      const sent = house.requests.find(({ url }) => url === URL_OF);
      assert.ok(sent && isSignedBy(sent, String(again.webhook?.secret)), 'the secret before cannot be opened and signs nothing');
      await house.ledger.close();
    });

    test('a service without a secret refuses webhooks as it refuses targets; one that an earlier version stored in clear is told', async () => {
      const house = await sealing(null);
      const refused = { code: 'NOT_IMPLEMENTED', message: /no secret to seal .* the operator sets SIGHTLINE_SECRET/ };
      for (const more of [{ webhook: { url: URL_OF } }, { notify: [{ to: 'https://ntfy.sh/topic' }] }])
        await assert.rejects(house.watches.create(house.caller, { ...asked, ...more }), refused);
      const { watchId } = await house.watches.create(house.caller, asked);
      await assert.rejects(house.watches.edit(house.caller, watchId, { webhook: { url: URL_OF } }), refused);
      const secret = 'whsec_b2xkb2xkb2xk';
      await house.inClear(watchId, URL_OF, secret);
      await sealStored(house.partsOf(null));
      assert.equal((await house.watches.show(house.caller, watchId)).webhook?.url, URL_OF);
      await house.change(watchId, null);
      await house.change(watchId, null);
      assert.ok(house.requests.length > 0 && house.requests.every((sent) => sent.url === URL_OF && isSignedBy(sent, secret)));
      await house.ledger.close();
    });

    test('a start seals what an earlier version stored in clear, once, with an entry in the audit log; the receiver sees no difference', async () => {
      const sealer = sealerOf('the secret of the service');
      const house = await sealing(sealer);
      const secret = 'whsec_b2xkb2xkb2xk';
      const { watchId } = await house.watches.create(house.caller, asked);
      await house.inClear(watchId, URL_OF, secret);
      assert.deepEqual(await house.faults(watchId), []);
      const entries = () =>
        bench.store.db.selectFrom('audit').select('action').where('subject', '=', watchId).where('actor', '=', 'upgrade').execute();
      // as two gateways that start at once
      await Promise.all([1, 2].map(() => sealStored(house.partsOf(sealer))));
      const row = JSON.stringify(await house.rowOf(watchId));
      for (const text of [secret, 'path-that-nobody-guesses']) assert.ok(!row.includes(text), row);
      assert.deepEqual(await entries(), [{ action: 'watch.edit' }]);
      assert.deepEqual(await house.faults(watchId), []);
      await sealStored(house.partsOf(sealer));
      assert.equal((await entries()).length, 1);
      await house.change(watchId, sealer);
      await house.change(watchId, sealer);
      assert.ok(house.requests.length > 0 && house.requests.every((sent) => sent.url === URL_OF && isSignedBy(sent, secret)));
      assert.equal((await house.watches.show(house.caller, watchId)).webhook?.url, URL_OF);
      await house.ledger.close();
    });

    test('a message is not sent again to a webhook that is off or was taken away: 400, and how it went stays', async () => {
      const sealer = sealerOf('the secret of the service');
      const house = await sealing(sealer);
      const { watches, caller } = house;
      const { watchId } = await watches.create(caller, { ...asked, webhook: { url: URL_OF } });
      await house.change(watchId, sealer);
      await house.change(watchId, sealer);
      house.answerWith(410);
      await house.change(watchId, sealer);
      const told = async () =>
        (await watches.deliveries(caller, watchId, { limit: 100 })).deliveries.map(({ to: _address, ...message }) => message);
      const before = await told();
      const taken = before.find(({ result }) => result === '204') ?? assert.fail('no message was taken');
      const again = () => watches.repeat(caller, watchId, Number(taken.cursor));
      const off = { status: 400, message: new RegExp(`^The webhook of ${watchId} is off since 20\\S+Z \\(410\\): set its URL again\\.$`) };
      await assert.rejects(again(), off);
      await watches.edit(caller, watchId, { webhook: null });
      await assert.rejects(again(), { status: 400, message: `The watch ${watchId} has no webhook: set one.` });
      assert.deepEqual(await told(), before);
      house.answerWith(204);
      await watches.edit(caller, watchId, { webhook: { url: URL_OF } });
      await again();
      const sentBefore = house.requests.length;
      await deliverDue(house.partsOf(sealer));
      // the one that was answered with 410 may be due beside it
      const ids = house.requests.slice(sentBefore).map(({ headers }) => headers['webhook-id']);
      assert.equal(ids.filter((id) => id === taken.id).length, 1, `sent ${ids.join(', ')}`);
      await house.ledger.close();
    });

    test('a target that fails for three days is disabled, and one that answers 410 at once; the feed has every change', async () => {
      const failing = await outage(3, 100, 500);
      assert.deepEqual([failing.taken, failing.cursors.length], [[], 3 + 1], 'and the notice that it is disabled');
      assert.notEqual(failing.disabledAt, null);
      assert.notEqual((await outage(2, 3, 410)).disabledAt, null);
    });
  });
