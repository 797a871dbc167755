/**
 * Prints how much of `src/` one cache hit, one miss, one check of a watch and one OAuth token run through: `npx node tools/lookup-path.ts [--list]`.
 * Where PostgreSQL and Redis are installed also one charged lookup in a fleet, of which this process is gateway and worker.
 * The whole service with simulated platforms is warmed up first; V8 counts what runs from the request to the last byte of its answer, in the main thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HOSTS, WHOIS } from '../sandbox/hosts.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { startService } from '../src/cli/serve.ts';
import { readSettings } from '../src/settings.ts';
import { createLog } from '../src/telemetry/log.ts';
import { missing, startPostgres, startRedis } from '../test/fleet/services.ts';

const SRC = fileURLToPath(new URL('../src/', import.meta.url));
/** The writes of one lookup are over before the next begins. */
const PAUSE_MS = 300;
const DOMAINS = ['acme-widgets.com', 'quartzfitness.com', 'bluebirdlooms.com', 'pinewoodaudio.com'];
const pathOf = (domain: string): string => `/v1/website/whois/domains/${domain}`;

interface Run {
  readonly files: readonly string[];
  readonly functions: number;
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The functions below `src/` that ran since the last call. */
async function takeRun(): Promise<Run> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const own = result.flatMap(({ url, functions }) => {
    const count = url.startsWith('file:') && fileURLToPath(url).startsWith(SRC) ? functions.filter(hasRun).length : 0;
    return count > 0 ? [{ file: relative(SRC, fileURLToPath(url)), count }] : [];
  });
  return { files: own.map(({ file }) => file).sort(), functions: own.reduce((sum, { count }) => sum + count, 0) };
}
const hasRun = ({ ranges }: { readonly ranges: readonly { readonly count: number }[] }): boolean => (ranges[0]?.count ?? 0) > 0;

const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
const folder = mkdtempSync(join(tmpdir(), 'sightline-path-'));
async function start(more: Readonly<Record<string, string>> = {}) {
  const settings = readSettings({
    PORT: '0',
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_HOSTS: sandbox.mapFile,
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    ...more,
  });
  const { baseUrl, accounts, stop } = await startService(settings, { log: createLog({ level: 'warn', pretty: false }) });
  const { accountId } = await accounts.admin.createAccount({ name: 'path', credits: 1_000 });
  const { key } = await accounts.admin.createKey({ accountId });
  return { baseUrl, accounts, stop, headers: { 'x-api-key': key } };
}
const service = await start();
const { headers } = service;

/** Runs of one request each. Throws unless each is answered as expected. */
async function runsOf(requests: readonly (() => Promise<Response>)[], isExpected: (answer: Response) => boolean): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const request of requests) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    await takeRun();
    const answer = await request();
    await answer.arrayBuffer();
    await new Promise(setImmediate);
    runs.push(await takeRun());
    if (!isExpected(answer)) throw new Error(`${answer.url}: status ${answer.status}, ${answer.headers.get('cache-status')}`);
  }
  return runs;
}
const lookUp = (of: typeof service, domains: readonly string[], expected: 'hit' | 'fwd') =>
  runsOf(
    domains.map((domain) => () => fetch(`${of.baseUrl}${pathOf(domain)}`, { headers: of.headers })),
    (answer) => answer.ok && (answer.headers.get('cache-status') ?? '').includes(expected),
  );
const send = (path: string, body: string | URLSearchParams, more: Readonly<Record<string, string>> = headers) =>
  fetch(`${service.baseUrl}${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...more }, body });
/** The run without what timers did meanwhile. */
const leastOf = (runs: readonly Run[]): Run => runs.reduce((least, run) => (run.functions < least.functions ? run : least));

const [warming = '', ...domains] = DOMAINS;
await lookUp(service, [warming], 'fwd');
await lookUp(service, [warming], 'hit');
const found: Record<string, Run> = {};
found.miss = leastOf(await lookUp(service, domains, 'fwd'));
found.hit = leastOf(await lookUp(service, domains, 'hit'));

const isOk = (answer: Response): boolean => answer.ok;
const watches = domains.map(async (domain) => {
  const body = JSON.stringify({ operation: 'registration', parameters: { domain }, every: '1d', creditsPerMonth: 40 });
  return ((await (await send('/v1/account/watches', body)).json()) as { watchId: string }).watchId;
});
const checks = (await Promise.all(watches)).map(
  (id) => () => fetch(`${service.baseUrl}/v1/account/watches/${id}/run`, { method: 'POST', headers }),
);
await runsOf(checks.slice(0, 1), isOk);
found['check of a watch'] = leastOf(await runsOf(checks.slice(1), isOk));

const { accountId } = await service.accounts.admin.createAccount({ name: 'path' });
const { clientId, clientSecret } = await service.accounts.admin.createClient({ accountId });
const asked = new URLSearchParams({ grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret });
const token = () => send('/v1/oauth/token', asked, { 'content-type': 'application/x-www-form-urlencoded' });
await runsOf([token], isOk);
found['OAuth token'] = leastOf(await runsOf([token, token, token], isOk));

await service.stop();

if (!missing('redis') && !missing('postgres')) {
  const [redis, postgres] = await Promise.all([startRedis(), startPostgres()]);
  const fleet = await start({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  await lookUp(fleet, [warming], 'fwd');
  found['charged lookup in a fleet'] = leastOf(await lookUp(fleet, domains, 'fwd'));
  await fleet.stop();
  await Promise.all([redis.close(), postgres.close()]);
}
await sandbox.close();
rmSync(folder, { recursive: true, force: true });
const shown = ({ files, functions }: Run) => ({ files: files.length, functions });
console.log(JSON.stringify(Object.fromEntries(Object.entries(found).map(([name, run]) => [name, shown(run)]))));
if (parseArgs({ options: { list: { type: 'boolean', default: false } } }).values.list)
  for (const [name, { files }] of Object.entries(found)) console.log(`\n${name}\n  ${files.join('\n  ')}`);
