import assert from 'node:assert/strict';
import { createJournal } from '../../src/billing/journal.ts';
import { createLedger } from '../../src/billing/ledger.ts';
import { readLines } from '../../src/billing/rules.ts';
import { DAY_MS, HOUR_MS, instant } from '../../src/runtime/clock.ts';
import type { Store } from '../../src/store/store.ts';
import { check } from '../../src/watches/check.ts';
import { CLAIM_MS, nextSlot } from '../../src/watches/records.ts';
import { replan } from '../../src/watches/retention.ts';
import { grant, KEY_ROW, makeAccount, silent } from '../ledger/backends.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { claimDue, gatewayOn, type Says } from './house.ts';
import { createMachine, type Machine } from './machine.ts';

/**
 * `node test/watches/run-days.ts WATCHES DAYS SEED`: that many daily watches for that many days by two processes, which are killed and frozen
 * between any two statements, while the clock jumps and sources are out. Prints its figures; fails unless every slot has one outcome and at most
 * one charge, and no hold is left. A program of its own, because the runner of tests follows every promise, which takes half of the time.
 */
const [WATCHES = 300, DAYS = 10, SEED = 7] = process.argv.slice(2).map(Number);
const RECORD = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
const STEP_MS = 20 * 60_000;
const PER_ACCOUNT = 1_000;
const CREDITS = 1_000_000;
const BATCH = 50;

async function addWatches({ db }: Store, nowMs: number): Promise<void> {
  const accounts = Array.from({ length: Math.ceil(WATCHES / PER_ACCOUNT) }, (_, i) => `acc_${i}`);
  const common = { fields: null, every_ms: DAY_MS, credits_per_month: 1_000, paused: 0, created_at: nowMs, fails: 0, name: null };
  for (const [i, account_id] of accounts.entries()) {
    await makeAccount({ db } as Store, account_id);
    await db
      .insertInto('keys')
      .values({ ...KEY_ROW, id: `key_${i}`, account_id, hash: `key_${i}` })
      .execute();
    const rows = Array.from({ length: Math.min(PER_ACCOUNT, WATCHES - i * PER_ACCOUNT) }, (_, j) => {
      const id = `wat_${i}_${j}`;
      const parameters = JSON.stringify({ domain: `site-${i}-${j}.com` });
      const next_at = nextSlot({ id, every_ms: DAY_MS }, nowMs);
      return { ...common, id, account_id, key_id: `key_${i}`, operation: 'registration', parameters, next_at };
    });
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('watches')
        .values(rows.slice(at, at + 100))
        .execute();
  }
}

/** When a slot was claimed last, by watch and slot. */
const claimedAt = new Map<string, number>();

/** A process that serves: its checks, and its ledger. */
async function openGateway(machine: Machine, now: () => number, answering: () => Says) {
  const process = await machine.openProcess();
  const { store } = process;
  // sleeps end with the process: what is repeated is done by the test at each step
  const clock = {
    now,
    sleep: (_ms: number, signal?: AbortSignal) => new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve())),
  };
  const randomBytes = (size: number): Uint8Array => crypto.getRandomValues(new Uint8Array(size));
  const journal = createJournal(store, clock);
  const ledger = createLedger({ journal, clock, log: silent, randomBytes, holdMs: HOUR_MS, reapEveryMs: HOUR_MS });
  const { parts, billing } = gatewayOn(store, ledger, answering, {}, clock);
  async function work(): Promise<void> {
    await ledger.reap();
    await replan(store, now());
    for (;;) {
      const slots = await claimDue(store, BATCH, now(), () => crypto.randomUUID());
      if (slots.length === 0) break;
      for (const { watch, slot } of slots) claimedAt.set(`${watch.id} ${slot}`, now());
      await Promise.all(
        slots.map((slot) => check({ ...parts, newRequestId: () => `watch-${slot.watch.id}-${slot.slot}` }, slot).catch(whyLost)),
      );
    }
    await billing.settled();
  }
  return { process, store, ledger, work };
}
/** A check whose process was frozen: its hold is over. */
function whyLost(error: Error): void {
  if (!/expired|hold/i.test(error.message)) throw error;
}
type Gateway = Awaited<ReturnType<typeof openGateway>>;

/** One step of the time: each process works until it has done all or until its fate comes. */
async function step(gateways: readonly Gateway[], random: Random): Promise<void> {
  for (const { process } of gateways) {
    const fate = random.next();
    if (fate < 0.1) process.doom('kill', 1 + random.below(600));
    else if (fate < 0.2) process.doom('freeze', 1 + random.below(600));
  }
  await Promise.all(gateways.map(({ process, work }) => Promise.race([work(), process.stopped()])));
}

const random = createRandom(SEED);
let nowMs = Date.UTC(2026, 10, 1, 12);
const now = (): number => nowMs;
const machine = createMachine(random, now);
let outUntil = 0;
const answering = (): Says =>
  nowMs < outUntil || random.chance(0.02)
    ? { error: 'UPSTREAM_UNREACHABLE' }
    : { resource: { ...RECORD, ...(random.chance(0.01) && { expiresOn: `20${30 + random.below(40)}-01-01` }) } };
const open = (): Promise<Gateway> => openGateway(machine, now, answering);
const first = await open();
await first.store.migrate();
await addWatches(first.store, nowMs);
const accounts = (await first.store.db.selectFrom('accounts').select('id').execute()).map(({ id }) => id);
for (const id of accounts) await grant(first.store, id, CREDITS);

const began = nowMs;
let jumps = 0;
let gateways = [first, await open()];
const counts = { kill: 0, freeze: 0, outages: 0 };
const end = began + DAYS * DAY_MS;
while (nowMs < end) {
  nowMs += STEP_MS;
  const jump = random.next();
  if (jump < 1 / 300) {
    jumps++;
    nowMs += 2.5 * DAY_MS;
  } else if (jump < 3 / 300) {
    jumps++;
    nowMs -= DAY_MS / 4;
  }
  if (random.chance(1 / 100)) {
    outUntil = nowMs + 3 * HOUR_MS;
    counts.outages++;
  }
  // one that was frozen goes on beside the others
  for (const { process } of gateways) process.thaw();
  await step(gateways, random);
  gateways = await Promise.all(
    gateways.map((gateway) => {
      const state = gateway.process.state();
      if (state !== 'runs') counts[state]++;
      return state === 'kill' ? open() : gateway;
    }),
  );
}
// what was claimed or held by a process that was killed ends by its own time limit
for (let i = 0; i < 6; i++) {
  nowMs += HOUR_MS;
  for (const { process, work } of gateways) {
    process.thaw();
    process.doom('kill', Number.POSITIVE_INFINITY);
    await work();
  }
}
for (const { ledger } of gateways) await ledger.close();

const { db } = (gateways[0] as Gateway).store;
const checks = await db
  .selectFrom('watch_checks')
  .innerJoin('watches', 'watches.n', 'watch_checks.watch')
  .select(['watches.id', 'slot', 'outcome', 'credits'])
  .orderBy('slot')
  .execute();
const paid = new Map(checks.filter(({ credits }) => credits > 0).map(({ id, slot, credits }) => [`watch-${id}-${slot}`, credits]));
assert.ok(checks.every(({ credits }) => credits === 0 || credits === 1));
let leftOut = 0;
const ofWatch = Map.groupBy(checks, ({ id }) => id);
assert.equal(ofWatch.size, WATCHES);
for (const [id, own] of ofWatch) {
  const slots = new Set(own.map(({ slot }) => slot));
  assert.equal(slots.size, own.length, 'no slot has two outcomes');
  for (let slot = nextSlot({ id, every_ms: DAY_MS }, began); slot <= end; slot += DAY_MS) {
    if (slots.delete(slot)) continue;
    // a missed slot that is made up for late, until its claim ends, counts for those that came due meanwhile
    const isMadeUpFor = own.some((one) => one.slot < slot && (claimedAt.get(`${id} ${one.slot}`) ?? 0) + CLAIM_MS >= slot);
    assert.ok(isMadeUpFor, `${id} lacks ${instant(slot)}`);
    leftOut++;
  }
  for (const slot of slots)
    assert.ok((slot > end || slot < began) && (slot - nextSlot({ id, every_ms: DAY_MS }, began)) % DAY_MS === 0, `${id}: ${slot}`);
}

const requests = new Map<string, string>();
const captured = new Map<string, number>();
for (const { lines } of await db.selectFrom('journal').select('lines').execute())
  for (const { kind, hold, label, credits } of readLines(lines)) {
    if (kind === 'hold') requests.set(hold, label.split(' ')[0] ?? '');
    if (kind !== 'capture') continue;
    const request = requests.get(hold.slice(hold.indexOf('.') + 1)) ?? hold;
    captured.set(request, (captured.get(request) ?? 0) - credits);
  }
for (const [request, credits] of captured) assert.equal(credits, paid.get(request), `${request} was charged`);
const balances = await db.selectFrom('balances').selectAll().execute();
assert.deepEqual(
  balances.filter(({ held }) => held !== 0),
  [],
  'no hold is left',
);
const spent = balances.reduce((sum, { balance }) => sum + CREDITS - balance, 0);
assert.equal(
  spent,
  [...captured.values()].reduce((sum, credits) => sum + credits, 0),
);
// a process that is killed between the outcome and the capture leaves a check free
assert.ok(paid.size - captured.size <= (counts.kill + counts.freeze) * BATCH, `${paid.size - captured.size} checks were free`);
assert.ok(counts.kill > 0 && counts.freeze > 0 && counts.outages > 0, JSON.stringify(counts));
console.log(
  `${checks.length} slots, ${leftOut} left out by ${jumps} jumps of the clock, ${counts.kill} kills, ${counts.freeze} freezes, ${counts.outages} outages, ${spent} credits for ${paid.size} paid checks, 0 held, ${(machine.statements() / checks.length).toFixed(1)} statements a check`,
);
machine.close();
