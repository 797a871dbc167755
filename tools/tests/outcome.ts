import type { Report } from './report.ts';

/** How a file's process came to its end. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** the limit that it ran past, and was killed for */
  ranPastMs?: number;
  /** what it started and left running */
  leftBehind: readonly string[];
}

export interface Outcome {
  passed: number;
  failures: string[];
  skips: string[];
}

/** What came of one file: its tests one by one, and the process itself, which must report everything and then end by itself, well. */
export function judge(reports: readonly Report[], ending: Ending, output: string): Outcome {
  const outcome: Outcome = { passed: 0, failures: [], skips: [] };
  let tests = 0;
  for (const report of reports) {
    // a suite is no test, but its hooks may fail with every test well
    if (report.type === 'fail' && (!report.suite || report.ownFault)) outcome.failures.push(`${report.name}\n${report.error}`);
    // a suite that is skipped does not say how many tests it holds
    if (report.type === 'skip') outcome.skips.push(report.why);
    if (!('suite' in report) || report.suite) continue;
    tests++;
    if (report.type === 'pass') outcome.passed++;
  }
  const fault = faultOfProcess(reports, ending, tests, outcome);
  if (fault) outcome.failures.push(`${fault}\n${output.trimEnd().split('\n').slice(-20).join('\n')}`.trimEnd());
  if (ending.leftBehind.length) outcome.failures.push(`the file left processes running:\n${ending.leftBehind.join('\n')}`);
  return outcome;
}

function faultOfProcess(reports: readonly Report[], ending: Ending, tests: number, { failures, skips }: Outcome): string | undefined {
  const unfinished = running(reports);
  const during = unfinished.length ? `, in: ${unfinished.join(', ')}` : '';
  const open = reports.find((r) => r.type === 'open');
  if (open) return `the file reported everything and did not end; it holds ${open.resources.join(', ') || 'nothing that Node knows'}`;
  if (ending.ranPastMs !== undefined) return `the file ran past its limit of ${ending.ranPastMs / 1000} s${during}`;
  if (ending.signal) return `the file was ended by ${ending.signal}${during}`;
  if (ending.code && !failures.length) return `the file exited with ${ending.code} without a failed test`;
  const end = reports.find((r) => r.type === 'end');
  if (!end && reports.length) return `the file exited with ${ending.code} before its tests were done${during}`;
  if (!tests && !failures.length && !skips.length) return 'the file reported no test';
  if (end && end.tests !== tests) return `the file ran ${end.tests} tests and reported ${tests}`;
  return undefined;
}

/** The tests that were begun and came to no result. */
function running(reports: readonly Report[]): string[] {
  const done = new Set(reports.flatMap((r) => ('suite' in r ? [r.id] : [])));
  return reports.flatMap((r) => (r.type === 'start' && !done.has(r.id) ? [r.name] : []));
}
