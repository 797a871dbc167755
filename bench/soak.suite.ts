import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Sightline } from '../src/client/index.ts';
import { type LoadOptions, load, type Server, startServer, withServers } from './load.ts';
import { atMost, type Loaded, median, type Row } from './measure.ts';

const MINUTES = Number(process.env.BENCH_SOAK_MINUTES ?? 30);
/** Each kind of load is started again after a round, so that its slowest percent is known by round. */
const ROUND_SECONDS = 20;
const SAMPLE_MS = 2000;
/** Between two requests of a session, and two checks. */
const PAUSE_MS = 1000;
const WATCHES = 20;
/** Of the curve of memory in the note. */
const CURVE_POINTS = 16;
const METRICS_TOKEN = 'metrics-token-of-the-bench-0123456789';
const BULK_LINES = 500;
const PATH = '/v1/website/whois/domains';
const pathOf = (name: string): string => `${PATH}/${name}.com`;
/** `perSecond` requests of `connections` connections together. */
const paced = (perSecond: number, connections: number): LoadOptions => ({
  seconds: ROUND_SECONDS,
  connections,
  pauseMs: (connections * 1000) / perSecond,
});

interface Sample {
  readonly minute: number;
  readonly residentMb: number;
  readonly descriptors: number;
}
function sampleOf({ pid }: Server, begun: number): Sample {
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    minute: (performance.now() - begun) / 60_000,
    residentMb: Number(resident) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Bulk runs of `sightline bulk`, one after another, each with new domains and a start of its own. */
async function bulkRun({ baseUrl, key }: Server, folder: string, round: number): Promise<void> {
  const input = join(folder, `bulk-${round}.txt`);
  writeFileSync(input, Array.from({ length: BULK_LINES }, (_, n) => `bulk-${round}-${n}.com`).join('\n'));
  await promisify(execFile)(
    process.execPath,
    ['bin/sightline.mjs', 'bulk', 'registration', input, '-o', join(folder, `bulk-${round}`), '--yes', '--json', '--concurrency', '4'],
    { env: { ...process.env, SIGHTLINE_URL: baseUrl, SIGHTLINE_API_KEY: key }, maxBuffer: 1 << 26 },
  );
}

/** A visit of the console: signs in, reads the pages of the account, asks a price, looks something up, signs out. */
async function consoleSession({ baseUrl, key }: Server, round: number): Promise<void> {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', ...init.headers };
    const answer = await fetch(baseUrl + path, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };
  const opened = await send('/console/api/session', { method: 'POST', body: JSON.stringify({ apiKey: key }) });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  await opened.body?.cancel();
  const pages = [
    '/v1/account',
    '/v1/account/usage',
    '/v1/account/requests?limit=100',
    '/v1/account/ledger?limit=100',
    '/v1/account/changes',
  ];
  const lookup = pathOf(`console-${round}`);
  for (const path of [...pages, `/v1/account/price?operation=registration&domain=console-${round}.com`, lookup, ...pages]) {
    await (await send(path, { headers: { cookie } })).text();
    await sleep(PAUSE_MS);
  }
  await (await send('/console/api/session', { method: 'DELETE', headers: { cookie, 'content-type': 'text/plain' } })).text();
}

/** Credits by three books: the counter of /metrics, the usage by day, and the balance. */
async function spentBy(server: Server, client: Sightline, granted: number): Promise<Record<'metrics' | 'usage' | 'balance', number>> {
  const answer = await fetch(`${server.baseUrl}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  if (!answer.ok) throw new Error(`/metrics: ${answer.status}`);
  const metrics = await answer.text();
  const counted = [...metrics.matchAll(/^sightline_credits_charged_total\{[^}]*\} (\d+)$/gm)].map((match) => Number(match[1]));
  const usage = await client.account.usage();
  const account = await client.account.get();
  return {
    metrics: counted.reduce((a, b) => a + b, 0),
    usage: usage.days.reduce((total, row) => total + row.credits, 0),
    balance: granted - account.credits.balance,
  };
}

/**
 * Hits, charged misses, bulk runs, checks of watches and sessions of the console together, for BENCH_SOAK_MINUTES (30): memory and descriptors
 * must not grow after the warm-up, which is the first quarter; the slowest percent must not become slower; the books must agree.
 */
export async function suite(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-soak-'));
  const upstream = await startServer('upstream');
  try {
    return await withServers(
      { house: startServer('house', { BENCH_UPSTREAM: upstream.baseUrl, SIGHTLINE_METRICS_TOKEN: METRICS_TOKEN }) },
      ({ house }) => soak(house, folder),
    );
  } finally {
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function soak(house: Server, folder: string): Promise<Row[]> {
  const client = new Sightline({ baseUrl: house.baseUrl, apiKey: house.key });
  const granted = (await client.account.get()).credits.balance;
  const watches = await Promise.all(
    Array.from({ length: WATCHES }, (_, n) =>
      client.watches.create({
        operation: 'registration',
        parameters: { domain: `watched-${n}.com` },
        every: '1d',
        creditsPerMonth: 1_000_000,
      }),
    ),
  );
  const begun = performance.now();
  const endsAt = begun + MINUTES * 60_000;
  const samples: Sample[] = [];
  const hits: Loaded[] = [];
  const done = { misses: 0, bulk: 0, checks: 0, sessions: 0 };
  const repeatedly = async (work: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; performance.now() < endsAt; round++) await work(round);
  };
  await Promise.all([
    repeatedly(async () => void hits.push(await load(house, pathOf('bench-hit'), paced(400, 20)))),
    repeatedly(async (round) => {
      done.misses += (await load(house, pathOf(`miss-${round}-#`), paced(40, 10))).requests;
    }),
    repeatedly(async (round) => {
      await bulkRun(house, folder, round);
      done.bulk += BULK_LINES;
      rmSync(join(folder, `bulk-${round}`), { recursive: true, force: true });
      await sleep(ROUND_SECONDS * 1000);
    }),
    repeatedly(async (round) => {
      await client.watches.run(watches[round % WATCHES]?.watchId ?? '');
      done.checks++;
      await sleep(PAUSE_MS);
    }),
    repeatedly(async (round) => {
      await consoleSession(house, round);
      done.sessions++;
      await sleep(PAUSE_MS);
    }),
    repeatedly(async () => {
      samples.push(sampleOf(house, begun));
      await sleep(SAMPLE_MS);
    }),
  ]);
  await sleep(3000); // usage and balance are written in batches
  const books = await spentBy(house, client, granted);
  return rowsOf(samples, hits, done, books);
}

function rowsOf(
  samples: readonly Sample[],
  hits: readonly Loaded[],
  done: Readonly<Record<'misses' | 'bulk' | 'checks' | 'sessions', number>>,
  books: Awaited<ReturnType<typeof spentBy>>,
): Row[] {
  const quarters = <T>(all: readonly T[]): readonly (readonly T[])[] =>
    [0, 1, 2, 3].map((n) => all.slice((n * all.length) / 4, ((n + 1) * all.length) / 4));
  const byQuarter = <T>(all: readonly T[], value: (one: T) => number): readonly number[] =>
    quarters(all).map((quarter) => median(quarter.map(value)));
  const growth = (what: string, bar: number, values: readonly number[], unit: string): Row =>
    atMost(
      what,
      (values[3] ?? Number.NaN) / (values[1] ?? Number.NaN),
      bar,
      `by quarter: ${values.map((v) => v.toFixed(1)).join(', ')} ${unit}`,
    );
  const memory = byQuarter(samples, (s) => s.residentMb);
  const descriptors = byQuarter(samples, (s) => s.descriptors);
  const every = Math.ceil(samples.length / CURVE_POINTS);
  const curve = samples
    .filter((_, n) => n % every === 0)
    .map(({ minute, residentMb }) => `${minute.toFixed(0)} min ${residentMb.toFixed(0)}`);
  const requests = hits.reduce((total, one) => total + one.requests, 0);
  const work = `${requests} hits, ${done.misses} misses, ${done.bulk} bulk lines, ${done.checks} checks, ${done.sessions} console sessions in ${MINUTES} minutes`;
  return [
    { ...growth('resident memory, last quarter against the second', 1.02, memory, 'MB'), note: `MB by time: ${curve.join(', ')}` },
    atMost(
      'open descriptors, last quarter beyond the second',
      (descriptors[3] ?? Number.NaN) - (descriptors[1] ?? Number.NaN),
      8,
      `by quarter: ${descriptors.join(', ')}`,
    ),
    growth(
      'p99 of hits by the client, last quarter against the second',
      1.2,
      byQuarter(hits, (h) => h.p99Ms),
      'ms',
    ),
    atMost(
      'largest difference between credits by metrics, usage and balance',
      Math.max(...Object.values(books)) - Math.min(...Object.values(books)),
      0,
      `${Object.entries(books)
        .map(([book, credits]) => `${book} ${credits}`)
        .join(', ')}; ${work}`,
    ),
  ];
}
