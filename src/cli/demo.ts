import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPETITORS } from '../../sandbox/competitors.ts';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { OpenAccounts } from '../accounts/accounts.ts';
import type { NewKey } from '../accounts/admin/types.ts';
import { operationList } from '../contract/operations/index.ts';
import { readSettings, SETTINGS, type Settings } from '../settings.ts';
import { createLog } from '../telemetry/log.ts';
import { type Service, startService, stopOnSignals } from './serve.ts';
import { table } from './terminal.ts';

/** The credentials that the simulated platforms accept, and paces for a world that nobody else uses. */
const SANDBOX_SETTINGS: Readonly<Record<string, string>> = {
  REDDIT_CLIENT_ID: 'demo',
  REDDIT_CLIENT_SECRET: 'demo-secret',
  REDDIT_USER_AGENT: 'sightline-demo/1.0 (by /u/acmewidgets)',
  X_BEARER_TOKEN: 'demo-x-token',
  DATAFORSEO_LOGIN: 'demo',
  DATAFORSEO_PASSWORD: 'demo-secret',
  SIGHTLINE_APPMARKET_SEARCH: '1',
  SIGHTLINE_APPMARKET_PACE_MS: '100',
  SIGHTLINE_PACE_PER_SECOND: '200',
  SIGHTLINE_FREE_CREDITS: '10000',
  // a demo is looked at, not loaded: a busy machine must not shed it
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  SIGHTLINE_LOG_LEVEL: 'warn',
};

/** The environment of a demo: nothing of the operator's own sources or stores, unless `fleet` says so. */
function demoSettings(sandbox: Sandbox, dataDir: string, options: DemoOptions): Settings {
  const environment: Record<string, string | undefined> = {};
  const keep = [
    'SIGHTLINE_LOG_LEVEL',
    'SIGHTLINE_RATE_PER_SECOND',
    'SIGHTLINE_RATE_BURST',
    'SIGHTLINE_SECRET',
    'SIGHTLINE_OAUTH_ALG',
    'SIGHTLINE_OAUTH_ISSUERS',
    'SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS',
    ...(options.fleet ? ['DATABASE_URL', 'REDIS_URL'] : []),
  ];
  for (const name of keep) if (process.env[name] && name in SETTINGS) environment[name] = process.env[name];
  const ports = Object.fromEntries(Object.entries(SANDBOX_SETTINGS).filter(([name]) => name in SETTINGS));
  return readSettings({
    ...ports,
    ...environment,
    PORT: String(options.port),
    HOST: '127.0.0.1',
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_SECRET: environment.SIGHTLINE_SECRET ?? randomBytes(24).toString('base64url'),
    SIGHTLINE_HOSTS: sandbox.mapFile,
  });
}

export interface DemoOptions {
  readonly port: number;
  readonly once: boolean;
  readonly json: boolean;
  readonly fleet: boolean;
}

/** `sightline demo`: the whole service against the simulated world; every operation is asked once and the answers are shown. */
export async function demo(options: DemoOptions): Promise<void> {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const dataDir = mkdtempSync(join(tmpdir(), 'sightline-demo-'));
  const clean = async () => {
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  let service: Service;
  try {
    const settings = demoSettings(sandbox, dataDir, options);
    const log = createLog({ level: settings.SIGHTLINE_LOG_LEVEL, pretty: process.stderr.isTTY ?? false });
    service = await startService(settings, { log });
  } catch (error) {
    await clean();
    throw error;
  }
  const stop = async () => {
    await service.stop();
    await clean();
  };
  stopOnSignals(stop);
  const { baseUrl, adminUrl, accounts } = service;
  const { key: apiKey, accountId } = await demoKey(accounts);
  const { clientId, clientSecret } = await accounts.admin.createClient({ accountId, label: 'demo' });
  if (options.json)
    process.stdout.write(`${JSON.stringify({ baseUrl, apiKey, clientId, clientSecret, docs: `${baseUrl}/docs`, admin: adminUrl })}\n`);
  else
    process.stdout.write(
      `Sightline against its simulated world: ${baseUrl}\nAPI key: ${apiKey}\nOAuth client: ${clientId}, secret ${clientSecret}\n\n`,
    );
  if (!options.json || options.once) {
    const good = await show(baseUrl, apiKey);
    if (!good) process.exitCode = 1;
  }
  if (options.once) await stop();
  else if (!options.json)
    process.stdout.write(
      `\nIt keeps serving. The description: ${baseUrl}/docs\nFor example: curl -H 'X-API-Key: ${apiKey}' '${baseUrl}/v1/website/whois/domains/acme-widgets.com'\nCtrl-C ends it.\n`,
    );
}

/** A key that is shown: the first account's, or a new account's where the store is not fresh (--fleet). */
async function demoKey({ admin }: OpenAccounts): Promise<NewKey> {
  const first = await admin.ensureFirstAccount();
  if (first) return first;
  const { accountId } = await admin.createAccount({ name: 'Demo', credits: 10_000 });
  return admin.createKey({ accountId, label: 'demo' });
}

/** Asks every operation with the examples of the contract, then a dozen domains; prints what came. */
async function show(baseUrl: string, apiKey: string): Promise<boolean> {
  const asked = operationList.map((o) => {
    const query = new URLSearchParams(
      o.parameters.filter((p) => p.in === 'query' && p.required).map((p): [string, string] => [p.name, String(p.example)]),
    );
    const path = o.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(o.parameters.find((p) => p.name === name)?.example)),
    );
    return { operation: o.id as string, path: query.size ? `${path}?${query}` : path };
  });
  const domains = COMPETITORS.slice(1, 13).map((c) => ({ operation: 'registration', path: `/v1/website/whois/domains/${c.domain}` }));
  const rows: string[][] = [];
  let good = true;
  for (const { operation, path } of [...asked, ...domains]) {
    const began = performance.now();
    const answer = await fetch(`${baseUrl}${path}`, { headers: { 'x-api-key': apiKey } });
    const body = (await answer.json()) as Record<string, unknown>;
    if (answer.status !== 200) good = false;
    rows.push([
      operation,
      String(answer.status),
      answer.headers.get('x-credits-charged') ?? '',
      answer.headers.get('x-data-source') ?? '',
      `${Math.round(performance.now() - began)} ms`,
      gist(body),
    ]);
  }
  process.stdout.write(`${table(['OPERATION', 'STATUS', 'CREDITS', 'SOURCE', 'TIME', 'ANSWER'], rows)}\n`);
  return good;
}

/** The first facts of an answer, on one line. */
function gist(body: Record<string, unknown>): string {
  const facts = Object.entries(body).flatMap(([name, value]): string[] => {
    if (Array.isArray(value)) return value.length ? [`${name}: ${value.length}`] : [];
    if (value && typeof value === 'object') return name === 'error' ? Object.values(value).map(String) : [];
    return value === null || typeof value === 'boolean' ? [] : [String(value)];
  });
  const line = facts.join(' · ').replace(/\s+/g, ' ');
  return line.length > 90 ? `${line.slice(0, 89)}…` : line;
}
