import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { CreditLedger } from '../../src/billing/ledger.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { linkToken, type Mailer } from '../../src/watches/notify/mail.ts';
import { mailHash } from '../../src/watches/notify/targets.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, type Bench, silent } from '../ledger/backends.ts';
import { DAY, deliverDue, HOUR, houseOn } from './house.ts';

interface Sent {
  readonly url: string;
  readonly body: Record<string, unknown>;
}
const SLACK = 'https://hooks.slack.com/services/T0/B0/secretpath';
const TEXT = 'https://chat.example.org/hook/abcdefghij';
const record = (n: number) => ({
  ...{ domain: 'a.com', available: false, registrar: null, status: [], contacts: [] },
  nameServers: [`ns${n}.a.com`],
});

for (const backend of BACKENDS)
  describe(`targets of messages on ${backend.name}`, { skip: backend.skip }, () => {
    let bench: Bench;
    const ledgers: CreditLedger[] = [];
    before(async () => {
      bench = await backend.open();
    });
    after(async () => {
      for (const ledger of ledgers) await ledger.close();
      await bench.drop();
    });

    /** An account whose record changes with every check; `statusOf`: what a target answers. */
    async function telling(
      statusOf: (url: string) => number | Promise<number> = () => 200,
      {
        said = 'thanks',
        mailer = null,
        resource = record,
      }: { readonly said?: string; readonly mailer?: Mailer | null; readonly resource?: (n: number) => Record<string, unknown> } = {},
    ) {
      let n = 1;
      const base = await houseOn(bench, () => ({ resource: resource(n) }));
      ledgers.push(base.ledger);
      const sent: Sent[] = [];
      const http: DestinationParts['http'] = {
        async ask({ url, body = '' }) {
          const status = await statusOf(url);
          if (status < 300) sent.push({ url, body: JSON.parse(body) as Record<string, unknown> });
          return { tag: 'answer', answer: { status, headers: {}, body: Buffer.from(said), url, atMs: 0 } };
        },
      };
      const parts = { ...base.parts, http, mailer, log: silent };
      const watches = createWatches(parts);
      const caller = { ...base.caller, manages: true };
      const watchOf = async (more: object = {}) => {
        const { watchId } = await watches.create(caller, {
          operation: 'registration',
          parameters: { domain: 'a.com' },
          every: '7d',
          creditsPerMonth: 1_000,
          ...more,
        });
        await watches.run(caller, watchId);
        return watchId;
      };
      return {
        watches,
        caller,
        sent,
        watchOf,
        sealer: base.parts.sealer ?? assert.fail(),
        /** A change of the watch, told at once. */
        async change(watchId: string): Promise<void> {
          await this.find(watchId);
          await deliverDue(parts);
        },
        /** A change of the watch, not told yet. */
        async find(watchId: string): Promise<void> {
          n++;
          await watches.run(caller, watchId);
        },
        deliver: () => deliverDue(parts),
        set: (...notify: object[]) => watches.notify.replace(caller, { notify }),
        show: () => watches.notify.show(caller),
      };
    }
    /** Without what prevents links. */
    const readable = (text: string): string => text.replaceAll('\u2060', '');
    const urls = (sent: readonly { readonly url: string }[]): readonly string[] => sent.map(({ url }) => url);

    test('a change is one message a target, in the form of each, beside the webhook; a watch with targets of its own tells those', async () => {
      const house = await telling();
      await house.set({ to: SLACK }, { to: TEXT, as: 'text' });
      const plain = await house.watchOf({ name: 'Ours', webhook: { url: 'https://hooks.example.com/x' } });
      await house.change(plain);
      assert.deepEqual([...urls(house.sent)].sort(), [TEXT, 'https://hooks.example.com/x', SLACK].sort());
      const text = String(house.sent.find(({ url }) => url === TEXT)?.body.text);
      assert.doesNotMatch(text, /ns1\.a|a\.com/, 'a name is no link');
      assert.match(
        readable(text),
        /^Ours: name servers: ns1\.a\.com → ns2\.a\.com\nname servers: \S+ → \S+ \(read 20\d\d-\d\d-\d\d \d\d:\d\d UTC\)\nhttps:\/\/sightline\.example\/console\/watches\/wat_\w+$/,
      );
      const { deliveries, hasMore } = await house.watches.deliveries(house.caller, plain, { after: undefined, limit: 1, to: 'all' });
      const { lastChange } = await house.watches.show(house.caller, plain);
      assert.deepEqual(
        deliveries.map(({ as, result, createdAt }) => [as, result, createdAt]),
        ['webhook', 'slack', 'text'].map((as) => [as, '200', lastChange?.at]),
        'every message of the last check, and whom it told',
      );
      assert.equal(hasMore, false);
      for (const { to } of deliveries) assert.match(to ?? '', /^(?:https:\/\/hooks\.example\.com|hooks\.slack\.com|chat\.example\.org)\/…/);
      house.sent.length = 0;
      const own = await house.watchOf({ notify: [{ to: 'https://ntfy.sh/mine' }] });
      const nobody = await house.watchOf({ notify: [] });
      await house.change(own);
      await house.change(nobody);
      assert.deepEqual(urls(house.sent), ['https://ntfy.sh/']);
      assert.equal(house.sent[0]?.body.topic, 'mine');
      assert.deepEqual((await house.watches.show(house.caller, nobody)).notify, []);
      assert.equal((await house.watches.show(house.caller, plain)).notify, null);
      await house.watches.edit(house.caller, own, { notify: null });
      await house.change(own);
      assert.equal(house.sent.length, 3);
      const [state] = (await house.show()).notify;
      assert.notEqual(state?.lastSuccessAt, null);
    });

    test('a digest is one message a day over all watches', async () => {
      const house = await telling();
      await house.set({ to: TEXT, as: 'text', digest: '1d' });
      const [one, other] = [await house.watchOf({ name: 'One' }), await house.watchOf({ name: 'Other' })];
      for (const watch of [one, other, one]) await house.change(watch);
      assert.equal(house.sent.length, 0);
      assert.match(String((await house.show()).notify[0]?.nextAt), /T08:00:00\.000Z$/);
      await bench.jump(DAY);
      await house.deliver();
      assert.equal(house.sent.length, 1);
      const lines = String(house.sent[0]?.body.text).split('\n');
      assert.equal(lines[0], '2 watches: 3 changes');
      assert.deepEqual(
        lines.slice(1, 4).map((line) => line.split(':', 1)[0]),
        ['One', 'Other', 'One'],
      );
      await bench.jump(DAY);
      await house.deliver();
      assert.equal(house.sent.length, 1, 'a day without news has no message');
    });

    test('what is filed while a digest is on its way is told with the next one', async () => {
      let isOpen = true;
      const late = async (): Promise<number> => {
        if (isOpen) {
          isOpen = false;
          await house.find(await house.watchOf({ name: 'Late' }));
          // it ended before the digest was read, and was written after it
          const rows = bench.store.db.updateTable('watch_deliveries').where('next_at', 'is not', null).where('delivered_at', 'is', null);
          await rows.set({ created_at: 1 }).execute();
        }
        return 200;
      };
      const house = await telling(late);
      await house.set({ to: TEXT, as: 'text', digest: '1d' });
      await house.change(await house.watchOf({ name: 'Early' }));
      await bench.jump(DAY);
      for (let day = 0; day < 3; day++) {
        await house.deliver();
        await bench.jump(DAY);
      }
      assert.deepEqual(
        house.sent.map(({ body }) => String(body.text).split(':', 1)[0]),
        ['Early', 'Late'],
      );
    });

    test('a message to the webhook that is sent again goes to no target', async () => {
      const house = await telling();
      await house.set({ to: TEXT, as: 'text' });
      const watch = await house.watchOf({ webhook: { url: 'https://hooks.example.com/x' } });
      await house.change(watch);
      assert.equal(house.sent.length, 2);
      const { deliveries } = await house.watches.deliveries(house.caller, watch, { after: undefined, limit: 10 });
      await house.watches.repeat(house.caller, watch, Number(deliveries[0]?.cursor));
      await house.deliver();
      assert.deepEqual(urls(house.sent.slice(2)), ['https://hooks.example.com/x']);
    });

    test('a digest is one message, however many processes send', async () => {
      const house = await telling();
      await house.set({ to: TEXT, as: 'text', digest: '1d' });
      const ids: string[] = [];
      for (let i = 0; i < 8; i++) ids.push(await house.watchOf({ name: `W${i}` }));
      for (const id of ids) await house.change(id);
      await bench.jump(DAY);
      await Promise.all(Array.from({ length: 6 }, () => house.deliver()));
      assert.equal(house.sent.length, 1);
      assert.match(String(house.sent[0]?.body.text), /^8 watches: 8 changes\n/);
      await bench.jump(DAY);
      await house.deliver();
      assert.equal(house.sent.length, 1);
    });

    test('a target that fails is tried again, disabled after three days, and told by the others; setting it again enables it', async () => {
      let status = 503;
      const house = await telling((url) => (url === SLACK ? status : 200));
      await house.set({ to: SLACK }, { to: TEXT, as: 'text' });
      const watch = await house.watchOf({ name: 'Ours' });
      await house.change(watch);
      const failing = (await house.show()).notify[0];
      assert.deepEqual([failing?.lastError, failing?.failingSince === null, failing?.nextAt === null], ['503', false, false]);
      for (let hour = 0; hour < 100; hour++) {
        await bench.jump(HOUR);
        await house.deliver();
      }
      const [disabled] = (await house.show()).notify;
      assert.notEqual(disabled?.disabledAt, null);
      assert.match(readable(String(house.sent.at(-1)?.body.text)), /^Ours: The target hooks\.slack\.com\/…path is switched off: 503/);
      const count = house.sent.length;
      await house.change(watch);
      assert.deepEqual(urls(house.sent.slice(count)), [TEXT]);
      status = 200;
      await house.set({ to: SLACK }, { to: TEXT, as: 'text' });
      await house.change(watch);
      assert.deepEqual([...urls(house.sent.slice(count + 1))].sort(), [TEXT, SLACK].sort());
      const [works] = (await house.show()).notify;
      assert.deepEqual(
        [works?.failingSince, works?.disabledAt, works?.lastError],
        [null, null, '503'],
        'the last failure outlasts a success',
      );
      assert.ok(String(works?.lastFailureAt) < String(works?.lastSuccessAt), JSON.stringify(works));
      assert.equal(works?.lastFailureAt, disabled?.disabledAt);
    });

    test('a message counts every entry of its check, however many there are', async () => {
      let count = 1;
      const apps = () => Array.from({ length: count }, (_, i) => ({ handle: `app-${i}`, name: null, pricing: null, description: null }));
      const house = await telling(() => 200, { resource: () => ({ name: 'Acme', apps: apps() }) });
      await house.set({ to: TEXT, as: 'text' });
      const watch = await house.watchOf({ operation: 'app-developer', parameters: { handle: 'acme' }, name: 'Ours' });
      count = 521;
      await house.change(watch);
      const [title, ...lines] = readable(String(house.sent[0]?.body.text)).split('\n');
      assert.equal(title, 'Ours: 520 changes');
      assert.equal(lines.at(-2), 'and 508 more');
    });

    test('the next try of a target is that of the message which the others wait for', async () => {
      const house = await telling(() => 503);
      await house.set({ to: SLACK });
      const [one, other] = [await house.watchOf(), await house.watchOf()];
      await house.change(one);
      const { nextAt } = (await house.show()).notify[0] ?? {};
      assert.ok(Date.parse(String(nextAt)) > (await bench.store.now()));
      // they wait for the first one of this watch
      for (let i = 0; i < 3; i++) await house.find(one);
      assert.equal((await house.show()).notify[0]?.nextAt, nextAt);
      const { deliveries } = await house.watches.deliveries(house.caller, one, { limit: 10, to: 'all' });
      assert.deepEqual(
        deliveries.map((each) => each.nextAt),
        [nextAt, nextAt, nextAt, nextAt],
      );
      await house.find(other);
      assert.ok(String((await house.show()).notify[0]?.nextAt) < String(nextAt), 'a message of another watch does not wait');
      // no other test sends them
      await house.set();
    });

    test('an account asks twenty addresses a day to confirm, and says so of those that it does not ask', async () => {
      const took = { result: '250', said: null };
      const asked: string[] = [];
      const ask: Mailer['ask'] = async (to) => {
        asked.push(to);
        return took;
      };
      const house = await telling(() => 200, { mailer: { send: async () => took, ask } });
      const five = (batch: number) => Array.from({ length: 5 }, (_, i) => ({ to: `mailto:a${batch}${i}@example.com` }));
      for (let batch = 0; batch < 5; batch++) await house.set(...five(batch));
      assert.equal(new Set(asked).size, 20);
      const { notify } = await house.show();
      assert.ok(notify.every(({ lastError }) => lastError === 'asked too often today: set it again tomorrow'));
      await bench.jump(DAY + HOUR);
      await house.set(...five(4));
      assert.equal(asked.length, 25);
    });

    test('an address that stops its messages is switched off, which the targets that are left are told once', async () => {
      const took = { result: '250', said: null };
      const house = await telling(() => 200, { mailer: { send: async () => took, ask: async () => took } });
      const to = 'mailto:me@example.com';
      await house.set({ to }, { to: TEXT, as: 'text' });
      await house.watchOf({ name: 'Ours' });
      const own = await house.watchOf({ name: 'Own', notify: [{ to: SLACK }, { to }] });
      await house.watchOf({ name: 'Nobody', notify: [] });
      const press = (act: 'confirm' | 'stop') =>
        house.watches.notify.decide(
          act,
          linkToken(house.sealer, act, { account: house.caller.accountId, hash: mailHash(to), untilMs: null }),
        );
      assert.equal(await press('stop'), true);
      await house.deliver();
      assert.equal(house.sent.length, 0, 'it was told nothing before');
      await house.set({ to }, { to: TEXT, as: 'text' });
      assert.equal(await press('confirm'), true);
      assert.deepEqual(await Promise.all([press('stop'), press('stop')]), [true, true]);
      await house.deliver();
      assert.deepEqual(
        house.sent.map(({ url, body }) => [url, readable(String(body.text)).split('\n')[0]]).sort(),
        [
          [TEXT, 'Ours: The target m…@example.com is switched off: the address stopped the messages'],
          [SLACK, 'Own: The target m…@example.com is switched off: the address stopped the messages'],
        ].sort(),
      );
      assert.equal((await house.watches.changes(house.caller, { limit: 10, order: 'oldest', watch: own })).changes.length, 1);
    });

    test('an address that confirms begins anew: its failures of before count no more', async () => {
      const took = { result: '250', said: null };
      const house = await telling(() => 200, { mailer: { send: async () => took, ask: async () => took } });
      const to = 'mailto:again@example.com';
      await house.set({ to });
      await bench.store.db.updateTable('notify_targets').set({ failing_at: 1, failed_at: 1, error: '550', disabled_at: 2 }).execute();
      const link = { account: house.caller.accountId, hash: mailHash(to), untilMs: null };
      assert.equal(await house.watches.notify.decide('confirm', linkToken(house.sealer, 'confirm', link)), true);
      const [target] = (await house.watches.notify.show(house.caller)).notify;
      assert.deepEqual(
        [target?.confirmed, target?.failingSince, target?.offAt, target?.lastFailureAt, target?.lastError, target?.disabledAt],
        [true, null, null, null, null, null],
      );
    });

    test('a test says what the target answered; addresses are sealed, and whole to managers alone', async () => {
      const house = await telling((url) => (url === TEXT ? 404 : 200));
      const { notify } = await house.set({ to: SLACK });
      const [target] = notify;
      assert.equal(target?.to, SLACK);
      const good = await house.watches.notify.test(house.caller, { targetId: target?.targetId }, null, async () => undefined);
      assert.deepEqual([good.ok, good.status, good.said, good.error], [true, 200, 'thanks', null]);
      const bad = await house.watches.notify.test(house.caller, { to: TEXT, as: 'text' }, null, async () => undefined);
      assert.deepEqual([bad.ok, bad.status, bad.error], [false, 404, '404']);
      const { notify: shown } = await house.watches.notify.show({ ...house.caller, manages: false });
      assert.equal(shown[0]?.to, 'hooks.slack.com/…path');
      const rows = await bench.store.db.selectFrom('notify_targets').selectAll().execute();
      const audit = await bench.store.db.selectFrom('audit').selectAll().execute();
      assert.doesNotMatch(JSON.stringify([rows, audit]), /secretpath|hook\/abc/);
    });

    test('what a target answers to a test is shown without the secrets of its address, and 500 characters of it', async () => {
      const house = await telling(() => 404, { said: `no hook ${new URL(SLACK).pathname} ${'x'.repeat(480)}${SLACK}` });
      const { said } = await house.watches.notify.test(house.caller, { to: SLACK }, null, async () => undefined);
      assert.equal(said?.length, 500);
      assert.match(String(said), /^no hook \/services\/T0\/B0\/…path x/);
      assert.doesNotMatch(String(said), /secret/);
    });

    test('bad targets are refused with the field, the value and the cure, and nothing is set', async () => {
      const house = await telling();
      await house.set({ to: SLACK });
      for (const [wrong, says] of [
        [
          { to: 'https://chat.example.org/x' },
          /Field notify\/0\/as is missing, but the host does not say how to write to it: give one of slack, /,
        ],
        [{ to: 'ftp://a.example' }, /Field notify\/0\/to is "ftp:\/\/a\.example", but it must begin with https:\/\/ or mailto:\.$/],
        [{ to: 'https://n8n.lan/x', as: 'text' }, /SIGHTLINE_PRIVATE_TARGETS of the operator opens private targets\.$/],
        [{ to: 'mailto:a@example.com' }, /this service sends no mail: its operator sets SIGHTLINE_SMTP_URL/],
        [{ to: 'mailto:a@example.com,b@example.com' }, /must be mailto: with one address/],
        [{ to: 'mailto:a@example.com?bcc=b@example.com' }, /must be mailto: with one address/],
        [{ to: 'mailto:a%0D%0Abcc:b@example.com' }, /must be mailto: with one address/],
        [{ to: 'mailto:a%00b@example.com' }, /must be mailto: with one address/],
        [{ to: 'mailto:%E2%80%AEa@example.com' }, /must be mailto: with one address/],
        [{ to: 'mailto:a@example.\u212a' }, /must be mailto: with one address/],
        [{ to: 'https://ntfy.sh/a%' }, /Field notify\/0\/to is "https:\/\/ntfy\.sh\/…", but it must end in a topic, such as/],
        [{ to: 'https://ntfy.sh/' }, /Field notify\/0\/to is "https:\/\/ntfy\.sh\/", but it must end in a topic, such as/],
        [
          { to: SLACK, as: 'email' },
          /Field notify\/0\/as is "email", but it must be email for an address with mailto:, and for no other\.$/,
        ],
        [{ to: SLACK, as: 'sms' }, /Field notify\/0\/as is "sms", but it must be one of slack, discord, teams, ntfy, text, email\.$/],
        [{ to: SLACK, digest: '2d' }, /Field notify\/0\/digest is "2d", but it must be 1d, or null\.$/],
        [
          { to: SLACK, digst: '1d' },
          /Field notify\/0\/digst is "1d", but it must be left out \(did you mean digest\?\): the fields are to, as, digest\.$/,
        ],
        [{ to: 'https://hooks.slack.com/…path' }, /must be a URL of at most 2,000 characters/],
        [5, /Field notify\/0 is 5, but it must be \{"to", "as"\?, "digest"\?\}\.$/],
      ] as const)
        await assert.rejects(house.watches.notify.replace(house.caller, { notify: [wrong] }), says as RegExp);
      await Promise.all(Array.from({ length: 6 }, (_, i) => house.set({ to: SLACK }, { to: `https://ntfy.sh/t${i}` })));
      assert.equal((await house.show()).notify.length, 2, 'the last one of concurrent requests holds');
      await house.set({ to: SLACK });
      const six = Array.from({ length: 6 }, (_, i) => ({ to: `https://ntfy.sh/t${i}` }));
      await assert.rejects(house.set(...six), /it must be a list of at most 5 objects \{"to", /);
      await assert.rejects(house.watches.notify.replace(house.caller, []), /The body must be \{"notify"/);
      assert.equal((await house.show()).notify.length, 1);
    });
  });
