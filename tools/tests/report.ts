/**
 * Messages from a test file to the runner, one JSON line each: `reporter.ts` writes them in the file's process, `outcome.ts` evaluates
 * them.
 */
export type Report =
  | { type: 'start'; id: number; name: string }
  | { type: 'pass'; id: number; name: string; nesting: number; ms: number; suite: boolean }
  | { type: 'skip'; id: number; name: string; nesting: number; why: string; suite: boolean }
  | { type: 'fail'; id: number; name: string; nesting: number; ms: number; error: string; suite: boolean; ownFault: boolean }
  /** CPU time of the process and of its ended child processes so far: after each suite or test of the file, and at the exit */
  | { type: 'cpu'; ms: number }
  /** the process exits; number of tests by Node's own count */
  | { type: 'end'; tests: number }
  /** everything is reported, but these resources keep the process alive */
  | { type: 'open'; resources: string[] };

/** Complete lines only: a killed process may have left the last line incomplete. */
export function readReports(text: string): Report[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Report);
}
