/** What a test file tells the runner, one JSON line each: `reporter.ts` writes them in the file's process, `outcome.ts` judges them. */
export type Report =
  | { type: 'start'; id: number; name: string }
  | { type: 'pass'; id: number; name: string; nesting: number; ms: number; suite: boolean }
  | { type: 'skip'; id: number; name: string; nesting: number; why: string; suite: boolean }
  | { type: 'fail'; id: number; name: string; nesting: number; ms: number; error: string; suite: boolean; ownFault: boolean }
  /** the process ends, with so many tests by Node's own count */
  | { type: 'end'; tests: number }
  /** everything is reported, and these hold the process all the same */
  | { type: 'open'; resources: string[] };

/** Whole lines only: a process that was killed may have left the last one half written. */
export function readReports(text: string): Report[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Report);
}
