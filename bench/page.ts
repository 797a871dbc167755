import { holds, type Row } from './measure.ts';

export interface Results {
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly node: string;
    readonly day: string;
  };
  /** Rows by suite. */
  readonly suites: Readonly<Record<string, readonly Row[]>>;
}

const rounded = (n: number): string => (Math.abs(n) >= 100 ? n.toFixed(0) : Number(n.toPrecision(3)).toString());
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Text of docs/benchmarks.md, from bench/results.json. */
export function benchmarksPage({ machine, suites }: Results): string {
  const parts = Object.entries(suites).map(([suite, rows]) => {
    const lines = rows.map((row) => {
      const holdsText = holds(row) ? 'yes' : '**no**';
      return `| ${cell(row.what)} | ${rounded(row.value)} | ${row.holds} ${row.bar} | ${holdsText} | ${cell(row.note)} |`;
    });
    return `## ${suite}\n\n| Measured | Value | Limit | Within | Details |\n|---|---|---|---|---|\n${lines.join('\n')}\n`;
  });
  return `# Benchmarks

\`npm run bench\` measures every suite; \`npm run bench -- gateway forum\` measures the suites that are named. Nearly every value is a ratio to a
reference that runs in turns with it in the same run (bare Fastify, \`JSON.parse\`, another library), so that it holds on other machines, too.
Absolute values, in the last column, hold for the machine alone. A value beyond its limit makes the run fail. Measure on a machine that does nothing
else; some suites need PostgreSQL and Redis (\`npm run services\`) or the recordings.

The run writes \`bench/results.json\` and this page. The values below are the last of each suite; the last run was on ${machine.day} on ${machine.cpu}, ${machine.cores} cores,
${machine.memoryGiB} GiB, Node ${machine.node}. The machine also did other work, and its speed changed between runs: values marked **no** are beyond their limit there.

${parts.join('\n')}`;
}
