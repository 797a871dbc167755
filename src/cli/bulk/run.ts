import type { Operation } from '../../contract/operations/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { instant } from '../../runtime/clock.ts';
import type { Answerer, LineAnswer } from './answerer.ts';
import type { OutputLine } from './line.ts';
import type { Plan } from './plan.ts';

/** Codes that say nothing of the line: the service refuses or cannot be reached. The line is asked again when the service answers. */
const TRY_LATER: readonly string[] = [
  'RATE_LIMITED',
  'OVERLOADED',
  'UNAVAILABLE',
  'CONNECTION_FAILED',
  'UNEXPECTED_ANSWER',
  'DEADLINE_EXCEEDED',
];
/** Codes of a failure at the source: after several in a row it is the source's, not the line's. */
const isSourceFailure = (code: string): boolean => /^UPSTREAM_|^NOT_IMPLEMENTED$|^INTERNAL_ERROR$/.test(code);
/** Codes that every further line would meet too. */
const STOP: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN', 'INSUFFICIENT_CREDITS'];

const RETRIES = 3;
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** A longer wait is not begun: the line stays open, and another run asks it. */
const MAX_WAIT_MS = 900_000;
/** Lines in a row that fail at the source before the run pauses. */
const STREAK = 10;
const PAUSE_MS = 30_000;

export interface RunOptions {
  readonly plan: Plan;
  readonly answerer: Answerer;
  /** Indices to ask, each the first of its duplicates, in order. */
  readonly todo: readonly number[];
  readonly concurrency: number;
  /** Lookups a second; null: no limit. */
  readonly rate: number | null;
  /** Credits that this run may spend; null: no limit. */
  readonly maxCredits: number | null;
  /** Price of a lookup in credits. */
  priceOf(index: number, operation: Operation): number;
  requestIdOf(index: number): string;
  /** An answer that is final. Throws where it cannot be written. */
  write(index: number, line: OutputLine): void;
  readonly clock: Clock;
  random(): number;
  /** Says why the run pauses, and until when. */
  onPause(reason: string, untilMs: number): void;
  /** Nothing was answered for so long: the run stops. */
  readonly giveUpMs: number;
  /** Aborted: no further line is asked; those that run are awaited. */
  readonly stop: AbortSignal;
}
/** How a run ended. `stopped`: why lines are left; null: all are written. `lost`: answers may have been charged that did not arrive. */
export interface RunEnd {
  readonly stopped: string | null;
  readonly lost: boolean;
}

interface Waiting {
  readonly index: number;
  /** Attempts that failed for reasons of the line. */
  readonly failures: number;
  readonly notBefore: number;
  /** When it was first asked; null: not yet. */
  readonly since: number | null;
}
/** A line that failed at the source for the last time, and is written if the source answers others. */
interface Unwritten {
  readonly line: Waiting;
  readonly result: LineAnswer['result'];
  readonly at: number;
}

/** Asks all lines: as many at a time as allowed, fewer while the service answers 429 or 503 or cannot be reached, none while a source fails for all. */
export async function run(options: RunOptions): Promise<RunEnd> {
  const { clock, plan, answerer, todo, stop } = options;
  const later: Waiting[] = [];
  /** Lines that failed at the source since the last answer, and those that wait for a source longer than this run does. */
  const streak = new Set<number>();
  const aside: number[] = [];
  const unwritten: Unwritten[] = [];
  let openAtMs = 0;
  let pauses = 0;
  let next = 0;
  let last = todo.length;
  let active = 0;
  let allowed = options.concurrency;
  let pausedUntil = 0;
  let refusals = 0;
  let lastAnswerAt = clock.now();
  let nextStartAt = 0;
  let spent = 0;
  let reserved = 0;
  let stopped: string | null = null;
  let lost = false;
  let failure: { readonly error: unknown } | null = null;
  let wake = new AbortController();

  const backoffMs = (attempt: number): number => options.random() * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** attempt) + 50;

  /** The next line that may be asked now; null: none. */
  function take(now: number): Waiting | null {
    // a file may be in the order of its sources: the last lines show whether all fail
    const isProbe = streak.size >= STREAK && next < last;
    const due = isProbe ? -1 : later.findIndex((w) => w.notBefore <= now);
    if (due >= 0) return later.splice(due, 1)[0] ?? null;
    if (next >= last) return null;
    const index = todo[isProbe ? --last : next++] ?? 0;
    return { index, failures: 0, notBefore: 0, since: null };
  }

  /** Starts as many lines as may run now. */
  function start(): void {
    while (!stopped && !failure && active < Math.floor(allowed)) {
      const now = clock.now();
      if (now < pausedUntil || now < nextStartAt) return;
      const line = take(now);
      if (!line) return;
      const price = options.priceOf(line.index, plan.read(line.index).operation);
      if (options.maxCredits !== null && spent + reserved + price > options.maxCredits) {
        later.unshift({ ...line, notBefore: 0 });
        // answers from the cache may still give credits back
        if (active === 0)
          stopped = `the next line costs up to ${price} credits, and ${spent} of --max-credits ${options.maxCredits} are spent`;
        return;
      }
      if (options.rate !== null) nextStartAt = Math.max(now, nextStartAt) + 1000 / options.rate;
      active++;
      reserved += price;
      void ask({ ...line, since: line.since ?? now })
        .catch((error: unknown) => {
          failure = { error };
        })
        .finally(() => {
          active--;
          reserved -= price;
          wake.abort(null);
        });
    }
  }

  async function ask(line: Waiting): Promise<void> {
    const { index, since } = line;
    const maxStale = Math.ceil((clock.now() - (since ?? 0)) / 1000);
    const { operation, texts, input } = plan.read(index);
    const requestId = options.requestIdOf(index);
    const answer = await answerer.ask({ operation, input, requestId, maxCredits: options.priceOf(index, operation), maxStale });
    const now = clock.now();
    lost ||= answer.lost;
    spent += answer.result.credits;
    const { error } = answer.result;
    if (error && STOP.includes(error.code)) {
      stopped ??= `${error.code}: ${error.message}`;
      later.push(line);
      return;
    }
    if (error?.retryable && TRY_LATER.includes(error.code)) {
      later.push(line);
      slowDown(answer, now);
      return;
    }
    if (error && isSourceFailure(error.code)) {
      noteFailure(line, answer, now);
      return;
    }
    lastAnswerAt = now;
    refusals = 0;
    pauses = 0;
    streak.clear();
    allowed = Math.min(options.concurrency, allowed + 1 / allowed);
    options.write(index, { line: plan.lineOf(index), input: texts, ...answer.result, at: instant(now) });
    writeFailed();
  }

  /** The source answers others: what failed there for the last time is the line's own. */
  function writeFailed(): void {
    for (const { line, result, at } of unwritten.splice(0))
      options.write(line.index, { line: plan.lineOf(line.index), input: plan.read(line.index).texts, ...result, at: instant(at) });
  }

  /** A failure at the source: the line is asked again, or kept for the decision whether it is its own. */
  function noteFailure(line: Waiting, { result, retryAfterMs }: LineAnswer, now: number): void {
    streak.add(line.index);
    const waitMs = (retryAfterMs ?? 0) + backoffMs(line.failures);
    if (retryAfterMs !== null && retryAfterMs > MAX_WAIT_MS) {
      openAtMs = Math.max(openAtMs, now + retryAfterMs);
      aside.push(line.index);
    } else if ((result.error?.retryable || retryAfterMs !== null) && line.failures < RETRIES)
      later.push({ ...line, failures: line.failures + 1, notBefore: now + waitMs });
    else unwritten.push({ line, result, at: now });
    if (streak.size < STREAK || now < pausedUntil) return;
    later.push(...unwritten.splice(0).map((one) => one.line));
    allowed = 1;
    const why = `${streak.size} lines in a row failed at the source; the last one: ${result.error?.code}: ${result.error?.message}`;
    if (openAtMs > now + MAX_WAIT_MS) stopped ??= `${why} The source opens at ${instant(openAtMs)}`;
    else if (pauses > 0 && now - lastAnswerAt > options.giveUpMs) stopped ??= why;
    else pause(why, now, retryAfterMs ?? Math.min(PAUSE_MS * 2 ** pauses++, options.giveUpMs));
  }

  function pause(why: string, now: number, waitMs: number): void {
    pausedUntil = Math.max(pausedUntil, now + waitMs);
    if (waitMs >= PAUSE_MS) options.onPause(why, pausedUntil);
  }

  /** The service refused or was not reached: half as many lines at a time, and none before the time that it states. */
  function slowDown({ retryAfterMs, result }: LineAnswer, now: number): void {
    // lines that were refused together count once
    if (now >= pausedUntil) {
      allowed = Math.max(1, allowed / 2);
      refusals++;
    }
    pause(`the service refuses: ${result.error?.message ?? ''}`, now, retryAfterMs ?? backoffMs(refusals));
    if (now - lastAnswerAt > options.giveUpMs && pausedUntil - now < options.giveUpMs)
      stopped ??= `no lookup was answered for ${Math.round(options.giveUpMs / 1000)} s; the last refusal: ${result.error?.message ?? ''}`;
  }

  /** The next time at which a line may start; null: only an answer changes anything. */
  function nextTime(): number | null {
    if (stopped || active >= Math.floor(allowed)) return null;
    const due = next < last ? 0 : later.length ? Math.min(...later.map((w) => w.notBefore)) : null;
    return due === null ? null : Math.max(due, pausedUntil, nextStartAt);
  }

  const onStop = () => {
    stopped ??= 'it was stopped';
    wake.abort(null);
  };
  stop.addEventListener('abort', onStop);
  if (stop.aborted) onStop();
  try {
    for (;;) {
      start();
      if (active === 0 && (stopped || failure || (next >= last && later.length === 0))) break;
      const until = failure ? null : nextTime();
      const waitMs = until === null ? Number.POSITIVE_INFINITY : Math.max(1, until - clock.now());
      if (!wake.signal.aborted) await clock.sleep(waitMs, wake.signal);
      wake = new AbortController();
    }
  } finally {
    stop.removeEventListener('abort', onStop);
  }
  const failed = failure as { readonly error: unknown } | null;
  if (failed) throw failed.error;
  if (!stopped) writeFailed();
  if (aside.length) stopped ??= `${aside.length} of them wait for a source that opens at ${instant(openAtMs)}`;
  return { stopped, lost };
}
