/** A service with simulated platforms whose credentials are entered over HTTP, and a search for secrets in what it wrote. */
import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import type { SandboxHost } from '../../sandbox/host.ts';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { createConsoleLinks } from '../../src/cli/console.ts';
import { startService } from '../../src/cli/serve.ts';
import { startWorker } from '../../src/cli/worker.ts';
import type { FleetState } from '../../src/contract/admin/fleet-schema.ts';
import type { SourceState } from '../../src/contract/admin/schemas.ts';
import type { CredentialTrial, SourceCredential } from '../../src/contract/admin/source-credential-schemas.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { openStore } from '../../src/store/open.ts';
import { parseCanaries } from '../../src/watches/canary-file.ts';

/** The one that the simulated provider accepts. */
export const KEY = 'demo-serpapi';
export const WRONG = 'a-wrong-key-of-the-provider-9876';
const facts = parseCanaries(
  JSON.stringify({
    canaries: [
      {
        name: 'results',
        operation: 'serp',
        parameters: { keyword: 'linen sheets', depth: '10' },
        facts: { 'organic.0.title': { exists: true } },
      },
      {
        name: 'community',
        operation: 'forum-community',
        parameters: { community: 'acmewidgets', sort: 'hot' },
        facts: { posts: { exists: true } },
      },
    ],
  }),
  'facts',
);

export async function scene(t: TestContext, more: readonly SandboxHost[] = []) {
  const sandbox = await startSandbox({ hosts: [...HOSTS, ...more], whois: WHOIS });
  const folder = mkdtempSync(join(tmpdir(), 'sightline-credentials-'));
  const stops: (() => Promise<void>)[] = [];
  // what runs writes into the folder until it is stopped
  t.after(async () => {
    for (const stop of stops) await stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const lines: string[] = [];
  const inWords = (_: string, value: unknown): unknown =>
    value instanceof Error ? { ...value, message: value.message, stack: value.stack, cause: value.cause } : value;
  const write = (of: object, message: string): void => void lines.push(`${message} ${JSON.stringify(of, inWords)}`);
  const log = { debug: write, info: write, warn: write, error: write, isLevelEnabled: () => true };
  const settingsOf = (environment: Readonly<Record<string, string>>, dataDir: string) =>
    readSettings({
      ...{ PORT: '0', SIGHTLINE_DATA_DIR: dataDir, SIGHTLINE_HOSTS: sandbox.mapFile, SIGHTLINE_PACE_PER_SECOND: '1000' },
      ...{ SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000', SIGHTLINE_CAPTURE: 'all' },
      ...environment,
    });
  async function start(environment: Readonly<Record<string, string>> = {}, dataDir = folder, gatewayOnly = false) {
    const settings = settingsOf(environment, dataDir);
    const links: string[] = [];
    const service = await startService(settings, { log, facts, gatewayOnly, announce: (link) => void links.push(link) });
    let stopping: Promise<void> | null = null;
    const stop = (): Promise<void> => (stopping ??= service.stop());
    stops.push(stop);
    const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
    async function admin<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<{ status: number; body: T }> {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(`${service.adminUrl}${path}`, {
        ...{ method, headers },
        ...(body && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      return { status: answer.status, body: (await answer.json()) as T };
    }
    const setupCode = (await service.announceSetup()) ? new URL(String(links[0])).hash.slice(1) : null;
    const claimed = setupCode === null ? null : await claim(service.baseUrl, setupCode);
    const key = claimed?.apiKey ?? (await service.accounts.admin.createKey()).key;
    return {
      settings,
      baseUrl: service.baseUrl,
      adminUrl: service.adminUrl,
      /** Of the claim, by the start that found an empty store. */
      setupCode,
      operatorKey: claimed?.operatorKey ?? null,
      stop,
      enter: (source: string, values: Readonly<Record<string, string>>, signal?: AbortSignal) =>
        admin<CredentialTrial & { error: { message: string } }>('POST', '/credentials', { source, values }, signal),
      remove: (source: string) => admin<{ removed: boolean; lacking: readonly string[] }>('POST', '/credentials/remove', { source }),
      /** Members of the fleet, and how many have loaded the same credentials. */
      fleet: async () => (await admin<FleetState>('GET', '/fleet')).body,
      stateOf: async (name: string) =>
        (await admin<readonly SourceCredential[]>('GET', '/credentials')).body.find((one) => one.name === name),
      serp: async (keyword = 'linen sheets') =>
        (await fetch(`${service.baseUrl}/v1/searchengine/serp?keyword=${encodeURIComponent(keyword)}`, { headers: { 'x-api-key': key } }))
          .status,
      spendingOf: async (name: string) =>
        (await admin<{ sources: readonly SourceState[] }>('GET', '/sources')).body.sources.find((one) => one.name === name)?.spending ??
        null,
      posts: async () => (await fetch(`${service.baseUrl}/v1/forum/communities/acmewidgets`, { headers: { 'x-api-key': key } })).status,
      audit: (subject = 'SerpApi') => service.accounts.admin.auditLog({ subject }),
      accounts: service.accounts,
      /** A link that signs the operator in once. */
      links: createConsoleLinks(service.accounts, () => service),
      own: async <T>(method: string, path: string, body?: object): Promise<T> => {
        const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
        const answer = await fetch(`${service.baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.clone().text()}`);
        return (await answer.json()) as T;
      },
      key,
    };
  }
  async function workerOf(environment: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
    const worker = await startWorker(settingsOf({ ...environment, SIGHTLINE_ADMIN_PORT: '0' }, join(folder, 'worker')), { log });
    return worker.stop;
  }
  return { start, folder, lines, workerOf };
}
async function claim(baseUrl: string, code: string): Promise<{ readonly apiKey: string; readonly operatorKey: string }> {
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const answer = await fetch(`${baseUrl}/setup`, { method: 'POST', headers, body: JSON.stringify({ code, name: 'Northlight' }) });
  assert.ok(answer.ok, `${answer.status} ${await answer.clone().text()}`);
  return (await answer.json()) as { apiKey: string; operatorKey: string };
}

/** Every row of every table of a store, as `table: row`; what is compressed is unpacked. */
export async function rowsOf(settings: Settings): Promise<readonly string[]> {
  const store = await openStore({ settings, clock: realClock, log: () => {} });
  try {
    const tables =
      store.kind === 'embedded'
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = current_schema()`;
    const rows: string[] = [];
    for (const { name } of (await tables.execute(store.db)).rows)
      for (const row of (await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(store.db)).rows) {
        const columns = Object.entries(row).map(([column, value]) => [
          column,
          value instanceof Uint8Array ? zstdDecompressSync(value).toString() : value,
        ]);
        rows.push(`${name}: ${JSON.stringify(Object.fromEntries(columns))}`);
      }
    return rows;
  } finally {
    await store.close();
  }
}

/** Whether a secret stands in a file of the folder or in the log. */
export const found = (secret: string, folder: string, lines: readonly string[]): readonly string[] => [
  ...globSync(join(folder, '**/*'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'secret')
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)).includes(secret)),
  ...lines.filter((line) => line.includes(secret)),
];
