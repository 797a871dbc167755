/**
 * Prints how much of `src/` one cache hit and one miss run through: `npx node tools/lookup-path.ts [--list]`. The whole service with simulated
 * platforms is warmed up first; V8 counts what runs from the request to the last byte of its
 * answer, in the main thread.
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
const settings = readSettings({
  PORT: '0',
  SIGHTLINE_DATA_DIR: folder,
  SIGHTLINE_HOSTS: sandbox.mapFile,
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
});
const service = await startService(settings, { log: createLog({ level: 'warn', pretty: false }) });
const key = (await service.accounts.admin.ensureFirstAccount())?.key ?? '';

/** Runs of one lookup of each domain. Throws unless the cache answers as expected. */
async function lookUp(domains: readonly string[], expected: 'hit' | 'fwd'): Promise<readonly Run[]> {
  const runs: Run[] = [];
  for (const domain of domains) {
    await new Promise((done) => setTimeout(done, PAUSE_MS));
    await takeRun();
    const answer = await fetch(`${service.baseUrl}${pathOf(domain)}`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    await new Promise(setImmediate);
    runs.push(await takeRun());
    const cache = answer.headers.get('cache-status') ?? '';
    if (answer.status !== 200 || !cache.includes(expected)) throw new Error(`${domain}: status ${answer.status}, Cache-Status ${cache}`);
  }
  return runs;
}
/** The run without what timers did meanwhile. */
const leastOf = (runs: readonly Run[]): Run => runs.reduce((least, run) => (run.functions < least.functions ? run : least));

const [warming = '', ...domains] = DOMAINS;
await lookUp([warming], 'fwd');
await lookUp([warming], 'hit');
const miss = leastOf(await lookUp(domains, 'fwd'));
const hit = leastOf(await lookUp(domains, 'hit'));

await service.stop();
await sandbox.close();
rmSync(folder, { recursive: true, force: true });
const shown = ({ files, functions }: Run) => ({ files: files.length, functions });
console.log(JSON.stringify({ hit: shown(hit), miss: shown(miss) }));
if (parseArgs({ options: { list: { type: 'boolean', default: false } } }).values.list)
  for (const [name, { files }] of Object.entries({ hit, miss })) console.log(`\n${name}\n  ${files.join('\n  ')}`);
