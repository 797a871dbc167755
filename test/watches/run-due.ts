import assert from 'node:assert/strict';
import { DAY_MS, dayOf, HOUR_MS, instant } from '../../src/runtime/clock.ts';
import { OVER } from '../../src/watches/compare.ts';
import { expire } from '../../src/watches/retention.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import type { Answering } from './house.ts';
import { openMachine } from './machine.ts';
import { addWatches, afterStep, domainsOf, type Gateway, openGateway, quietStep, step } from './processes.ts';

/**
 * `node test/watches/run-due.ts DOMAINS YEARS SEED EVERY_DAYS [postgres]`: that many domains whose dates move, for that many years by two processes, which
 * are killed and frozen between any two statements, while registries are out and nobody runs for days. Prints its figures; fails unless every
 * threshold is told exactly once: none early, none twice, none of a date that was not the registry's. What is expected is made from the dates of
 * the registries and from when a check had an answer, without the rules of the service.
 */
const [DOMAINS = 100, YEARS = 10, SEED = 7, EVERY_DAYS = 7] = process.argv.slice(2).map(Number);
const STORE = process.argv[6];
const DAYS_BEFORE = [30, 14, 7, 1];
const STEP_MS = 6 * HOUR_MS;
/** What a killed process had claimed is free again. */
const QUIET_AFTER_MS = 10 * 60_000;
const COLLECT_EVERY_MS = 90 * DAY_MS;
const BEGAN = Date.UTC(2026, 10, 1);
const END = BEGAN + YEARS * 365 * DAY_MS;

interface Dated {
  readonly fromMs: number;
  readonly on: string;
}
/** The dates of a registration: renewed before its end and after it, moved by a transfer, and back again. */
function datesOf(random: Random): readonly Dated[] {
  // some registries state a time
  const timeMs = random.chance(0.3) ? random.below(DAY_MS) : null;
  const textOf = (day: number): string => (timeMs === null ? dayOf(day * DAY_MS) : new Date(day * DAY_MS + timeMs).toISOString());
  let day = BEGAN / DAY_MS + 1 + random.below(400);
  const dates: Dated[] = [{ fromMs: 0, on: textOf(day) }];
  for (let fromMs = BEGAN; fromMs < END; ) {
    const within = (days: number): number => random.below(Math.max(1, days * 24)) * HOUR_MS;
    const kind = random.next();
    const ends = day * DAY_MS;
    if (kind < 0.7) {
      fromMs = Math.max(fromMs + DAY_MS, ends - within(random.pick([60, 12])));
      day += random.chance(0.8) ? 365 : 730;
    } else if (kind < 0.82) {
      fromMs = Math.max(fromMs + DAY_MS, ends + within(30));
      day += 365;
    } else if (kind < 0.92) {
      fromMs += DAY_MS + within(Math.max(1, (ends - fromMs) / DAY_MS));
      day += random.chance(0.5) ? 1 + random.below(45) : -1 - random.below(45);
    } else {
      const before = textOf(day);
      fromMs = Math.max(fromMs + DAY_MS, ends - within(45));
      day += 365;
      dates.push({ fromMs, on: textOf(day) }, { fromMs: fromMs + 3 * DAY_MS, on: before });
      fromMs += 9 * DAY_MS;
    }
    dates.push({ fromMs, on: textOf(day) });
  }
  return dates;
}

const random = createRandom(SEED);
const domains = domainsOf(DOMAINS);
const registry = new Map(domains.flat().map((domain) => [domain, datesOf(random)]));
const dateAt = (domain: string, atMs: number): string => registry.get(domain)?.findLast(({ fromMs }) => fromMs <= atMs)?.on ?? '';

let nowMs = BEGAN;
const now = (): number => nowMs;
let outUntil = 0;
/** When a registry was out last, by domain. */
const failedAt = new Map<string, number[]>();
let lookups = 0;
const answering: Answering = ({ input }) => {
  const { domain } = input as { readonly domain: string };
  lookups++;
  if (nowMs < outUntil || random.chance(0.02)) {
    failedAt.set(domain, [...(failedAt.get(domain) ?? []), nowMs]);
    return { error: 'UPSTREAM_UNREACHABLE' };
  }
  const record = { domain, available: false, registrar: null, status: [], nameServers: [], contacts: [] };
  return { resource: { ...record, expiresOn: dateAt(domain, nowMs) } };
};
const machine = await openMachine(STORE === 'postgres' ? STORE : 'embedded', random, now);
const open = (): Promise<Gateway> => openGateway(machine, now, answering);
const first = await open();
await first.store.migrate();
await addWatches(first.store, nowMs, { domains, every_ms: EVERY_DAYS * DAY_MS, credits: 10_000_000 });
const watched = await first.store.db.selectFrom('watches').select(['n', 'parameters']).execute();
const domainOf = new Map(watched.map(({ n, parameters }) => [n, (JSON.parse(parameters) as { domain: string }).domain]));

/** When checks had an answer, by watch: old ones are deleted, so that they are read now and then. */
const readAt = new Map<number, number[]>(watched.map(({ n }) => [n, []]));
let collectedAt = 0;
async function collect({ store }: Gateway): Promise<void> {
  const rows = await store.db
    .selectFrom('watch_checks')
    .select(['watch', 'at'])
    .where('at', '>', collectedAt)
    .where('outcome', 'in', ['first', 'same', 'changed'])
    .orderBy('at')
    .execute();
  for (const { watch, at } of rows) readAt.get(watch)?.push(at ?? 0);
  collectedAt = nowMs;
}

const counts = { kill: 0, freeze: 0, outages: 0, pauses: 0 };
/** When every process had its turn to the end. */
const quiet: number[] = [];
let gateways = [first, await open()];
while (nowMs < END) {
  nowMs += STEP_MS - QUIET_AFTER_MS;
  if (random.chance(1 / 150)) {
    counts.pauses++;
    nowMs += random.pick([1, 2, 3, 10, 40]) * DAY_MS;
  }
  if (random.chance(1 / 100)) {
    counts.outages++;
    outUntil = nowMs + (1 + random.below(60)) * HOUR_MS;
  }
  for (const { process } of gateways) process.thaw();
  await step(gateways, random, 60);
  gateways = await afterStep(gateways, open, counts);
  nowMs += QUIET_AFTER_MS;
  await quietStep(gateways);
  quiet.push(nowMs);
  if (nowMs - collectedAt < COLLECT_EVERY_MS) continue;
  await expire(gateways[0]?.store ?? first.store, nowMs);
  await collect(gateways[0] ?? first);
}
await collect(gateways[0] ?? first);
for (const { ledger } of gateways) await ledger.close();
const { db } = (gateways[0] ?? first).store;
const entries = await db.selectFrom('watch_changes').selectAll().where('kind', '=', 'due').orderBy('n').execute();
assert.deepEqual(await db.selectFrom('balances').select('account_id').where('held', '!=', 0).execute(), [], 'no hold is left');
await machine.close();

/** The last day before it on which something is said of a date, or `OVER`; with the time from which it is said. */
const bucketsOf = (on: string) => {
  const dayMs = Date.parse(on.slice(0, 10));
  const endsMs = on.length > 10 ? Date.parse(on) : dayMs + DAY_MS;
  const before = DAYS_BEFORE.map((days) => ({ days, fromMs: dayMs - days * DAY_MS }));
  return [...before, { days: OVER, fromMs: endsMs }].map((bucket, i, all) => ({ ...bucket, untilMs: all[i + 1]?.fromMs ?? END * 2 }));
};

/** What was told, by watch, date and threshold. */
const told = new Map<string, number>();
const figures = { early: 0, twice: 0, wrong: 0, stale: 0 };
for (const { watch, after, at, days_left, read_at } of entries) {
  const on = JSON.parse(after) as string;
  const domain = domainOf.get(watch) ?? '';
  const bucket = bucketsOf(on).find(({ fromMs, untilMs }) => fromMs <= at && at < untilMs);
  const left = bucket?.days === OVER ? OVER : (Date.parse(on.slice(0, 10)) - Math.floor(at / DAY_MS) * DAY_MS) / DAY_MS;
  if (!bucket || days_left !== left) figures.early++;
  const key = `${watch} ${on} ${bucket?.days}`;
  if (told.has(key)) figures.twice++;
  told.set(key, at);
  if (read_at === null || dateAt(domain, read_at) !== on || !readAt.get(watch)?.includes(read_at)) figures.wrong++;
  const isOld = at - (read_at ?? 0) > DAY_MS || (bucket?.days === OVER && (read_at ?? 0) < bucket.fromMs);
  if (isOld && !failedAt.get(domain)?.includes(at)) figures.stale++;
}

let [owed, missed, delayed, overtaken, dates] = [0, 0, 0, 0, 0];
const lacking: string[] = [];
for (const [n, reads] of readAt) {
  const domain = domainOf.get(n) ?? '';
  const known = reads.map((at) => ({ at, on: dateAt(domain, at) })).filter(({ on }, i, all) => on !== all[i - 1]?.on);
  dates += new Set(known.map(({ on }) => on)).size;
  const due = new Map<string, number>();
  for (const [i, { at, on }] of known.entries()) {
    const untilMs = known[i + 1]?.at ?? nowMs + 1;
    for (const { days, fromMs, untilMs: passedMs } of bucketsOf(on)) {
      // a quiet step at which this date was known, and this threshold the nearest one that had passed
      const begin = Math.max(at, fromMs);
      const isMet = quiet[firstFrom(quiet, begin)] ?? Number.POSITIVE_INFINITY;
      const key = `${n} ${on} ${days}`;
      if (isMet < Math.min(untilMs, passedMs)) due.set(key, due.get(key) ?? isMet);
      else if (fromMs >= at && fromMs < untilMs) overtaken++;
    }
  }
  owed += due.size;
  for (const [key, byMs] of due) {
    const at = told.get(key);
    if (at === undefined) lacking.push(key);
    if (at === undefined) missed++;
    else if (at > byMs) delayed++;
  }
}
/** The index of the first one that is not before. */
function firstFrom(times: readonly number[], from: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
console.log(
  `${DOMAINS} domains, ${((nowMs - BEGAN) / DAY_MS / 365).toFixed(1)} years, ${dates} dates, ${lookups} lookups: ${owed} thresholds due, ${told.size} told, ${missed} missed, ${delayed} late, ${figures.early} early, ${figures.twice} twice, ${figures.wrong} of another date, ${figures.stale} without the reading before; ${overtaken} passed while nobody ran, or the date had moved; ${counts.kill} kills, ${counts.freeze} freezes, ${counts.outages} outages, ${counts.pauses} pauses; ${(process.cpuUsage().user / 1e6).toFixed(0)} s of CPU`,
);
assert.deepEqual([missed, delayed, ...Object.values(figures)], [0, 0, 0, 0, 0, 0], lacking.slice(0, 10).join('\n'));
assert.ok(counts.kill > 0 && counts.freeze > 0 && counts.outages > 0 && counts.pauses > 0, JSON.stringify(counts));
assert.ok(told.size >= owed && owed > DOMAINS * YEARS, `${instant(nowMs)}: ${owed}`);
