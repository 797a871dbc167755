import type { Watch, WatchCheck } from '../../contract/account/watch-schemas.ts';
import { ApiError, api } from '../app/session.ts';
import { wordsOf } from '../parts/page.tsx';
import { watchPath } from '../watches/watch.tsx';

export interface NewKeyword {
  readonly line: number;
  readonly keyword: string;
  readonly body: object;
}
export interface Progress {
  readonly made: number;
  readonly checked: number;
  readonly credits: number;
  readonly failed: readonly { readonly line: number; readonly keyword: string; readonly why: string }[];
}

/** Requests at a time. */
const AT_ONCE = 3;
const [WAIT_MS, MOST_WAITS] = [1_000, 60];
/** Asks again while the service limits the rate. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waits = 0; ; waits++)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || waits === MOST_WAITS || signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
}

/** Makes a watch for each keyword, and checks each once if asked to; `said` is told how far it is. What was made stays where it is stopped. */
export async function makeWatches(
  keywords: readonly NewKeyword[],
  { isChecked, said, signal }: { readonly isChecked: boolean; readonly said: (progress: Progress) => void; readonly signal: AbortSignal },
): Promise<Progress> {
  let progress: Progress = { made: 0, checked: 0, credits: 0, failed: [] };
  const say = (change: Partial<Progress>): void => {
    progress = { ...progress, ...change };
    said(progress);
  };
  const waiting = [...keywords];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const { line, keyword, body } = next;
      try {
        const { watchId } = await patiently(() => api<Watch>('/v1/account/watches', { method: 'POST', body, signal }), signal);
        say({ made: progress.made + 1 });
        if (!isChecked || signal.aborted) continue;
        const { credits, outcome, code } = await patiently(
          () => api<WatchCheck>(watchPath(watchId, '/run'), { method: 'POST', signal }),
          signal,
        );
        const isAnswered = outcome !== 'failed' && outcome !== 'skipped';
        say({ credits: progress.credits + credits, checked: progress.checked + Number(isAnswered) });
        if (!isAnswered)
          say({ failed: [...progress.failed, { line, keyword, why: `is watched; its first check ended as ${outcome}: ${code}` }] });
      } catch (error) {
        if (signal.aborted) return;
        say({ failed: [...progress.failed, { line, keyword, why: wordsOf(error) }] });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return progress;
}
