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
  const within = holds(row) ? 'yes' : '**no**';
  const spread = row.spread ? ` (${row.spread.map(rounded).join(' to ')})` : '';
  const last = before[row.what];
  return `| ${cell(row.what)} | ${rounded(row.value)}${spread} | ${bound(row)} | ${isVoidRun ? 'void' : within} | ${last === undefined ? '' : rounded(last)} | ${cell(row.note)} |`;
}

function suiteText(suite: string, { machine, rows, before }: Measured): string {
  const isVoidRun = isVoid(rows);
  const { cpu, cores, memoryGiB, node, day } = machine;
  const parts = [
    `## ${suite}`,
    `${day} on ${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}.${isVoidRun ? ' **Void: the same server measured against itself differs by more than 5 %.**' : ''}`,
    `| Measured | Value | Limit | Within | Run before | Details |\n|---|---|---|---|---|---|\n${rows.map((row) => lineOf(row, before, isVoidRun)).join('\n')}`,
    ...rows.filter((row) => row.missed && !holds(row)).map((row) => `**${row.what}**: ${row.missed}`),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Text of docs/benchmarks.md, from bench/results.json. */
export function benchmarksPage(results: Results): string {
  const parts = Object.entries(results).map(([suite, measured]) => suiteText(suite, measured));
  return `# Benchmarks

\`npm run bench\` measures every suite; \`npm run bench -- gateway forum\` measures the suites that are named. Every value is the last of its suite.

- Nearly every value is a ratio to a reference that runs in turns with it in the same run (bare Fastify, \`JSON.parse\`, another library), so that it
  holds on other machines, too. Absolute values, in the last column, hold for the machine alone.
- "CPU" is the CPU time for each answered request, user and system, over all processes that take part: server, workers, Redis, PostgreSQL with its
  backends. It is read from \`/proc\` before and after each round of load by \`wrk\`; the value is the median of the rounds, with the smallest and the
  largest in parentheses. Requests a second move by 3 × when the machine does other work, CPU time by about 15 %.
- A suite that measures CPU also measures the same server against itself. If that differs by more than 5 %, the suite is void.
- A value beyond its limit makes the run fail. Below its table stands what the profile says and the next idea.
- Measure on a machine that does nothing else. Some suites need \`wrk\`, PostgreSQL and Redis (\`npm run services\` installs all three) or the recordings.

Two things are measured only on request: \`npm run bench -- cores\` (two gateways on one port) needs four cores, and \`BENCH_LARGE=1\` makes the suite
\`growth\` measure ten million entries of the ledger instead of one, which takes some minutes and five gigabytes more.

The run writes \`bench/results.json\` and this page.

${parts.join('\n')}`;
}
