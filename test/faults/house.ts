import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { verifyAudit } from '../../src/accounts/admin/audit.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';

/** `serve` and `worker` with values that a test replaces. */
const SERVE_WITH = [process.execPath, fileURLToPath(new URL('../support/serve-with.ts', import.meta.url))];
/** The command line, whatever the working directory. */
export const SIGHTLINE = [process.execPath, fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))];
const START_MS = 15_000;
/** A process that a test forgot, or that does not end, is ended by force after this. */
const END_MS = 15_000;

export interface Reply {
  readonly id: string;
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of lookups and errors, asserted field by field
  readonly body: any;
  readonly ms: number;
}

/** One running `sightline serve`, a process of its own. */
export interface Served {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** Of the first account; '' where the folder had one already, or the store is PostgreSQL. */
  readonly key: string;
  readonly pid: number;
  readonly log: () => string;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  signal(name: 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** What the tests start, and end whatever comes of them. */
export class House {
  readonly #folders: string[] = [];
  readonly #children = new Set<ChildProcess>();
  #sandbox: Promise<Sandbox> | null = null;

  /** One for all, also for tests that ask for it at the same time. */
  sandbox(): Promise<Sandbox> {
    this.#sandbox ??= startSandbox({ hosts: HOSTS, whois: WHOIS });
    return this.#sandbox;
  }

  folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'sightline-fault-'));
    this.#folders.push(made);
    return made;
  }

  /** A process that ends with the house. */
  child(command: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    const [file = '', ...args] = command;
    const made = spawn(file, args, {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // one that never began never exits
    if (made.pid !== undefined) this.#children.add(made);
    made.once('exit', () => this.#children.delete(made));
    return made;
  }

  /** Starts `sightline serve` on the folder, against the simulated world; `under` is what the command line begins with. */
  async serve(folder: string, environment: Record<string, string> = {}, under: readonly string[] = []): Promise<Served> {
    const sandbox = await this.sandbox();
    const child = this.child(
      [...under, ...(Object.keys(environment).some((name) => name.startsWith('SERVE_WITH_')) ? SERVE_WITH : SIGHTLINE), 'serve', '--json'],
      {
        PORT: '0',
        SIGHTLINE_DATA_DIR: folder,
        SIGHTLINE_HOSTS: sandbox.mapFile,
        DATAFORSEO_LOGIN: 'demo',
        DATAFORSEO_PASSWORD: 'demo-secret',
        SIGHTLINE_SERP_SOURCES: 'dataforseo',
        SIGHTLINE_RATE_PER_SECOND: '10000',
        SIGHTLINE_RATE_BURST: '10000',
        SIGHTLINE_ADDRESS_RATE_PER_SECOND: '10000',
        SIGHTLINE_ADDRESS_BURST: '10000',
        SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
        ...environment,
      },
    );
    let out = '';
    let log = '';
    child.stdout?.on('data', (data: Buffer) => {
      out += data;
    });
    child.stderr?.on('data', (data: Buffer) => {
      log += data;
    });
    const ended = once(child, 'exit').then(([code, signal]) => (code as number | null) ?? (signal as string));
    let gone = false;
    void ended.then(() => {
      gone = true;
    });
    await until(`it serves: ${folder}`, () => gone || out.includes('\n'), START_MS);
    assert.ok(!gone, `sightline serve did not start: ${out}${log}`);
    const { baseUrl, admin, apiKey = '' } = JSON.parse(out) as { baseUrl: string; admin: string; apiKey?: string };
    return {
      baseUrl,
      adminUrl: admin,
      key: apiKey,
      pid: child.pid ?? 0,
      log: () => log,
      get: (path, headers = { 'x-api-key': apiKey }) => ask(`${baseUrl}${path}`, headers),
      signal: (name) => child.kill(name),
      ended,
    };
  }

  /** Asks it to end, and gives how it did. */
  async end(served: Served): Promise<number | string> {
    served.signal('SIGCONT');
    served.signal('SIGTERM');
    const late = setTimeout(() => process.kill(served.pid, 'SIGKILL'), END_MS);
    const code = await served.ended;
    clearTimeout(late);
    return code;
  }

  async close(): Promise<void> {
    for (const child of [...this.#children]) {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    }
    await (await this.#sandbox)?.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

let count = 0;
/** One request, under an id of its own; the whole answer is read. */
export async function ask(url: string, headers: Record<string, string>): Promise<Reply> {
  const id = `fault-${++count}`;
  const began = performance.now();
  const answer = await fetch(url, { headers: { 'x-request-id': id, ...headers }, signal: AbortSignal.timeout(60_000) });
  const text = await answer.text();
  return { id, status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null, ms: performance.now() - began };
}

export async function until(what: string, good: () => Promise<boolean> | boolean, withinMs = 10_000): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(10)) if (await good()) return;
  assert.fail(`not within ${withinMs} ms: ${what}`);
}

/** A question that was never asked before. */
export const question = (): string => `/v1/searchengine/serp?keyword=fault+number+${++count}`;

/** The refusal of a store that is away: nothing charged, and it says when to ask again. */
export function assertUnavailable(reply: Reply): void {
  assert.equal(reply.status, 503, JSON.stringify(reply.body).slice(0, 200));
  assert.deepEqual([reply.body.error.code, reply.headers.get('x-credits-charged') ?? '0'], ['UNAVAILABLE', '0']);
  assert.ok(Number(reply.headers.get('retry-after')) >= 1, 'Retry-After');
}

/** A sum of all samples of a metric whose line begins so. */
export async function metric(served: Served, begins: string): Promise<number> {
  const text = await (await fetch(`${served.adminUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(begins));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

export interface Books {
  /** Credits captured, by the id of the request. */
  readonly captured: ReadonlyMap<string, number>;
  readonly twice: readonly string[];
  readonly holds: number;
  readonly balance: number;
  readonly held: number;
  /** Sum of what all entries changed. */
  readonly credits: number;
  /** What the proofs of ledger and audit log found wrong. */
  readonly faults: readonly string[];
}

/** Everything that the store says of all its accounts, proven. */
export async function booksOf(store: Store): Promise<Books> {
  const { db } = store;
  const entries = await db.selectFrom('entries').selectAll().execute();
  const balances = await db.selectFrom('balances').selectAll().execute();
  const labels = new Map(entries.filter((e) => e.kind === 'hold').map((e) => [e.hold, e.label]));
  const captured = new Map<string, number>();
  const twice: string[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'capture') continue;
    const label = labels.get(entry.hold) ?? entry.hold;
    if (captured.has(label)) twice.push(label);
    captured.set(label, -entry.credits);
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    captured,
    twice,
    holds: (await db.selectFrom('holds').select('id').execute()).length,
    balance: sum(balances.map((b) => b.balance)),
    held: sum(balances.map((b) => b.held)),
    credits: sum(entries.map((e) => e.credits)),
    faults: [...(await verifyLedger(store)).faults, ...(await verifyAudit(db)).faults],
  };
}

/** The books of a folder that nobody serves. */
export async function booksIn(folder: string): Promise<Books> {
  const store = await openEmbedded({ folder, now: Date.now, log: () => {} });
  try {
    return await booksOf(store);
  } finally {
    await store.close();
  }
}

/** The books fit the answers: every 200 that said it was charged is captured once, for as much, and nothing else is; sums hold. */
export function assertBooks(books: Books, replies: readonly Reply[]): void {
  const said = replies
    .filter((r) => r.status === 200 && r.headers.get('x-credits-charged') !== '0')
    .map((r) => [r.id, Number(r.headers.get('x-credits-charged'))] as const);
  assert.deepEqual([...books.captured].sort(), [...said].sort());
  assert.deepEqual([books.twice, books.faults, books.holds, books.held], [[], [], 0, 0]);
  assert.equal(books.balance, books.credits);
}
