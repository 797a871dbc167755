import { cpus } from 'node:os';
import type { Verdict } from './check.ts';

export interface ReportParts {
  readonly seconds: number;
  readonly seed: number;
  readonly requests: number;
  readonly upstream: number;
  readonly havoc: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly report: Verdict;
  /** Lines that the fleet logged as errors. */
  readonly logs: readonly string[];
}

const rows = (figures: Readonly<Record<string, number>>): string =>
  Object.entries(figures)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([what, n]) => `| ${what} | ${n} |`)
    .join('\n');

/** What was done to the fleet, what was checked, and what was found. */
export function reportOf({ seconds, seed, requests, upstream, havoc, faults, report, logs }: ReportParts): string {
  const kinds = Map.groupBy(logs, (line) => (JSON.parse(line) as { msg?: string }).msg ?? '');
  return `# Chaos

Two gateways, three workers, Redis and PostgreSQL on one machine (${cpus().length} cores, Node ${process.version}), every process with a clock
of its own, wrong by up to two minutes. ${seconds} s of load, seed ${seed}: ${requests} requests from outside, ${upstream} upstream requests.

**${report.violations.length} violations**

## What was done

| To the fleet | Times |
|---|---|
${rows(havoc)}

| At the platforms | Times |
|---|---|
${rows(faults)}

## What was checked

- Every request got one answer of the contract, unless its gateway ended under it.
- Every capture belongs to exactly one whole 200; a 200 without its capture only where a kill took it before the flush; nothing else is charged.
- The balance of every account is the sum of its entries, and never negative.
- No answer was sent on a hold that was over.
- No two upstream requests for one question at one time, but where a job was taken over from a process that was frozen, killed or cut off.
- In no sliding second did a platform see more requests than its pace allows.

| Counted | |
|---|---|
${rows(report.figures)}

${report.violations.length ? `## Violations\n\n${report.violations.map((v) => `- ${v}`).join('\n')}\n` : ''}
## Errors in the logs

${[...kinds].map(([message, lines]) => `- ${lines.length} × ${message}`).join('\n') || 'none'}
`;
}
