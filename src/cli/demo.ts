import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_RELAYS } from '../../sandbox/forum/provider.ts';
import { HOSTS, SANDBOX_SETTINGS, WHOIS } from '../../sandbox/hosts.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { OpenAccounts } from '../accounts/accounts.ts';
import { type LookupInput, Sightline, SightlineError } from '../client/index.ts';
import type { NewKey } from '../contract/admin/schemas.ts';
import { type OperationId, operationList, type Resource } from '../contract/operations/index.ts';
import type { Presentation } from '../contract/operations/presentation.ts';
import { PRESENTATIONS } from '../contract/operations/presentations.ts';
import { readSettings, type SettingName, type Settings } from '../settings.ts';
import { createConsoleLinks, DEMO_FOLDER } from './console.ts';
import { openLog, type Service, startService } from './serve.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import { cut, table } from './terminal.ts';

/** Settings besides the credentials of the simulated platforms: high request rates, because the platforms are local. */
const DEMO_SETTINGS: Readonly<Record<string, string>> = {
  SIGHTLINE_PACE_PER_SECOND: '200',
  SIGHTLINE_FREE_CREDITS: '10000',
  // a demo on a busy machine must not answer 503 for load
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  SIGHTLINE_LOG_LEVEL: 'warn',
};
const PASSED_SETTINGS: readonly SettingName[] = [
  'SIGHTLINE_LOG_LEVEL',
  'SIGHTLINE_RATE_PER_SECOND',
  'SIGHTLINE_RATE_BURST',
  'SIGHTLINE_SECRET',
  'SIGHTLINE_OAUTH_ALG',
  'SIGHTLINE_OAUTH_ISSUERS',
  'SIGHTLINE_OAUTH_ALLOW_LOOPBACK_ISSUERS',
];

/** The settings of a demo: it ignores the operator's sources, and uses the operator's stores only with `--fleet`. */
function demoSettings(sandbox: Sandbox, dataDir: string, options: DemoOptions): Settings {
  const passed = [...PASSED_SETTINGS, ...(options.fleet ? (['DATABASE_URL', 'REDIS_URL'] as const) : [])];
  const environment = Object.fromEntries(passed.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  const relays = join(dataDir, 'relays.json');
  writeFileSync(relays, JSON.stringify(DEMO_RELAYS));
  return readSettings({
    SIGHTLINE_SECRET: randomBytes(24).toString('base64url'),
    ...SANDBOX_SETTINGS,
    ...DEMO_SETTINGS,
    ...environment,
    PORT: String(options.port),
    HOST: '127.0.0.1',
    SIGHTLINE_DATA_DIR: dataDir,
    SIGHTLINE_RELAYS: relays,
    SIGHTLINE_HOSTS: sandbox.mapFile,
  });
}

interface DemoOptions {
  readonly port: number;
  readonly once?: boolean;
  readonly json?: boolean;
  readonly fleet?: boolean;
}

/** A person reads the table first. */
const LINK_MS = 600_000;

/** `sightline demo`: serves the simulated platforms, requests every operation once and prints the answers. */
export async function demo(options: DemoOptions): Promise<void> {
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const dataDir = mkdtempSync(join(tmpdir(), DEMO_FOLDER));
  const clean = async () => {
    await sandbox.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  let service: Service;
  let stopOptions: Parameters<typeof stopOnSignals>[1];
  try {
    const settings = demoSettings(sandbox, dataDir, options);
    const log = openLog(settings.SIGHTLINE_LOG_LEVEL);
    stopOptions = { drainMs: settings.SIGHTLINE_DRAIN_MS, log };
    // its address is loopback
    service = await startService(settings, { log, apps: true });
  } catch (error) {
    await clean();
    throw error;
  }
  const stop = async () => {
    await service.stop();
    await clean();
  };
  stopOnSignals(stop, stopOptions);
  const { baseUrl, adminUrl, accounts } = service;
  const { key: apiKey, accountId } = await demoKey(accounts);
  const { clientId, clientSecret } = await accounts.admin.createClient({ accountId, label: 'demo' });
  const link = createConsoleLinks(accounts, () => service, LINK_MS);
  const links = async () => ({ console: (await link({ accountId })).url, operatorConsole: (await link()).url });
  if (options.json) {
    const known = { baseUrl, apiKey, clientId, clientSecret, docs: `${baseUrl}/docs`, admin: adminUrl, nextDay: `${sandbox.url}/day` };
    process.stdout.write(`${JSON.stringify({ ...known, ...(await links()) })}\n`);
  } else
    process.stdout.write(
      `Sightline with simulated platforms: ${baseUrl}\nAPI key: ${apiKey}\nOAuth client: ${clientId}, secret ${clientSecret}\n\n`,
    );
  if (!options.json || options.once) {
    const ok = await show(baseUrl, apiKey);
    if (!ok) process.exitCode = 1;
  }
  if (options.once) await stop();
  else if (!options.json) {
    const { console: holder, operatorConsole } = await links();
    process.stdout.write(
      `
Still serving. Ctrl-C stops it.
Console:            ${holder}
Operator's console: ${operatorConsole}
  Each link signs in once, within 10 minutes; "sightline console" makes new ones. Or ${baseUrl}/console with the API key.
Docs:               ${baseUrl}/docs
Next day of the simulated platforms, for watches: curl -X POST ${sandbox.url}/day
Example: curl -H 'X-API-Key: ${apiKey}' '${baseUrl}/v1/website/whois/domains/acme-widgets.com'
`,
    );
  }
}

/** `sightline sandbox`: serves the simulated platforms alone, and prints the settings under which a service uses them. */
export async function sandbox({ port, json }: Pick<DemoOptions, 'port' | 'json'>): Promise<void> {
  const platforms = await startSandbox({ hosts: HOSTS, whois: WHOIS, port: Number(port) });
  stopOnSignals(() => platforms.close(), { drainMs: 0, log: openLog('warn') });
  const settings: Readonly<Record<string, string>> = { ...SANDBOX_SETTINGS, SIGHTLINE_HOSTS: platforms.mapFile };
  const exports = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`);
  const words = `${exports.join('\n')}\n# The simulated platforms answer until Ctrl-C. With these settings, in another terminal: sightline serve\n# Their next day, on which watches find changes: curl -X POST ${platforms.url}/day\n`;
  process.stdout.write(json ? `${JSON.stringify(settings)}\n` : words);
}

/** The key of the first account, or of a new account if the store already has accounts (--fleet). */
async function demoKey({ admin }: OpenAccounts): Promise<NewKey> {
  const first = await admin.ensureFirstAccount();
  if (first) return first;
  const { accountId } = await admin.createAccount({ name: 'Demo', credits: 10_000 });
  return admin.createKey({ accountId, label: 'demo', manage: true });
}

/** In addition to the contract's example: a name that only WHOIS answers, and an unregistered one. */
const MORE_DOMAINS = ['gullholmgarn.se', 'never-asked-before.com'];

/** Requests every operation with the examples of the contract and prints a table, 100 columns wide at most. False if a status is not 200. */
async function show(baseUrl: string, apiKey: string): Promise<boolean> {
  const client = new Sightline({ baseUrl, apiKey, maxRetries: 0 });
  const examples = operationList.map(({ id, parameters }) => {
    return { id, input: Object.fromEntries(parameters.flatMap((p) => (p.required ? [[p.field, p.example]] : []))) };
  });
  const rows: string[][] = [];
  let ok = true;
  for (const { id, input } of [...examples, ...MORE_DOMAINS.map((domain) => ({ id: 'registration' as const, input: { domain } }))])
    try {
      const { data, credits, source } = await client.lookup(id, input as LookupInput).withResponse();
      const [first = '', ...more] = answerLines(id, data);
      rows.push([id, '200', String(credits.charged), source ?? '', first], ...more.map((line) => ['', '', '', '', line]));
    } catch (error) {
      if (!(error instanceof SightlineError)) throw error;
      ok = false;
      rows.push([id, String(error.status), String(error.charged ?? ''), '', error.code]);
    }
  process.stdout.write(`${table(['OPERATION', 'STATUS', 'CREDITS', 'SOURCE', 'ANSWER'], rows)}\n`);
  return ok;
}

const WIDTH = 40;
/** The lines of an answer in the table of the demo, each of 40 characters at most. */
function answerLines<Id extends OperationId>(operation: Id, resource: Resource<Id>): readonly string[] {
  const presentation: Presentation<Resource<Id>> = PRESENTATIONS[operation];
  return presentation
    .lines(resource)
    .filter((line) => line !== '')
    .map((line) => cut(line.replace(/\s+/g, ' ').trim(), WIDTH));
}
