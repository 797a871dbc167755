import { visibleJson } from '../../contract/errors.ts';
import type { Lookup, Plan } from '../../contract/lists/input.ts';
import { durationText, forTerminal, grouped, plural } from '../terminal.ts';
import type { Answerer } from './answerer.ts';
import type { Journal } from './journal.ts';

const BAR_WIDTH = 24;

/** The price of the lookups that are to be asked, and the limits that they would meet. */
export function offerOf(
  { lookups, unreadable }: Plan,
  journal: Journal,
  todo: readonly Lookup[],
  { priceOf, available, limitsFor }: Answerer,
) {
  const counts = new Map([...Map.groupBy(todo, ({ operation }) => operation.id)].map(([id, of]) => [id, of.length]));
  return {
    lookups: todo.length,
    duplicates: lookups.filter(({ first }) => first).length,
    /** Lines that are answered as failed without being asked. */
    unreadable: unreadable.length,
    /** Lines that an earlier run answered. */
    answered: lookups.filter(journal.rowOf).length,
    credits: todo.reduce((sum, lookup) => sum + priceOf(lookup), 0),
    available,
    limits: limitsFor(counts),
  };
}

export function offerText({ lookups, duplicates, unreadable, answered, credits, available, limits }: ReturnType<typeof offerOf>): string {
  const parts = [plural(lookups, 'lookup')];
  if (available !== null) parts.push(`at most ${plural(credits, 'credit')}`, `you have ${grouped(available)}`);
  const notes = [
    duplicates > 0 && `${duplicates === 1 ? '1 is a duplicate and costs' : `${grouped(duplicates)} are duplicates and cost`} once`,
    unreadable > 0 && `${plural(unreadable, 'line')} cannot be read and ${unreadable === 1 ? 'fails' : 'fail'} free of charge`,
    answered > 0 && `${plural(answered, 'line is', 'lines are')} answered already`,
    available !== null && credits > available && 'the run stops when your credits are spent',
    ...limits,
  ].filter((note) => note !== false);
  return `${[parts.join(', '), ...notes].join('; ')}.`;
}

function tallyOf(plan: Plan, journal: Journal) {
  const failed = new Map<string, number>();
  let [found, notFound, retryable, missing, credits] = [0, 0, 0, 0, 0];
  for (const lookup of plan.lines) {
    const row = journal.rowOf(lookup);
    if (!row) missing++;
    else if (row.ok) found++;
    else if (row.code === 'NOT_FOUND') notFound++;
    else failed.set(row.code ?? '', (failed.get(row.code ?? '') ?? 0) + 1);
    if (row?.retryable) retryable++;
    if (!lookup.first) credits += row?.credits ?? 0;
  }
  return { lines: plan.lines.length, found, notFound, failed: Object.fromEntries(failed), missing, retryable, credits };
}

type Progress = ReturnType<typeof progressOf>;
export function progressOf(plan: Plan, journal: Journal, answered: number, todo: number, elapsedMs: number) {
  const { lines, found, missing, credits } = tallyOf(plan, journal);
  const perSecond = elapsedMs > 0 ? (answered * 1000) / elapsedMs : 0;
  /** Null before the first answer. */
  const leftMs = perSecond > 0 ? ((todo - answered) * 1000) / perSecond : null;
  return { lines, done: lines - missing, failed: lines - missing - found, credits, perSecond, leftMs };
}

function progressText({ lines, done, failed, credits, perSecond, leftMs }: Progress): string {
  return [
    `${grouped(done)}/${grouped(lines)}`,
    `${grouped(failed)} failed`,
    plural(credits, 'credit'),
    `${perSecond < 10 ? perSecond.toFixed(1) : grouped(Math.round(perSecond))}/s`,
    leftMs === null ? '…' : `${durationText(leftMs)} left`,
  ].join(' · ');
}
function progressBar(progress: Progress): string {
  const share = progress.done / progress.lines;
  const bar = '█'.repeat(Math.floor(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
  return `${bar} ${`${Math.floor(share * 100)} %`.padStart(5)} · ${progressText(progress)}`;
}

/** Everything that a run says: for people on standard error, with `--json` as events on standard output. */
export type Reporter = ReturnType<typeof createReporter>;
export function createReporter(json: boolean, now: () => number) {
  const { stdout, stderr } = process;
  const isBar = !json && stderr.isTTY;
  let shownAt = now();
  const clear = () => void (isBar && stderr.write('\r\x1b[K'));
  const event = (name: string, facts: Readonly<Record<string, unknown>>, words: string): void => {
    clear();
    if (json) stdout.write(`${visibleJson({ event: name, ...facts })}\n`);
    else stderr.write(`${forTerminal(words)}\n`);
  };
  return {
    event,
    clear,
    notice: (text: string) => event('notice', { text }, text),
    /** Shows how far the run is, at most as often as the kind of output bears. */
    progress(progressNow: () => Progress): void {
      if (now() - shownAt < (isBar ? 200 : 10_000)) return;
      shownAt = now();
      const progress = progressNow();
      if (isBar) stderr.write(`\r\x1b[K${progressBar(progress)}`);
      else event('progress', progress, progressText(progress));
    },
  };
}

/** Says how the run ended. Exit code 1: lines are left, or failed for reasons that another run may cure. `output` is null for standard output. */
export function reportEnd(
  reporter: Reporter,
  plan: Plan,
  journal: Journal,
  end: { readonly stopped: string | null; readonly elapsedMs: number; readonly output: string | null },
): 0 | 1 {
  const tally = tallyOf(plan, journal);
  const { found, notFound, failed, missing, retryable, credits } = tally;
  const codes = Object.entries(failed).map(([code, count]) => `${grouped(count)} ${code}`);
  const left = `${plural(missing, 'line is', 'lines are')} left${end.stopped ? `: ${end.stopped}` : ''}. Run the same command again to go on.`;
  const words = [
    `${grouped(found)} found, ${grouped(notFound)} not found, ${codes.length ? `failed: ${codes.join(', ')}` : '0 failed'}; ${plural(credits, 'credit')}, ${durationText(end.elapsedMs)}.`,
    ...(missing ? [left] : []),
    ...(retryable && end.output ? [`${plural(retryable, 'line')} may succeed later: run again with --retry-failed.`] : []),
  ];
  reporter.event('summary', { ...tally, ...end }, words.join('\n'));
  return missing || retryable ? 1 : 0;
}
