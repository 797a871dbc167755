import type { Journal } from './journal.ts';
import type { Plan } from './plan.ts';
import { durationText, grouped, plural } from './progress.ts';

export interface Summary {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly words: string;
  readonly exitCode: 0 | 1;
}

interface Ended {
  /** Why lines are left; null: none are. */
  readonly stopped: string | null;
  readonly elapsedMs: number;
  /** Null: standard output. */
  readonly output: string | null;
}

/** Counts of all lines of the output. Exit code 1: lines are left, or failed for reasons that another run may cure. */
export function summaryOf(plan: Plan, output: Journal, { stopped, elapsedMs, output: path }: Ended): Summary {
  const failed: Record<string, number> = {};
  let [found, notFound, retryable, missing] = [0, 0, 0, 0];
  for (let index = 0; index < plan.size; index++) {
    const state = output.stateOf(index);
    const code = output.codeOf(index);
    if (state === 'missing') missing++;
    else if (state === 'ok') found++;
    else if (code === 'NOT_FOUND') notFound++;
    else failed[code ?? ''] = (failed[code ?? ''] ?? 0) + 1;
    if (state === 'retryable') retryable++;
  }
  const codes = Object.entries(failed).map(([code, count]) => `${grouped(count)} ${code}`);
  const words = [
    `${grouped(found)} found, ${grouped(notFound)} not found, ${codes.length ? `failed: ${codes.join(', ')}` : '0 failed'}; ${plural(output.credits, 'credit')}, ${durationText(elapsedMs)}.`,
    ...(missing
      ? [`${plural(missing, 'line is', 'lines are')} left${stopped ? `: ${stopped}` : ''}. Run the same command again to go on.`]
      : []),
    ...(retryable && path ? [`${plural(retryable, 'line')} may succeed later: run again with --retry-failed.`] : []),
  ].join('\n');
  const facts = {
    lines: plan.size,
    found,
    notFound,
    failed,
    missing,
    retryable,
    credits: output.credits,
    elapsedMs,
    stopped,
    output: path,
  };
  return { facts, words, exitCode: missing || retryable ? 1 : 0 };
}
