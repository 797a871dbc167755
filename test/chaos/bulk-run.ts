import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, createWriteStream, existsSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOSTS, WHOIS } from '../../sandbox/hosts.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { SEARXNG_ORIGIN } from '../../sandbox/searchengine/searxng.ts';
import { Sightline } from '../../src/client/index.ts';
import { freePort } from '../fleet/services.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';

export interface BulkChaosOptions {
  readonly lines: number;
  /** Kills of the client, and as many of the gateway. */
  readonly kills: number;
  readonly concurrency: number;
  readonly random: () => number;
  readonly say: (text: string) => void;
}
export interface BulkChaosReport {
  readonly inputLines: number;
  readonly outputLines: number;
  /** Lines that are not the next one of the input, or no JSON. */
  readonly wrongLines: readonly string[];
  readonly failures: readonly string[];
  readonly lineCredits: number;
  readonly capturedCredits: number;
  /** Captures of the same line beyond the first. */
  readonly capturedAgain: number;
  readonly heldAtEnd: number;
  readonly clientKills: number;
  readonly gatewayKills: number;
  /** Largest resident memory of a client process, MB. */
  readonly maxClientMb: number;
  readonly seconds: number;
  readonly exitCode: number | null;
}

const HOLD_MARGIN_MS = 1_000;
const DEADLINE_MS = 4_000;
const POLL_MS = 10;

/** Ends a process at once; returns when it is gone. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = child.exitCode !== null || child.signalCode !== null ? null : once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Counts the lines of a growing file. */
function lineCounter(path: string): () => number {
  let [place, lines] = [0, 0];
  return () => {
    if (!existsSync(path)) return lines;
    const file = openSync(path, 'r');
    const chunk = Buffer.alloc(1 << 16);
    for (let read = readSync(file, chunk, 0, chunk.length, place); read > 0; read = readSync(file, chunk, 0, chunk.length, place)) {
      for (let at = chunk.indexOf(10); at >= 0 && at < read; at = chunk.indexOf(10, at + 1)) lines++;
      place += read;
    }
    closeSync(file);
    return lines;
  };
}

const memoryMb = (pid: number | undefined): number => {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended
  }
};

/** Runs `sightline bulk` against `sightline serve`, kills both with SIGKILL while lines come in, and compares output and ledger. */
export async function runBulkChaos({ lines, kills, concurrency, random, say }: BulkChaosOptions): Promise<BulkChaosReport> {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bulk-chaos-'));
  const sandbox = await startSandbox({ hosts: HOSTS, whois: WHOIS });
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const deadlines = { SIGHTLINE_DEADLINE_SERP_MS: String(DEADLINE_MS), SERVE_WITH_HOLD_MARGIN_MS: String(HOLD_MARGIN_MS) };
  const settings = {
    // the one search source of the demo without a rate limit of its platform
    SEARXNG_URL: SEARXNG_ORIGIN,
    SIGHTLINE_PACE_PER_SECOND: '1000',
    SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
    ...deadlines,
    PORT: String(port),
    SIGHTLINE_SECRET: 'a-secret-of-at-least-thirty-two-characters',
    SIGHTLINE_DATA_DIR: join(folder, 'data'),
    SIGHTLINE_HOSTS: sandbox.mapFile,
    SIGHTLINE_FREE_CREDITS: String(lines * 3),
    SIGHTLINE_RATE_PER_SECOND: '100000',
    SIGHTLINE_RATE_BURST: '100000',
    SIGHTLINE_LOG_LEVEL: 'error',
  };
  const common = { ...CHILD_ENVIRONMENT, HOME: process.env.HOME };
  let gateway: ChildProcess | null = null;
  let client: ChildProcess | null = null;
  let apiKey = '';
  async function startGateway(): Promise<void> {
    const child = spawn(process.execPath, ['test/support/serve-with.ts', 'serve', '--json'], {
      env: { ...common, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    gateway = child;
    const line = once(createInterface({ input: child.stdout }), 'line') as Promise<[string]>;
    const [text] = await Promise.race([line, once(child, 'exit').then((): never => assertNever(child))]);
    apiKey ||= (JSON.parse(text) as { apiKey: string }).apiKey;
  }
  const output = join(folder, 'out.ndjson');
  const input = join(folder, 'in.csv');
  function startClient(): ChildProcess {
    const args = ['bulk', 'serp', input, '-o', output, '--yes', '--json', '--concurrency', String(concurrency)];
    return spawn(process.execPath, ['bin/sightline.mjs', ...args], {
      env: { ...common, ...deadlines, SIGHTLINE_URL: baseUrl, SIGHTLINE_API_KEY: apiKey },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  try {
    const file = createWriteStream(input);
    file.write('keyword,depth\n');
    for (let n = 0; n < lines; n++) file.write(`term ${n},${n % 5 ? 10 : 15}\n`);
    file.end();
    await finished(file);
    await startGateway();
    client = startClient();

    const moments = Array.from({ length: kills * 2 }, (_, n) => ({ at: Math.floor(random() * lines), who: n % 2 ? 'client' : 'gateway' }));
    moments.sort((a, b) => a.at - b.at);
    const countLines = lineCounter(output);
    let maxClientMb = 0;
    const watch = () => {
      maxClientMb = Math.max(maxClientMb, memoryMb(client?.pid));
    };
    for (const { at, who } of moments) {
      while (countLines() < at && client.exitCode === null) {
        watch();
        await sleep(POLL_MS);
      }
      await sleep(random() * 50);
      if (client.exitCode !== null) break;
      say(`${Math.round((performance.now() - begun) / 1000)} s: ${at} lines, kill -9 of the ${who}`);
      if (who === 'client') {
        await kill(client);
        client = startClient();
      } else {
        if (gateway) await kill(gateway);
        await sleep(random() * 300);
        await startGateway();
        // a client that had only just been started asks for its account first, and ends where nobody answers
        if (client.exitCode === 1) client = startClient();
      }
    }
    while (client.exitCode === null && client.signalCode === null) {
      watch();
      await sleep(POLL_MS);
    }
    const { exitCode } = client;

    const direct = new Sightline({ baseUrl, apiKey });
    let heldAtEnd = 0;
    for (let tries = 0; tries < 100; tries++) {
      heldAtEnd = (await direct.account.get()).credits.held;
      if (heldAtEnd === 0) break;
      await sleep(200);
    }
    let capturedCredits = 0;
    const seen = new Set<string>();
    let captures = 0;
    for await (const { kind, credits, requestId } of direct.account.ledger.all({ limit: 1000 }))
      if (kind === 'capture') {
        captures++;
        seen.add(requestId ?? '');
        capturedCredits -= credits;
      }
    const written = await checkOutput(output);
    return {
      inputLines: lines,
      ...written,
      capturedCredits,
      capturedAgain: captures - seen.size,
      heldAtEnd,
      clientKills: moments.filter(({ who }) => who === 'client').length,
      gatewayKills: moments.filter(({ who }) => who === 'gateway').length,
      maxClientMb: Math.round(maxClientMb),
      seconds: Math.round((performance.now() - begun) / 1000),
      exitCode,
    };
  } finally {
    if (client) await kill(client);
    if (gateway) await kill(gateway);
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function assertNever(child: ChildProcess): never {
  throw new Error(`the gateway ended with ${child.exitCode ?? child.signalCode} before it served`);
}

/** Each line of the output must be the next line of the input; the header is line 1. */
async function checkOutput(path: string): Promise<Pick<BulkChaosReport, 'outputLines' | 'wrongLines' | 'failures' | 'lineCredits'>> {
  const wrongLines: string[] = [];
  const failures: string[] = [];
  let [outputLines, lineCredits] = [0, 0];
  for await (const text of createInterface({ input: createReadStream(path) })) {
    outputLines++;
    const expected = outputLines + 1;
    try {
      const { line, ok, credits, resource, error } = JSON.parse(text) as {
        line: number;
        ok: boolean;
        credits: number;
        resource?: { keyword: string };
        error?: { code: string; message: string };
      };
      if (line !== expected || (ok && resource?.keyword !== `term ${line - 2}`)) wrongLines.push(`${expected}: line ${line}`);
      if (!ok) failures.push(`line ${line} failed: ${error?.code} ${error?.message}`);
      lineCredits += credits;
    } catch (error) {
      wrongLines.push(`${expected}: ${error}`);
    }
  }
  return { outputLines, wrongLines, failures, lineCredits };
}

const MAX_CLIENT_MB = 150;

/** What is not as promised. */
export function faultsOf(report: BulkChaosReport): string[] {
  const faults: string[] = [...report.wrongLines.slice(0, 10), ...report.failures.slice(0, 10)];
  if (report.outputLines !== report.inputLines) faults.push(`${report.outputLines} lines of output for ${report.inputLines} of input`);
  if (report.lineCredits !== report.capturedCredits)
    faults.push(`the lines say ${report.lineCredits} credits, the ledger ${report.capturedCredits}`);
  if (report.heldAtEnd !== 0) faults.push(`${report.heldAtEnd} credits are still held`);
  if (report.exitCode !== 0) faults.push(`exit code ${report.exitCode}`);
  if (report.maxClientMb > MAX_CLIENT_MB) faults.push(`the client used ${report.maxClientMb} MB`);
  return faults;
}
