import { notJudged } from './outcome.ts';
import type { Ran } from './run.ts';

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** The tests of a file, one per line, and the file's own output. */
export function describeFile({ file, ms, cpuMs, reports, output }: Ran): string {
  const lines = [`${file} (${seconds(ms)}, ${seconds(cpuMs)} of CPU time)`];
  for (const report of reports) {
    if (!('suite' in report)) continue;
    const indent = '  '.repeat(report.nesting + 1);
    if (report.type === 'skip') lines.push(`${indent}﹣ ${report.name} # ${report.why}`);
    else lines.push(`${indent}${report.type === 'pass' ? '✔' : '✖'} ${report.name} (${Math.round(report.ms)} ms)`);
  }
  if (output.trim()) lines.push(output.trimEnd().replace(/^/gm, '  │ '));
  return lines.join('\n');
}

const SLOWEST = 10;

/** The slowest files, one per line; empty for a short run. */
export function describeSlowest(all: readonly Ran[], cpuMs: number): string {
  if (all.length <= SLOWEST) return '';
  const slowest = [...all].sort((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const total = all.reduce((ms, ran) => ms + ran.ms, 0);
  return [
    `${all.length} files took ${seconds(total)} one after another and ${seconds(cpuMs)} of CPU time; the slowest, each with its CPU time:`,
    ...slowest.map((ran) => `  ${seconds(ran.ms).padStart(8)} ${seconds(ran.cpuMs).padStart(8)}  ${ran.file}`),
  ].join('\n');
}

/** Skipped tests by reason, flaky files, tests of real time that were not judged, and the counts on the last line. */
export function describeRun(all: readonly Ran[], flaky: readonly string[]): { text: string; good: boolean } {
  const skips = new Map<string, number>();
  for (const why of all.flatMap((ran) => ran.skips)) skips.set(why, (skips.get(why) ?? 0) + 1);
  const lines = [...skips].map(([why, n]) => `skipped ${n}: ${why}`);
  if (flaky.length) lines.push(`flaky (failed beside others, passed alone): ${flaky.join(', ')}`);
  const passed = all.reduce((n, ran) => n + ran.passed, 0);
  const failed = all.reduce((n, ran) => n + ran.failures.length, 0);
  const skipped = all.reduce((n, ran) => n + ran.skips.length, 0);
  lines.push(`${all.flatMap(notJudged).length} not judged`);
  lines.push(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return { text: lines.join('\n'), good: failed === 0 && passed > 0 };
}
