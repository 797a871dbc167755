import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../../src/billing/types.ts';
import { Books } from './books.ts';
import { checkAnswer, checkBooks, type Told } from './check.ts';
import type { Fault, Plant } from './faults.ts';
import { captureTwice, forgetOutcomes, replyBeforeHold } from './plants.ts';
import { createPlatforms } from './platforms.ts';
import { type ServiceProcess, startProcess } from './process.ts';
import { createRandom, type Random } from './random.ts';
import { createOwner, createTimeline, type Owner, type Timeline } from './timeline.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Charged requests after which no client asks any more. */
  readonly charged: number;
  readonly faults: readonly Fault[];
  readonly plant: Plant | null;
}
export interface SimulationResult {
  readonly requests: number;
  readonly charged: number;
  /** Faults that were injected. */
  readonly faults: number;
  readonly violations: readonly string[];
  /** SHA-256 over every answer and every entry of the journal: one seed, one digest. */
  readonly digest: string;
}

const CLIENTS = 24;
const ACCOUNTS = 4;
const WATCHES = 240;
const SLOT_EVERY_MS = 700;
/** A lookup, its hold and a slow disk are over after this time. */
const SETTLED_MS = 120_000;
const PLANTED: Readonly<Partial<Record<Plant, (ledger: Ledger, timeline: Timeline, owner: Owner) => Ledger>>> = {
  'capture-twice': captureTwice,
  'reply-before-hold': replyBeforeHold,
};

interface Key {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
  readonly creditsPerDay: number | null;
}

/** One run: clients ask, faults happen, and at the end all must be in order. */
export async function simulate({ seed, charged: target, faults, plant }: SimulationOptions): Promise<SimulationResult> {
  const random = createRandom(seed);
  const timeline = createTimeline();
  const outside = createOwner();
  // memory where the system has it: the simulated disk decides how long a commit takes
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sightline-simulation-'));
  const platforms = createPlatforms(timeline, outside, random);
  if (!faults.includes('sources')) platforms.failing = 0;
  const books = new Books();
  const violations: string[] = [];
  const told: Told[] = [];
  const digest = createHash('sha256');
  /** Times at which a fault of the process or its disk may have cost a capture. */
  const losses: number[] = [];
  let injected = 0;
  let charged = 0;
  let keys: readonly Key[] = [];
  let running: ServiceProcess | null = null;
  /** Ends the requests of a process that is killed. */
  const cut: (() => void)[] = [];

  const start = async (): Promise<void> => {
    const ledger = plant ? PLANTED[plant] : undefined;
    const begun = await startProcess({ timeline, random, folder, platforms, ...(ledger && { ledger }) });
    if (!keys.length) {
      keys = await openBooks(begun, random);
      await openWatches(begun, keys, random);
    }
    running = begun;
  };
  /** Runs the timeline until the work has ended. */
  async function until(work: Promise<unknown>): Promise<void> {
    let ended = false;
    let error: unknown = null;
    work.then(
      () => {
        ended = true;
      },
      (reason) => {
        error = reason;
        ended = true;
      },
    );
    await timeline.run(() => ended);
    if (error) throw error;
  }

  async function client(n: number): Promise<void> {
    const clock = timeline.clockOf(outside);
    for (let asked = 0; charged < target; asked++) {
      await clock.sleep(random.wait(200));
      const process = running;
      if (!process) continue;
      const key = random.pick(keys);
      const lookup = random.pick(CASES)(random);
      const label = `c${n}-${asked}`;
      const headers = { 'x-api-key': key.key, 'x-request-id': label, 'accept-encoding': 'identity', ...freshness(random) };
      const from = timeline.now();
      const killed = new Promise<null>((resolve) => cut.push(() => resolve(null)));
      const answer = await Promise.race([process.request(lookup.url, headers), killed]);
      const one: Told = {
        ...{ label, from, until: timeline.now(), lookup, price: lookup.price, key },
        status: answer?.statusCode ?? null,
        charged: Number(answer?.headers['x-credits-charged'] ?? 0),
      };
      told.push(one);
      digest.update(`${label} ${one.from} ${one.until} ${one.status} ${one.charged}\n`);
      if (!answer) continue;
      if (one.charged > 0) charged++;
      violations.push(...checkAnswer(one, answer.body));
      if (one.charged > 0 && !process.owner.dead) {
        books.read(process.disk);
        const deal = books.deals.get(label);
        if (!deal || deal.amount < one.charged) violations.push(`${label}: ${one.status} sent before ${one.charged} credits were held`);
      }
    }
  }

  async function disturb(): Promise<void> {
    const clock = timeline.clockOf(outside);
    while (charged < target) {
      await clock.sleep(random.wait(4_000));
      const kind = random.pick(['kill', 'freeze', 'clock', 'bad-disk', 'slow-disk'] as const);
      const process = running;
      if (!process || !faults.includes(kind)) continue;
      injected++;
      losses.push(timeline.now());
      if (kind === 'freeze') process.owner.frozenUntil = timeline.now() + random.wait(5_000);
      if (kind === 'clock') process.owner.clockOffsetMs += (random.next() - 0.5) * 20_000;
      if (kind === 'bad-disk')
        Object.assign(process.disk.faults, { badUntil: timeline.now() + random.wait(2_000), badChance: random.next() });
      if (kind === 'slow-disk') process.disk.faults.slowUntil = timeline.now() + random.wait(3_000);
      if (kind !== 'kill') continue;
      running = null;
      process.kill();
      for (const end of cut.splice(0)) end();
      await clock.sleep(random.wait(500));
      await start();
    }
  }

  async function runSlotsTwice(): Promise<void> {
    const clock = timeline.clockOf(outside);
    const forgotten = new Set<string>();
    while (charged < target) {
      await clock.sleep(1_000);
      if (running) forgetOutcomes(running.disk, forgotten);
    }
  }

  try {
    await until(start());
    const work = [disturb(), ...(plant === 'slot-twice' ? [runSlotsTwice()] : []), ...Array.from({ length: CLIENTS }, (_, n) => client(n))];
    await until(Promise.all(work));
    // nothing disturbs the end: every hold is settled or expires
    const last = running as ServiceProcess | null;
    if (last) {
      Object.assign(last.disk.faults, { badUntil: 0, slowUntil: 0 });
      last.owner.frozenUntil = 0;
      await until(last.watches.close());
      await until(timeline.clockOf(outside).sleep(SETTLED_MS));
      books.read(last.disk);
      const verified: { faults: readonly unknown[] }[] = [];
      await until(last.accounts.admin.verifyLedger().then((report) => verified.push(report as never)));
      if (verified[0]?.faults.length) violations.push(`ledger verify: ${JSON.stringify(verified[0].faults).slice(0, 500)}`);
      const balances = last.disk.read('select account_id, balance, held from balances order by account_id', []);
      const checks = last.disk.read(
        'select w.id, sum(c.credits > 0) as paid from watches w left join watch_checks c on c.watch = w.n group by w.id',
        [],
      );
      violations.push(...books.violations, ...checkBooks({ books, told, losses, keys, balances, checks }));
      for (const { hash } of last.disk.read('select hash from journal order by rowid', [])) digest.update(String(hash));
      last.kill();
    }
    const failures = platforms.failures();
    return { requests: told.length, charged, faults: injected + failures, violations, digest: digest.digest('hex') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Accounts with credits, and their keys: every second one has a cap. */
async function openBooks({ accounts: { admin } }: ServiceProcess, random: Random): Promise<Key[]> {
  const keys: Key[] = [];
  for (let n = 0; n < ACCOUNTS; n++) {
    const { accountId } = await admin.createAccount({ name: `account ${n}`, credits: n === 0 ? 300 : 100_000_000 });
    for (const creditsPerDay of [null, 200 + random.below(2_000)]) {
      const { key, keyId } = await admin.createKey({ accountId, label: 'simulated', ...(creditsPerDay !== null && { creditsPerDay }) });
      keys.push({ accountId, keyId, key, creditsPerDay });
    }
  }
  return keys;
}

/** Watches whose first slots follow each other closely: a run is shorter than the shortest interval. */
async function openWatches({ watches, disk }: ServiceProcess, keys: readonly Key[], random: Random): Promise<void> {
  // the first account runs out of credits
  const able = keys.slice(2).filter(({ creditsPerDay }) => creditsPerDay === null);
  for (let n = 0; n < WATCHES; n++) {
    const { accountId, keyId } = able[n % able.length] as Key;
    const caller = { accountId, keyId, operations: null, ratePerSecond: null, rateBurst: null };
    const parameters = { domain: `${nameOf(random)}.com` };
    await watches.create(caller, { operation: n % 2 ? 'traffic' : 'registration', parameters, every: '1h', creditsPerMonth: 5_000 });
  }
  disk.read('update watches set next_at = created_at + n * ?', [SLOT_EVERY_MS]);
}

/** A request, and what a true answer to it says. */
export interface LookupCase {
  readonly operation: 'registration' | 'traffic' | 'serp';
  readonly name: string;
  readonly url: string;
  readonly price: number;
  readonly depth: number;
}
const nameOf = (random: Random): string => `${random.pick(['free', 'held', 'unknown', 'known'])}-${random.below(400)}`;
const CASES: readonly ((random: Random) => LookupCase)[] = [
  (random) => {
    const name = `${nameOf(random)}.com`;
    return { operation: 'registration', name, url: `/v1/website/whois/domains/${name}`, price: 1, depth: 0 };
  },
  (random) => {
    const name = `${nameOf(random)}.com`;
    return { operation: 'traffic', name, url: `/v1/traffic/domains/${name}`, price: 5, depth: 0 };
  },
  (random) => {
    const name = `word${'x'.repeat(random.below(30))}${random.below(20)}`;
    const depth = 10 * (1 + random.below(5));
    return { operation: 'serp', name, url: `/v1/searchengine/serp?keyword=${name}&depth=${depth}`, price: depth / 10, depth };
  },
];
function freshness(random: Random): Record<string, string> {
  const directives = random.pick([
    '',
    '',
    '',
    'no-cache',
    'no-cache',
    'no-store',
    'only-if-cached',
    'max-age=0',
    'no-cache, stale-if-error=600',
  ]);
  return { ...(directives && { 'cache-control': directives }), ...(random.chance(0.05) && { 'x-max-credits': String(random.below(5)) }) };
}
