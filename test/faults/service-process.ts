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
import { verifyAudit } from '../../src/accounts/admin/verify-audit.ts';
import { readLines } from '../../src/billing/rules.ts';
import { verifyLedger } from '../../src/billing/verify.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

/** Runs `serve` and `worker` with values that a test replaces. */
const SERVE_WITH = [process.execPath, fileURLToPath(new URL('../support/serve-with.ts', import.meta.url))];
/** The `sightline` command line, independent of the working directory. */
export const SIGHTLINE = [process.execPath, fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))];
/** A process that does not exit is killed after this. The limits here end a test that would never end: they judge no speed. */
const END_MS = 60_000;

export interface Reply {
  readonly id: string;
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of lookups and errors, asserted field by field
  readonly body: any;
  readonly ms: number;
}

/** One running `sightline serve` in its own process. */
export interface Served {
  readonly baseUrl: string;
  readonly adminUrl: string;
  /** API key of the first account; '' if the folder already had an account or the store is PostgreSQL. */
  readonly key: string;
  readonly pid: number;
  readonly log: () => string;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  signal(name: 'SIGTERM' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;
}

/** Owns the processes and folders that tests create, and removes them on every outcome of the test. */
export class ServiceProcesses {
  readonly #folders: string[] = [];
  readonly #children = new Set<ChildProcess>();
  #sandbox: Promise<Sandbox> | null = null;

  /** One shared sandbox, also for tests that request it concurrently. */
  sandbox(): Promise<Sandbox> {
    this.#sandbox ??= startSandbox({ hosts: HOSTS, whois: WHOIS });
    return this.#sandbox;
  }

  folder(): string {
    const made = mkdtempSync(join(tmpdir(), 'sightline-fault-'));
    this.#folders.push(made);
    return made;
  }

  /** A process that is ended together with this fixture. */
  child(command: readonly string[], environment: Record<string, string> = {}): ChildProcess {
    const [file = '', ...args] = command;
    const made = spawn(file, args, {
      env: { ...CHILD_ENVIRONMENT, HOME: process.env.HOME, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // a process that failed to start emits no exit event
    if (made.pid !== undefined) this.#children.add(made);
    made.once('exit', () => this.#children.delete(made));
    return made;
  }

  /** Starts `sightline serve` on the folder, against the simulated platforms; `under` is the prefix of the command line. */
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
        SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 10000, burst: 10000 } }),
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
    await until(`it serves: ${folder}`, () => gone || out.includes('\n'));
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

  /** Sends SIGTERM and returns the exit code or signal. */
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
/** Sends one request with a unique id and reads the whole answer. */
export async function ask(url: string, headers: Record<string, string>): Promise<Reply> {
  const id = `fault-${++count}`;
  const began = performance.now();
  const answer = await fetch(url, { headers: { 'x-request-id': id, ...headers }, signal: AbortSignal.timeout(120_000) });
  const text = await answer.text();
  return { id, status: answer.status, headers: answer.headers, body: text ? JSON.parse(text) : null, ms: performance.now() - began };
}

export async function until(what: string, good: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(10)) if (await good()) return;
  assert.fail(`not within ${withinMs} ms: ${what}`);
}

/** Path of a lookup that was never requested before. */
export const newLookupPath = (): string => `/v1/searchengine/serp?keyword=fault+number+${++count}`;

/** Asserts the 503 of an unavailable store: nothing charged, with Retry-After. */
export function assertUnavailable(reply: Reply): void {
  assert.equal(reply.status, 503, JSON.stringify(reply.body).slice(0, 200));
  assert.deepEqual([reply.body.error.code, reply.headers.get('x-credits-charged') ?? '0'], ['UNAVAILABLE', '0']);
  assert.ok(Number(reply.headers.get('retry-after')) >= 1, 'Retry-After');
}

/** Sum of all samples of a metric whose line begins with this text. */
export async function metric(served: Served, begins: string): Promise<number> {
  const text = await (await fetch(`${served.adminUrl}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(begins));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

export interface LedgerRows {
  /** Credits captured, by the label of the request. */
  readonly captured: ReadonlyMap<string, number>;
  readonly twice: readonly string[];
  readonly holds: number;
  readonly balance: number;
  readonly held: number;
  /** Sum of the credits of all entries. */
  readonly credits: number;
  /** Problems found by the verification of ledger and audit log. */
  readonly faults: readonly string[];
}

/** Entries and balances of all accounts, and the result of their verification. */
export async function ledgerRowsOf(store: Store): Promise<LedgerRows> {
  const { db } = store;
  const rows = await db.selectFrom('journal').selectAll().orderBy('account_id').orderBy('seq').execute();
  const entries = rows.flatMap(({ seq, lines }) =>
    readLines(lines).map((entry) => (entry.kind === 'hold' ? { ...entry, id: `${seq}.${entry.id}` } : entry)),
  );
  const balances = await db.selectFrom('balances').selectAll().execute();
  // the service's own id of the request stands before the label of the caller
  const labels = new Map(entries.filter((e) => e.kind === 'hold').map((e) => [e.id, e.label.split(' ').at(-1) ?? '']));
  const captured = new Map<string, number>();
  const twice: string[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'capture') continue;
    const label = labels.get(entry.id) ?? entry.id;
    if (captured.has(label)) twice.push(label);
    captured.set(label, -entry.credits);
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return {
    captured,
    twice,
    holds: entries.filter(({ held }) => held > 0).length - entries.filter(({ held }) => held < 0).length,
    balance: sum(balances.map((b) => b.balance)),
    held: sum(balances.map((b) => b.held)),
    credits: sum(entries.map((e) => e.credits)),
    faults: [...(await verifyLedger(store)).faults, ...(await verifyAudit(db)).faults],
  };
}

/** The ledger of a data folder after its service has stopped. */
export async function ledgerRowsIn(folder: string): Promise<LedgerRows> {
  const store = await openEmbedded({ folder, now: Date.now, log: () => {} });
  try {
    return await ledgerRowsOf(store);
  } finally {
    await store.close();
  }
}

/**
 * The ledger matches the answers: every charged 200 is captured once with the stated amount, nothing else is captured, and the sums are
 * right.
 */
export function assertLedger(ledgerRows: LedgerRows, replies: readonly Reply[]): void {
  const said = replies
    .filter((r) => r.status === 200 && r.headers.get('x-credits-charged') !== '0')
    .map((r) => [r.id, Number(r.headers.get('x-credits-charged'))] as const);
  assert.deepEqual([...ledgerRows.captured].sort(), [...said].sort());
  assert.deepEqual([ledgerRows.twice, ledgerRows.faults, ledgerRows.holds, ledgerRows.held], [[], [], 0, 0]);
  assert.equal(ledgerRows.balance, ledgerRows.credits);
}
