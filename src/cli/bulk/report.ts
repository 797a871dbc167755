import { forTerminal, terminalJson } from '../terminal.ts';
import { type Counts, leftMsOf, progressBar, progressText, rateOf } from './progress.ts';

const BAR_MS = 200;
const LINE_MS = 10_000;

/** Everything that a run says: for people on standard error, with `--json` as events on standard output. */
export interface Reporter {
  event(name: string, facts: Readonly<Record<string, unknown>>, words: string): void;
  /** Shows the counts, at most as often as the kind of output bears. */
  progress(counts: () => Counts): void;
  /** Removes the bar. */
  clear(): void;
}

interface Streams {
  readonly out: { write(text: string): unknown };
  readonly error: { write(text: string): unknown; readonly isTTY?: boolean };
}

export function createReporter(json: boolean, now: () => number, { out, error }: Streams): Reporter {
  const bar = !json && error.isTTY === true;
  const everyMs = bar ? BAR_MS : LINE_MS;
  let shownAt = now();
  let isBarShown = false;
  const clear = () => {
    if (isBarShown) error.write('\r\x1b[K');
    isBarShown = false;
  };
  const event: Reporter['event'] = (name, facts, words) => {
    if (json) {
      out.write(`${terminalJson({ event: name, ...facts })}\n`);
      return;
    }
    clear();
    error.write(`${forTerminal(words)}\n`);
  };
  return {
    event,
    clear,
    progress(countsNow) {
      if (now() - shownAt < everyMs) return;
      shownAt = now();
      const counts = countsNow();
      if (bar) {
        error.write(`\r\x1b[K${progressBar(counts)}`);
        isBarShown = true;
        return;
      }
      const { lines, done, failed, credits } = counts;
      event('progress', { lines, done, failed, credits, perSecond: rateOf(counts), leftMs: leftMsOf(counts) }, progressText(counts));
    },
  };
}
