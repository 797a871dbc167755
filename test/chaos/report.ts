import { cpus } from 'node:os';
import type { Verdict } from './check.ts';

export interface ReportParts {
  readonly seconds: number;
  readonly seed: number;
  readonly requests: number;
  readonly upstream: number;
  readonly disturbances: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly report: Verdict;
  /** Error lines in the fleet's logs. */
  readonly logs: readonly string[];
}

const rows = (figures: Readonly<Record<string, number>>): string =>
  Object.entries(figures)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, n]) => `| ${what} | ${n} |`)
    .join('\n');

/** Markdown report: injected faults, checks and violations. */
export function reportOf({ seconds, seed, requests, upstream, disturbances, faults, report, logs }: ReportParts): string {
  const kinds = Map.groupBy(logs, (line) => (JSON.parse(line) as { msg?: string }).msg ?? '');
  return `# Chaos

Two gateways, three workers, Redis and PostgreSQL on one machine (${cpus().length} cores, Node ${process.version}), every process with a clock
of its own, wrong by up to two minutes. ${seconds} s of load, seed ${seed}: ${requests} requests from outside, ${upstream} upstream requests.

**${report.violations.length} violations**

## What was done

| To the fleet | Times |
|---|---|
${rows(disturbances)}

| At the platforms | Times |
|---|---|
${rows(faults)}

## What was checked

- Every request got one answer of the contract, to this question and under its own id, unless its gateway was killed under it; a frozen one
  answers when it is thawed, and one that is asked to end answers first. 402 only to the account that ran out, 503 \`UNAVAILABLE\` only while the
  store was away.
- Every capture belongs to exactly one whole 200, of the credits that it says. A 200 has its hold before its first byte, and its capture after
  it, unless its gateway was killed before the last byte or within the flush window after it, or frozen there for longer than the hold lives.
  The window is what this run's other captures showed, doubled. Nothing else is charged.
- Balance and held credits of every account are the sum of its entries and of its open holds, and never negative.
- Nothing was sent on a hold that was over. Now and then a gateway is frozen for longer than a
  hold lives (12 s here) while it has requests in hand; one answer a freeze may be caught between the look at its hold and the write, and is free.
- No two upstream requests for one question at one time, but for a job that was taken over: its process was frozen for longer than its lock
  lasts, or Redis, which keeps the locks, was away. (The directories of registries, which each worker reads for itself, are no question.)
- No process ended by itself.
- In no sliding second a platform saw more requests than its pace allows, 40 ms of way allowed for. Counted where they came in, WHOIS included.
- A process that is asked to end does so.

| Counted | |
|---|---|
${rows(report.figures)}

${report.violations.length ? `## Violations\n\n${report.violations.map((v) => `- ${v}`).join('\n')}\n` : ''}
## Errors in the logs

${[...kinds].map(([message, lines]) => `- ${lines.length} × ${message}`).join('\n') || 'none'}
`;
}
