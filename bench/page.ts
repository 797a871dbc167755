import { holds, isVoid, type Row } from './measure.ts';

/** Values of the previous run, by what was measured. */
export type Before = Readonly<Record<string, number>>;
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly day: string;
}
export interface Measured {
  readonly machine: Machine;
  readonly rows: readonly Row[];
  readonly before: Before;
}
/** The last run of each suite. */
export type Results = Readonly<Record<string, Measured>>;

const rounded = (n: number): string => (Math.abs(n) >= 100 ? n.toFixed(0) : Number(n.toPrecision(3)).toString());
const cell = (text: string): string => text.replaceAll('|', '\\|');

const bound = ({ holds: how, bar }: Row): string => (how === 'one within' ? `${1 - bar} to ${1 + bar}` : `${how} ${bar}`);

function lineOf(row: Row, before: Before, isVoidRun: boolean): string {
  const within = holds(row) ? 'yes' : 'not yet';
  const spread = row.spread ? ` (${row.spread.map(rounded).join(' to ')})` : '';
  const last = before[row.what];
  return `| ${cell(row.what)} | ${rounded(row.value)}${spread} | ${bound(row)} | ${isVoidRun ? 'void' : within} | ${last === undefined ? '' : rounded(last)} | ${cell(row.note)} |`;
}

function suiteText(suite: string, { machine, rows, before }: Measured): string {
  const isVoidRun = isVoid(rows);
  const { cpu, cores, memoryGiB, node, day } = machine;
  const parts = [
    `### ${suite}`,
    `${day} on ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}.${isVoidRun ? ' **Void: the same server measured against itself differs by more than 5 %.**' : ''}`,
    `| Measured | Value | Limit | Within | Run before | Details |\n|---|---|---|---|---|---|\n${rows.map((row) => lineOf(row, before, isVoidRun)).join('\n')}`,
    ...rows.filter((row) => row.missed && !holds(row)).map((row) => `**${row.what}**: ${row.missed}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A row of a suite in a user's words. `figure` formats its value and note. */
const EXPECTED: readonly (readonly [words: string, suite: string, what: string, figure: (row: Row) => string | undefined])[] = [
  ['answers from the cache, one process', 'gateway', 'CPU of a metered cache hit, 10 kB', ofServer],
  ['charged answers, embedded store', 'gateway', 'CPU of a charged answer (SQLite', ofServer],
  ['charged answers, PostgreSQL on the same machine', 'gateway', 'CPU of a charged answer (PostgreSQL', ofServer],
  ['answers that ask a source, one process', 'miss', 'CPU of a miss against', ofServer],
  ["time that Sightline adds to a source's own, one request at a time", 'miss', 'median time that a miss adds', milliseconds],
  ['time that a fleet adds to that', 'fleet', 'median time that the way through the fleet adds', milliseconds],
  [
    'lookup of a killed worker, answered by another after',
    'fleet',
    "seconds until a killed worker's lookup",
    (row) => `${rounded(row.value)} s`,
  ],
  [
    'slowest 1 % of admitted requests under three times the load',
    'overload',
    'p99 of who is let in',
    (row) => row.note.split(' against')[0],
  ],
  ['start until ready', 'start', 'start to ready', (row) => row.note.split(' against')[0]],
  ['memory when idle', 'start', 'resident memory idle', (row) => row.note.split(' against')[0]],
  ['signature of a page request, where that is switched on', 'signatures', 'a signed page request costs', milliseconds],
  ['memory of a bulk run', 'bulk', 'resident memory of a bulk run', (row) => `${rounded(row.value)} MB`],
];
/** Requests a second and CPU of one core for each, of the first server that a note names. */
function ofServer({ note }: Row): string | undefined {
  const [, cpu, rate] = /^(.*?) µs \((\d+) \/s\)/.exec(note) ?? [];
  return cpu === undefined ? undefined : `${rate} a second; ${cpu.replace(/^(server|gateway) /, '')} µs of a core each`;
}
function milliseconds({ value }: Row): string {
  return `${rounded(value)} ms`;
}

function expectations(results: Results): string {
  const lines = EXPECTED.flatMap(([words, suite, what, figure]) => {
    const row = results[suite]?.rows.find((r) => r.what.startsWith(what));
    const text = row && figure(row);
    return text === undefined ? [] : [`| ${words} | ${text} |`];
  });
  // suites that were measured later may come from another machine
  const machines = new Set(Object.values(results).map(({ machine: m }) => `${m.cpu} with ${m.cores} cores and Node ${m.node}`));
  const where = `Measured on ${[...machines].join(' and on ')}, where load, source and service share the cores; each suite names its machine.`;
  return `${where}\n\n| What | Figure |\n|---|---|\n${lines.join('\n')}`;
}

/** The rows of the suite `peers`, its noise first: other designs that do the same work. */
function besides({ peers }: Results): string {
  if (!peers) return '';
  const { machine, rows } = peers;
  const noise = rows.find((row) => row.holds === 'one within');
  const spread = (row: Row): string => (row.spread ? ` (${row.spread.map(rounded).join(' to ')})` : '');
  const lines = rows
    .filter((row) => row !== noise)
    .map((row) => `| ${cell(row.what)} | ${rounded(row.value)}${spread(row)} | ${bound(row)} | ${holds(row) ? 'yes' : 'not yet'} |`);
  const noisy = noise && !holds(noise) ? ' It was more than 5 %: the values are void.' : '';
  return `
## Beside what one would build

Fastify with its own plugins and Express with the usual middleware, each with keys by hash, a limit for each account, a cache, ETag and usage rows in
SQLite (\`bench/peer-fastify.ts\`, \`bench/peer-express.ts\`), and bare Fastify, which does none of that, as the lower bound. CPU time of a request as a multiple of theirs,
median of alternating rounds, ${machine.day} on ${machine.cpu} with ${machine.cores} cores. The same peer against itself: ${noise ? `${rounded(noise.value)}${spread(noise)}` : 'not measured'}.${noisy}

| Measured | Value | Limit | Within |
|---|---|---|---|
${lines.join('\n')}
`;
}

/** Text of docs/benchmarks.md, from bench/results.json: what a user may expect. */
export function benchmarksPage(results: Results): string {
  return `# Benchmarks

## What you may expect

${expectations(results)}

A source takes longer than all of this: 50 ms for a registry, seconds for a search page. Most of a lookup's time is the source's, and an answer from
the cache takes about a millisecond.
${besides(results)}
[Every suite](benchmark-suites.md) stands on its own page, with how it is measured, its machine and its limits. How often the readers are right, beside other
libraries, is in the [comparison](comparison.md).
`;
}

/** Text of docs/benchmark-suites.md: every suite. */
export function suitesPage(results: Results): string {
  const parts = Object.entries(results).map(([suite, measured]) => suiteText(suite, measured));
  return `# Every suite of the benchmarks

## How it is measured

\`npm ci --prefix bench/peers\` installs what the suites compare with; \`npm run bench\` measures every suite; \`npm run bench -- gateway forum\` measures the suites that are named. Every value is the last of its suite.

- Nearly every value is a ratio to a reference that runs in turns with it in the same run (bare Fastify, \`JSON.parse\`, another library), so that it
  holds on other machines, too. Absolute values, in the last column, hold for the machine alone.
- "CPU" is the CPU time for each answered request, user and system, over all processes that take part: server, workers, Redis, PostgreSQL with its
  backends. It is read from \`/proc\` before and after each round of load by \`wrk\`; the value is the median of the rounds, with the smallest and the
  largest in parentheses. Requests a second move by 3 × when the machine does other work, CPU time by about 15 %.
- A suite that measures CPU also measures the same server against itself. If that differs by more than 5 %, the suite is void, and
  is measured again, three times at most.
- The limits are goals that we set ourselves; a value beyond its limit makes the run fail. Below its table stands what the profile says and the next
  idea.
- Measure on a machine that does nothing else. Some suites need \`wrk\`, PostgreSQL and Redis (\`npm run services\` installs all three) or the recordings.

Four things are measured only on request: \`npm run bench -- cores\` (two gateways on one port) needs four cores, \`npm run bench -- peers\`
compares with whole services of Fastify and Express, \`npm run bench -- soak\` takes half an
hour (BENCH_SOAK_MINUTES), and \`BENCH_LARGE=1\` makes the suite
\`growth\` measure ten million entries of the ledger instead of one, which takes some minutes and five gigabytes more.

The run writes \`bench/results.json\`, this page and [the short one](benchmarks.md).

## The suites

${parts.join('\n')}`;
}
