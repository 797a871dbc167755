// Few in a process: it computes for long.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/runtime/clock.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { textOf } from '../../src/watches/notify/forms/form.ts';
import type { Mailer } from '../../src/watches/notify/mail.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { BACKENDS, grant, KEY_ROW, makeAccount, silent } from '../ledger/backends.ts';
import { createRandom } from '../simulation/random.ts';
import { sizeOf } from '../support/sizes.ts';
import type { Fate } from './fates.ts';
import { deliverDue } from './house.ts';
import { openMachine } from './machine.ts';
import { type Gateway, openGateway, quietStep } from './processes.ts';

/** Of the steps between two statements every one, or every so many: an odd number, so that each kind of step is met. */
const EVERY = { embedded: sizeOf({ whole: 1, part: 7 }), postgres: sizeOf({ whole: 21, part: 41 }) };
const MINUTES = 60_000;
const WEEK = 7 * DAY_MS;
const TARGETS = {
  slack: 'https://hooks.slack.com/services/T0/B0/secret',
  discord: 'https://discord.com/api/webhooks/1/secret',
  teams: 'https://prod-1.westus.logic.azure.com/workflows/secret',
  ntfy: 'https://ntfy.sh/topic',
  text: 'https://chat.example.org/hook/secret',
  email: 'mailto:me@example.com',
  digest: 'https://chat.example.org/digest/secret',
  webhook: 'https://hooks.example.com/x',
} as const;
type Kind = keyof typeof TARGETS;
interface Message {
  readonly kind: Kind;
  readonly id: string | undefined;
  readonly says: string;
}

for (const backend of BACKENDS)
  test(`on ${backend.name} one change is one message a target of every kind; killed or frozen between any two steps at most one more, with the same id and the same words`, {
    skip: backend.skip,
  }, async (t) => {
    let nowMs = Date.UTC(2026, 10, 1, 12);
    const now = (): number => nowMs;
    // a statement at which a process dies is executed every second time
    let isExecuted = false;
    const every = EVERY[backend.name];
    const machine = await openMachine(backend.name, { ...createRandom(1), chance: () => isExecuted }, now);
    t.after(() => machine.close());
    let renewals = 0;
    const open = (): Promise<Gateway> =>
      openGateway(machine, now, ({ input }) => ({
        resource: {
          ...{ domain: (input as { domain: string }).domain, available: false, registrar: null, status: [], contacts: [] },
          nameServers: [`ns${renewals}.example`],
        },
      }));

    const sent: Message[] = [];
    const kindOf = (url: string): Kind => {
      // ntfy is told at the root of its server
      const found = Object.entries(TARGETS).find(([, to]) => to === url || url === 'https://ntfy.sh/');
      const kinds = Object.keys(TARGETS) as Kind[];
      return url === 'https://ntfy.sh/' ? 'ntfy' : (kinds.find((kind) => kind === found?.[0]) ?? assert.fail(url));
    };
    const http: DestinationParts['http'] = {
      async ask({ url, body = '', headers = {} }) {
        sent.push({ kind: kindOf(url), id: headers['webhook-id'], says: body });
        return { tag: 'answer', answer: { status: 204, headers: {}, body: new Uint8Array(), url, atMs: 0 } };
      },
    };
    const mailer: Mailer = {
      async send(_to, message, _account, id) {
        sent.push({ kind: 'email', id: id ?? undefined, says: textOf(message, (text) => text) });
        return { result: '250', said: null };
      },
      ask: async () => ({ result: '250', said: null }),
    };
    const partsOf = (gateway: Gateway) => ({ ...gateway.parts, http, mailer, log: silent });
    /** Makes the checks that are due, tells of them, and tells of the day. */
    async function work(gateway: Gateway): Promise<void> {
      await gateway.work();
      await deliverDue(partsOf(gateway));
    }

    const first = await open();
    const { store } = first;
    await store.migrate();
    await makeAccount(store, 'acc_1');
    await store.db
      .insertInto('keys')
      .values({ ...KEY_ROW, id: 'key_1', account_id: 'acc_1', hash: 'key_1' })
      .execute();
    await grant(store, 'acc_1', 1_000_000);
    const watches = createWatches(partsOf(first));
    const caller = { ...{ accountId: 'acc_1', keyId: 'key_1', operations: null, ratePerSecond: null, rateBurst: null }, manages: true };
    const { slack, discord, teams, ntfy, text, email, digest, webhook } = TARGETS;
    const notify = [{ to: slack }, { to: discord }, { to: teams, as: 'teams' }, { to: ntfy }, { to: text, as: 'text' }];
    await watches.notify.replace(caller, { notify });
    const body = { operation: 'registration', every: '7d', creditsPerMonth: 1_000 };
    await watches.create(caller, { ...body, parameters: { domain: 'a.com' }, webhook: { url: webhook } });
    const own = [{ to: email }, { to: digest, as: 'text', digest: '1d' }];
    await watches.create(caller, { ...body, parameters: { domain: 'b.com' }, notify: own });
    await store.db.updateTable('notify_targets').set({ confirmed_at: 1 }).where('form', '=', 'email').execute();
    nowMs += WEEK;
    await quietStep([first]);
    assert.deepEqual(sent, []);

    /** A week with one change of each watch, in which a process meets its fate after so many statements. False: it was through before. */
    async function week(fate: Fate, statements: number): Promise<boolean> {
      renewals++;
      nowMs += WEEK;
      const doomed = await open();
      doomed.process.doom(fate, statements);
      const working = (async () => {
        await work(doomed);
        // those of the day
        nowMs += DAY_MS;
        await deliverDue(partsOf(doomed));
      })();
      await Promise.race([working, doomed.process.stopped()]);
      const isThrough = doomed.process.state() === 'runs';
      doomed.process.doom(fate, Number.POSITIVE_INFINITY);
      const other = isThrough ? doomed : await open();
      nowMs += 10 * MINUTES;
      await work(other);
      nowMs += DAY_MS;
      await work(other);
      if (fate === 'freeze' && !isThrough) {
        doomed.process.thaw();
        await working;
        nowMs += 10 * MINUTES;
        await work(other);
      }
      const messages = sent.splice(0);
      for (const kind of Object.keys(TARGETS) as Kind[]) {
        const own = messages.filter((message) => message.kind === kind);
        const where = `${kind}, ${fate} after ${statements}: ${JSON.stringify(own)}`;
        assert.ok(own.length === 1 || (own.length === 2 && !isThrough), where);
        assert.match(own[0]?.id ?? '', /^chg_\w+_\d+$/, where);
        assert.deepEqual([own.at(-1)?.id, own.at(-1)?.says], [own[0]?.id, own[0]?.says], where);
      }
      for (const { process } of new Set([doomed, other])) await process.end();
      twice += messages.length - Object.keys(TARGETS).length;
      return !isThrough;
    }

    let [twice, crashes] = [0, 0];
    for (const fate of ['kill', 'freeze'] as const)
      for (const executed of fate === 'kill' ? [false, true] : [false]) {
        isExecuted = executed;
        let statements = 1;
        while (await week(fate, statements)) {
          statements += every;
          crashes++;
        }
      }
    t.diagnostic(
      `${crashes} crashes, each between two other steps: ${crashes * Object.keys(TARGETS).length} messages, ${twice} of them sent again`,
    );
    assert.ok(crashes > 300 / every, String(crashes));
    assert.ok(twice > 0, 'a crash between sending and its record');
  });
