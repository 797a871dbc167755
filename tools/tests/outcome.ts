import type { Report } from './report.ts';

/** How the process of a test file ended. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** the time limit that it exceeded, for which it was killed */
  ranPastMs?: number;
  /** processes that it started and left running */
  leftBehind: readonly string[];
}

export interface Outcome {
  passed: number;
  failures: string[];
  skips: string[];
}

/** A test of real time that failed while the machine stood still (`test/support/real-time.ts`) is among the skips with this reason. */
export const notJudged = ({ skips }: Pick<Outcome, 'skips'>): readonly string[] => skips.filter((why) => why.startsWith('not judged: '));

/** Result of one file in its own process: its tests, and the process, which must report everything, then exit, with code 0. */
export function judge(reports: readonly Report[], ending: Ending, output: string): Outcome {
  const { tests, outcome } = countTests(reports);
  const fault = faultOfProcess(reports, ending, tests, outcome);
  if (fault) outcome.failures.push(`${fault}\n${lastLines(output)}`.trimEnd());
  return outcome;
}

/** CPU time of a process, with its children that ended. */
export const cpuMsOf = (reports: readonly Report[]): number => reports.reduce((ms, r) => (r.type === 'cpu' ? r.ms : ms), 0);

export interface FileReports {
  readonly file: string;
  readonly ms: number;
  readonly cpuMs: number;
  readonly reports: readonly Report[];
  readonly outcome: Outcome;
}
/**
 * Results of files that ran in one process (`together.ts`), each in its own suite. A fault of the process is one of each file that was not
 * done; of every file, if all were done.
 */
export function judgeTogether(files: readonly string[], reports: readonly Report[], ending: Ending, output: string): FileReports[] {
  const all = new Map<string, FileReports>();
  let own: Report[] = [];
  let [cpuMs, before] = [0, 0];
  for (const report of reports) {
    if (report.type === 'cpu') cpuMs = report.ms;
    if (!('suite' in report)) continue;
    if (report.nesting > 0) own.push({ ...report, nesting: report.nesting - 1 });
    else if (files.includes(report.name)) {
      if (report.type === 'fail' && report.ownFault) own.push(report);
      const { tests, outcome } = countTests(own);
      if (!tests && !outcome.failures.length && !outcome.skips.length) outcome.failures.push(NO_TEST);
      all.set(report.name, { file: report.name, ms: 'ms' in report ? report.ms : 0, cpuMs: cpuMs - before, reports: own, outcome });
      own = [];
      before = cpuMs;
    }
  }
  const { tests, outcome } = countTests(reports);
  const fault = faultOfProcess(reports, ending, tests, outcome);
  const done = all.size === files.length;
  return files.map((file) => {
    const it = all.get(file) ?? { file, ms: 0, cpuMs: 0, reports: [], outcome: { passed: 0, failures: [], skips: [] } };
    if (fault && (done || !all.has(file)))
      it.outcome.failures.push(`of the process of ${files.length} files: ${fault}\n${lastLines(output)}`.trimEnd());
    return it;
  });
}

const NO_TEST = 'the file reported no test';
export const lastLines = (output: string): string => output.trimEnd().split('\n').slice(-20).join('\n');

function countTests(reports: readonly Report[]): { tests: number; outcome: Outcome } {
  const outcome: Outcome = { passed: 0, failures: [], skips: [] };
  let tests = 0;
  for (const report of reports) {
    // a suite is not counted as a test, but its hooks may fail although every test passed
    if (report.type === 'fail' && (!report.suite || report.ownFault)) outcome.failures.push(`${report.name}\n${report.error}`);
    // a skipped suite does not report its number of tests
    if (report.type === 'skip') outcome.skips.push(report.why);
    if (!('suite' in report) || report.suite) continue;
    tests++;
    if (report.type === 'pass') outcome.passed++;
  }
  return { tests, outcome };
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
  if (!tests && !failures.length && !skips.length) return NO_TEST;
  if (end && end.tests !== tests) return `the file ran ${end.tests} tests and reported ${tests}`;
  if (ending.leftBehind.length) return `the file left processes running:\n${ending.leftBehind.join('\n')}`;
  return undefined;
}

/** Tests that started and reported no result. */
function running(reports: readonly Report[]): string[] {
  const done = new Set(reports.flatMap((r) => ('suite' in r ? [r.id] : [])));
  return reports.flatMap((r) => (r.type === 'start' && !done.has(r.id) ? [r.name] : []));
}
