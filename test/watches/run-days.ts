import assert from 'node:assert/strict';
import { readLines } from '../../src/billing/rules.ts';
import { DAY_MS, HOUR_MS, instant } from '../../src/runtime/clock.ts';
import { CLAIM_MS, nextSlot } from '../../src/watches/records.ts';
import { createRandom } from '../simulation/random.ts';
import type { Says } from './house.ts';
import { openMachine } from './machine.ts';
import { addWatches, afterStep, BATCH, domainsOf, type Gateway, openGateway, quietStep, step } from './processes.ts';

/**
 * `node test/watches/run-days.ts WATCHES DAYS SEED`: that many daily watches for that many days by two processes, which are killed and frozen
 * between any two statements, while the clock jumps and sources are out. Prints its figures; fails unless every slot has one outcome and at most
 * one charge, and no hold is left. A program of its own, because the runner of tests follows every promise, which takes half of the time.
 */
const [WATCHES = 300, DAYS = 10, SEED = 7] = process.argv.slice(2).map(Number);
const RECORD = { domain: 'a.com', available: false, registrar: null, status: [], nameServers: [], contacts: [] };
const STEP_MS = 20 * 60_000;
const CREDITS = 1_000_000;

/** When a slot was claimed last, by watch and slot. */
const claimedAt = new Map<string, number>();

const random = createRandom(SEED);
let nowMs = Date.UTC(2026, 10, 1, 12);
const now = (): number => nowMs;
const machine = await openMachine('embedded', random, now);
let outUntil = 0;
const answering = (): Says =>
  nowMs < outUntil || random.chance(0.02)
    ? { error: 'UPSTREAM_UNREACHABLE' }
    : { resource: { ...RECORD, ...(random.chance(0.01) && { expiresOn: `20${30 + random.below(40)}-01-01` }) } };
const open = (): Promise<Gateway> => openGateway(machine, now, answering, ({ watch, slot }) => claimedAt.set(`${watch.id} ${slot}`, now()));
const first = await open();
await first.store.migrate();
await addWatches(first.store, nowMs, { domains: domainsOf(WATCHES), every_ms: DAY_MS, credits: CREDITS });

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
  gateways = await afterStep(gateways, open, counts);
}
// what was claimed or held by a process that was killed ends by its own time limit
for (let i = 0; i < 6; i++) {
  nowMs += HOUR_MS;
  await quietStep(gateways);
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
  for (const { kind, id, label, credits } of readLines(lines)) {
    if (kind === 'hold') requests.set(id, label.split(' ')[0] ?? '');
    if (kind !== 'capture') continue;
    const request = requests.get(id.slice(id.indexOf('.') + 1)) ?? id;
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
await machine.close();
