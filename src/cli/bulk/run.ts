import type { Clock } from '../../runtime/clock.ts';
import { instant } from '../../runtime/clock.ts';
import type { Answerer, LineAnswer } from './answerer.ts';
import type { OutputLine } from './format.ts';
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
/** Codes that every further line would meet too. */
const STOP: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN', 'INSUFFICIENT_CREDITS'];

const RETRIES = 3;
const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** A line whose source asks for a longer wait fails now; `--retry-failed` asks it again. */
const MAX_LINE_WAIT_MS = 120_000;

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
  priceOf(index: number): number;
  requestIdOf(index: number): string;
  /** An answer that is final. Throws where it cannot be written. */
  write(index: number, line: OutputLine): void;
  readonly clock: Clock;
  random(): number;
  /** The service did not answer for so long: the run stops. */
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

/** Asks all lines: as many at a time as allowed, fewer while the service answers 429 or 503 or cannot be reached. */
export async function run(options: RunOptions): Promise<RunEnd> {
  const { clock, plan, answerer, todo, stop } = options;
  const later: Waiting[] = [];
  let next = 0;
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
    const due = later.findIndex((w) => w.notBefore <= now);
    if (due >= 0) return later.splice(due, 1)[0] ?? null;
    const index = todo[next];
    if (index === undefined) return null;
    next++;
    return { index, failures: 0, notBefore: 0, since: null };
  }

  /** Starts as many lines as may run now. */
  function start(): void {
    while (!stopped && !failure && active < Math.floor(allowed)) {
      const now = clock.now();
      if (now < pausedUntil || now < nextStartAt) return;
      const line = take(now);
      if (!line) return;
      const price = options.priceOf(line.index);
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
    const { texts, input } = plan.read(index);
    const requestId = options.requestIdOf(index);
    const answer = await answerer.ask({ input, requestId, maxCredits: options.priceOf(index), maxStale });
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
    lastAnswerAt = now;
    refusals = 0;
    allowed = Math.min(options.concurrency, allowed + 1 / allowed);
    if (error?.retryable && line.failures < RETRIES) {
      const waitMs = (answer.retryAfterMs ?? 0) + backoffMs(line.failures);
      if (waitMs <= MAX_LINE_WAIT_MS) {
        later.push({ ...line, failures: line.failures + 1, notBefore: now + waitMs });
        return;
      }
    }
    options.write(index, { line: plan.lineOf(index), input: texts, ...answer.result, at: instant(now) });
  }

  /** The service refused or was not reached: half as many lines at a time, and none before the time that it states. */
  function slowDown({ retryAfterMs, result }: LineAnswer, now: number): void {
    // lines that were refused together count once
    if (now >= pausedUntil) {
      allowed = Math.max(1, allowed / 2);
      refusals++;
    }
    pausedUntil = Math.max(pausedUntil, now + (retryAfterMs ?? backoffMs(refusals)));
    if (now - lastAnswerAt > options.giveUpMs && pausedUntil - now < options.giveUpMs)
      stopped ??= `no lookup was answered for ${Math.round(options.giveUpMs / 1000)} s; the last refusal: ${result.error?.message ?? ''}`;
  }

  /** The next time at which a line may start; null: only an answer changes anything. */
  function nextTime(): number | null {
    if (stopped || active >= Math.floor(allowed)) return null;
    const due = next < todo.length ? 0 : later.length ? Math.min(...later.map((w) => w.notBefore)) : null;
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
      if (active === 0 && (stopped || failure || (next >= todo.length && later.length === 0))) break;
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
  return { stopped, lost };
}
