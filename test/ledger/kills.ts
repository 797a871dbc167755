import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createJournal } from '../../src/billing/journal.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { openPostgres } from '../../src/store/postgres/postgres.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { type Backend, grant, makeAccount, makeSchema, silent } from './backends.ts';

const CHILD = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const KILLS = Number(process.env.SIGHTLINE_TEST_KILLS ?? 24);
const HOLD_MS = 800;
/** Maximum time between an uncaptured 200 and the kill. */
const WINDOW_MS = 50;
/** After a stall (no output, or a commit in progress) longer than this, only the number of flushes is checked, not WINDOW_MS. */
const STALL_MS = 20;
/** Maximum delay of the reaper, beside the stall of its process. */
const LATE_MS = 250;
const CREDITS = 1_000_000;

/** Reads the store with plain SQL. */
interface Outside {
  rows(sql: string): Promise<Record<string, string | number>[]>;
  close(): Promise<void>;
}
interface Ground {
  readonly place: string;
  open(now: () => number): Promise<Store>;
  outside(): Promise<Outside>;
  drop(): Promise<void>;
}

async function embedded(): Promise<Ground> {
  const place = mkdtempSync(join(tmpdir(), 'sightline-crash-'));
  return {
    place,
    open: (now) => openEmbedded({ folder: place, now, log: silent }),
    async outside() {
      const db = new DatabaseSync(join(place, 'sightline.db'));
      return { rows: async (sql) => db.prepare(sql).all() as Record<string, string | number>[], close: async () => db.close() };
    },
    drop: async () => rmSync(place, { recursive: true }),
  };
}
async function postgres(): Promise<Ground> {
  const { url, drop } = await makeSchema();
  const place = `${url}&application_name=sightline-crash`;
  return {
    place,
    open: () => openPostgres({ url, clock: realClock, log: silent, connections: 2 }),
    async outside() {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      // statements of the killed process may still be running
      const busy = "select 1 from pg_stat_activity where application_name = 'sightline-crash'";
      while ((await client.query(busy)).rowCount) await realClock.sleep(5);
      return { rows: async (sql) => (await client.query(sql)).rows, close: () => client.end() };
    },
    drop,
  };
}

interface Life {
  /** By hold: credits and time of every complete answer. */
  readonly answered: ReadonlyMap<string, { credits: number; at: number }>;
  readonly killedAt: number;
  /** End times of flushes. */
  readonly flushed: readonly number[];
  /** The longest time before the kill without output, or with a flush in progress. */
  readonly stalledMs: number;
  readonly complaints: readonly string[];
  readonly twice: readonly string[];
}

/** Starts the gateway and kills it `afterMs` after its first request, or lets it kill itself at a step. */
async function live(kind: string, place: string, afterMs: number, atStep: number): Promise<Life> {
  const child = spawn(process.execPath, [CHILD, kind, place, String(HOLD_MS), String(atStep)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let killedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (timer === undefined && text.startsWith('R\n'))
      timer = setTimeout(() => {
        killedAt = Date.now();
        child.kill('SIGKILL');
      }, afterMs);
  });
  const signal = await new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
  clearTimeout(timer);
  assert.equal(signal, 'SIGKILL', `the gateway ended by itself: ${text.slice(-300)}`);
  const answered = new Map<string, { credits: number; at: number }>();
  const twice: string[] = [];
  const lines = text.split('\n');
  lines.pop(); // incomplete: no line feed
  // the kill can interleave the answers of several requests: malformed lines are ignored
  for (const line of lines)
    for (const [, hold = '', credits, at] of line.matchAll(/A (\S+) (\d+) (\d+)$/g)) {
      if (answered.has(hold)) twice.push(hold);
      answered.set(hold, { credits: Number(credits), at: Number(at) });
    }
  const said = lines.flatMap((line) => {
    const at = /^(?:A \S+ \d+|[SF]) (\d+)$/.exec(line)?.[1];
    return at ? [{ what: line[0] ?? '', at: Number(at) }] : [];
  });
  const own = /^K (\d+)$/m.exec(text)?.[1];
  const end = own ? Number(own) : killedAt;
  return {
    answered,
    killedAt: end,
    flushed: said.filter((s) => s.what === 'F').map((s) => s.at),
    stalledMs: Math.max(longest([...said.map((s) => s.at), end]), longest([...said.filter((s) => s.what !== 'A').map((s) => s.at), end])),
    complaints: lines.filter((l) => l.startsWith('E ')),
    twice,
  };
}

/** The longest gap between two consecutive times. */
const longest = (moments: readonly number[]): number => moments.reduce((most, at, i) => Math.max(most, at - (moments[i - 1] ?? at)), 0);

export const testKills = (backend: Backend): unknown =>
  describe(`killed at any moment: ${backend.name}`, { skip: backend.skip }, () => {
    test('the ledger adds up, incomplete answers are never charged, and only the last answers before the kill are free', async (t) => {
      const ground = await (backend.name === 'embedded' ? embedded() : postgres());
      const start = await ground.open(Date.now);
      await start.migrate();
      for (const id of ['acc_hot', 'acc_warm', 'acc_poor']) await makeAccount(start, id);
      for (const [id, credits] of [
        ['acc_hot', CREDITS],
        ['acc_warm', CREDITS],
        ['acc_poor', 40],
      ] as const)
        await grant(start, id, credits);
      await start.close();

      const captured = new Set<string>();
      let answers = 0;
      let free = 0;
      let widest = 0;
      for (let kill = 0; kill < KILLS / 2; kill++) {
        // some processes live long enough for the reaper to run
        const long = kill % 9 === 8;
        const itself = !long && kill % 2 === 1;
        const life = await live(
          backend.name,
          ground.place,
          itself ? 10_000 : Math.random() * 120 + (long ? 1.5 * HOLD_MS : 0),
          itself ? 1 + Math.floor(Math.random() ** 2 * 3000) : 0,
        );
        const outside = await ground.outside();
        const faults = [...life.complaints, ...life.twice.map((hold) => `answered twice: ${hold}`), ...(await sums(outside))];
        if (long)
          for (const { id, expiresAt } of await openHolds(outside))
            if (expiresAt < life.killedAt - LATE_MS - life.stalledMs)
              faults.push(`hold ${id} was over ${life.killedAt - expiresAt} ms before the kill`);
        const now = new Map<string, number>();
        for (const { kind, accountId, hold: id, credits } of await entries(outside)) {
          if (kind !== 'capture') continue;
          const hold = `${accountId}.${id}`;
          if (now.has(hold)) faults.push(`captured twice: ${hold}`);
          now.set(hold, -credits);
          if (captured.has(hold)) continue;
          captured.add(hold);
          const answer = life.answered.get(hold);
          if (!answer) faults.push(`captured without a whole answer: ${hold}`);
          else if (answer.credits !== -credits) faults.push(`captured ${-credits} instead of ${answer.credits}: ${hold}`);
        }
        for (const [hold, { at }] of life.answered) {
          answers++;
          if (now.has(hold)) continue;
          free++;
          widest = Math.max(widest, life.killedAt - at);
          // a flush in progress may miss the capture; the next one must contain it
          const missed = life.flushed.filter((end) => end > at).length > 2;
          if (missed || (life.killedAt - at > WINDOW_MS && life.stalledMs <= STALL_MS))
            faults.push(`answered ${life.killedAt - at} ms before the kill, not captured: ${hold}`);
        }
        await outside.close();
        assert.deepEqual(faults, [], `kill ${kill + 1}`);
      }

      // after the life of a hold, all holds of the killed processes have expired
      const store = await ground.open(() => Date.now() + HOLD_MS);
      await realClock.sleep(backend.name === 'postgres' ? HOLD_MS : 0);
      const journal = createJournal(store, { now: () => Date.now() + (backend.name === 'postgres' ? 0 : HOLD_MS) });
      for (let ops = await journal.expired(500); ops.length; ops = await journal.expired(500)) await journal.settle(ops);
      assert.deepEqual((await verifyLedger(store)).faults, []);
      const outside = await ground.outside();
      assert.deepEqual(await openHolds(outside), []);
      assert.deepEqual(await sums(outside), []);
      await outside.close();
      await store.close();
      await ground.drop();
      t.diagnostic(
        `${Math.ceil(KILLS / 2)} kills, ${answers} answers, ${captured.size} captured, ${free} free, the oldest ${widest} ms before its kill`,
      );
      assert.ok(captured.size > KILLS, 'there was load');
    });
  });

interface OutsideEntry {
  readonly accountId: string;
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly credits: number;
  readonly held: number;
  readonly hold: string;
  readonly lifeMs: number;
}
/** The entries of the journal, read without the code that wrote them. */
async function entries(outside: Outside): Promise<OutsideEntry[]> {
  const rows = await outside.rows('select account_id, seq, at, lines from journal order by account_id, seq');
  return rows.flatMap((row) =>
    String(row.lines)
      .split('\n')
      .map((line) => {
        const [kind = '', credits, held, hold = '', lifeMs = 0] = line.split('\t');
        const numbers = { credits: Number(credits), held: Number(held), lifeMs: Number(lifeMs) };
        return { accountId: String(row.account_id), seq: Number(row.seq), at: Number(row.at), kind, hold, ...numbers };
      }),
  );
}
async function openHolds(outside: Outside): Promise<{ id: string; amount: number; expiresAt: number }[]> {
  const open = new Map<string, { id: string; amount: number; expiresAt: number }>();
  for (const { kind, accountId, seq, at, hold, held, lifeMs } of await entries(outside)) {
    const id = `${accountId}.${kind === 'hold' ? `${seq}.` : ''}${hold}`;
    if (kind === 'hold') open.set(id, { id, amount: held, expiresAt: at + lifeMs });
    else if (kind !== 'grant') open.delete(id);
  }
  return [...open.values()];
}

/** Invariants of the store at any time. */
async function sums(outside: Outside): Promise<string[]> {
  const faults: string[] = [];
  const all = Map.groupBy(await entries(outside), (entry) => entry.accountId);
  const holds = await openHolds(outside);
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  for (const row of await outside.rows('select account_id, balance, held from balances')) {
    const [balance, held] = [Number(row.balance), Number(row.held)];
    const own = all.get(String(row.account_id)) ?? [];
    const credits = sum(own.map((entry) => entry.credits));
    const open = sum(holds.filter(({ id }) => id.startsWith(`${row.account_id}.`)).map(({ amount }) => amount));
    if (credits !== balance + held) faults.push(`${row.account_id}: entries ${credits}, balance ${balance}, held ${held}`);
    if (open !== held) faults.push(`${row.account_id}: ${open} credits are in open holds, the balance row says ${held}`);
    if (balance < 0 || held < 0) faults.push(`${row.account_id}: negative`);
    for (const { kind, lifeMs } of own) if (kind === 'hold' && lifeMs > HOLD_MS) faults.push(`${row.account_id}: a hold of ${lifeMs} ms`);
  }
  return faults;
}
