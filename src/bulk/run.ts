import { after, type Clock, instant } from '../runtime/clock.ts';
import type { LineAnswer, LineResult } from './lines.ts';

/** Codes of a failure at the source: after several in a row it is the source's, not the line's. */
const isSourceFailure = (code: string): boolean => /^UPSTREAM_|^NOT_IMPLEMENTED$|^INTERNAL_ERROR$/.test(code);
/** Codes that every further line would meet too. */
const STOP: readonly string[] = ['UNAUTHORIZED', 'FORBIDDEN', 'INSUFFICIENT_CREDITS'];

const RETRIES = 3;
/** The run does not wait longer: the line stays open for another run. */
const MAX_WAIT_MS = 900_000;
/** Lines in a row that fail at the source before the run pauses. */
const STREAK = 10;
const PAUSE_MS = 30_000;

export interface RunOptions<Item> {
  readonly todo: readonly Item[];
  readonly concurrency: number;
  readonly rate?: number | undefined;
  readonly maxCredits?: number | undefined;
  readonly clock: Clock;
  random(): number;
  /** Nothing was answered for so long: the run stops. */
  readonly giveUpMs: number;
  /** Aborted: no further line is asked; those that run are awaited. */
  readonly stop: AbortSignal;
  priceOf(item: Item): number;
  /** An answer that expired no more than `maxStale` seconds ago will do. */
  ask(item: Item, maxStale: number, price: number): Promise<LineAnswer>;
  /** An answer that is final. Throws where it cannot be written. Where it takes its time, the line counts as one that runs. */
  write(item: Item, result: LineResult, at: string): void | Promise<void>;
  /** A pause of at least `pauseFromMs` begins; `code` is that of the last refusal. */
  onPause(reason: string, untilMs: number, code: string): void;
  readonly pauseFromMs?: number;
}
/**
 * Why lines are left: `asked` to stop; the `limit` of credits is reached; every further line would be `refused` with this code; a `source` fails for
 * all lines until it opens; nothing was `unanswered` for so long.
 */
export interface StopCause {
  readonly kind: 'asked' | 'limit' | 'refused' | 'source' | 'unanswered';
  readonly code: string | null;
  /** When it makes sense to go on; null: that is not known. */
  readonly untilMs: number | null;
}
/** How a run ended. `stopped`: why lines are left; null: all are written. `lost`: answers may have been charged that did not arrive. */
export interface RunEnd {
  readonly stopped: string | null;
  readonly cause: StopCause | null;
  readonly lost: boolean;
}

interface WaitingLine<Item> {
  readonly item: Item;
  /** Attempts that failed for reasons of the line. */
  readonly failures: number;
  readonly notBefore: number;
  readonly since: number;
}

/** Asks all lines: as many at a time as allowed, fewer while the service answers 429 or 503 or cannot be reached, none while a source fails for all. */
export async function run<Item>(options: RunOptions<Item>): Promise<RunEnd> {
  const { clock, todo, stop, giveUpMs } = options;
  const later: WaitingLine<Item>[] = [];
  /** Lines that failed at the source since the last answer. */
  const streak = new Set<Item>();
  /** Lines that failed at the source for the last time: they are written if it answers others. */
  const unwritten: { readonly line: WaitingLine<Item>; readonly result: LineResult; readonly atMs: number }[] = [];
  let [next, last, active, allowed] = [0, todo.length, 0, options.concurrency];
  let [pausedUntil, nextStartAt, pauses, refusals, spent, reserved] = [0, 0, 0, 0, 0, 0];
  let lastAnswerAt = clock.now();
  let stopped: string | null = null;
  let cause: StopCause | null = null;
  let lost = false;
  let failure: { readonly error: unknown } | null = null;
  let wake = (): void => {};

  function end(why: string, kind: StopCause['kind'], code: string | null = null, untilMs: number | null = null): void {
    stopped ??= why;
    cause ??= { kind, code, untilMs };
  }
  function pause(why: string, code: string, now: number, waitMs: number): void {
    pausedUntil = Math.max(pausedUntil, now + waitMs);
    if (waitMs >= (options.pauseFromMs ?? PAUSE_MS)) options.onPause(why, pausedUntil, code);
  }
  const backoffMs = (attempt: number): number => options.random() * Math.min(15_000, 500 * 2 ** attempt) + 50;

  function take(now: number): WaitingLine<Item> | null {
    // a file may be in the order of its sources: the last lines show whether all fail
    const isProbe = streak.size >= STREAK && next < last;
    const due = isProbe ? -1 : later.findIndex((w) => w.notBefore <= now);
    if (due >= 0) return later.splice(due, 1)[0] ?? null;
    if (next >= last) return null;
    return { item: todo[isProbe ? --last : next++] as Item, failures: 0, notBefore: 0, since: now };
  }

  function start(): void {
    while (!stopped && !failure && active < Math.floor(allowed)) {
      const now = clock.now();
      const line = now < pausedUntil || now < nextStartAt ? null : take(now);
      if (!line) return;
      const price = options.priceOf(line.item);
      if (options.maxCredits !== undefined && spent + reserved + price > options.maxCredits) {
        later.unshift({ ...line, notBefore: 0 });
        // answers from the cache may still give credits back
        if (active === 0)
          end(
            `the next line costs up to ${price} credit${price === 1 ? '' : 's'}, and ${spent} of --max-credits ${options.maxCredits} are spent`,
            'limit',
          );
        return;
      }
      if (options.rate !== undefined) nextStartAt = Math.max(now, nextStartAt) + 1000 / options.rate;
      active++;
      reserved += price;
      void ask(line, price)
        .catch((error: unknown) => {
          failure = { error };
        })
        .finally(() => {
          active--;
          reserved -= price;
          wake();
        });
    }
  }

  async function ask(line: WaitingLine<Item>, price: number): Promise<void> {
    const answer = await options.ask(line.item, Math.ceil((clock.now() - line.since) / 1000), price);
    const now = clock.now();
    lost ||= answer.lost;
    spent += answer.result.credits;
    const { error } = answer.result;
    if (error && STOP.includes(error.code)) {
      end(`${error.code}: ${error.message}`, 'refused', error.code);
      later.push(line);
    } else if (error && isSourceFailure(error.code)) {
      noteFailure(line, answer, now);
    } else if (error?.retryable) {
      // the service refuses or cannot be reached, which says nothing of the line
      later.push(line);
      slowDown(answer, error, now);
    } else {
      lastAnswerAt = now;
      [refusals, pauses] = [0, 0];
      streak.clear();
      allowed = Math.min(options.concurrency, allowed + 1 / allowed);
      await options.write(line.item, answer.result, instant(now));
      await writeFailed();
    }
  }
  async function writeFailed(): Promise<void> {
    for (const { line, result, atMs } of unwritten.splice(0)) await options.write(line.item, result, instant(atMs));
  }

  /** A failure at the source: the line is asked again, or waits for the decision whether it is its own. */
  function noteFailure(line: WaitingLine<Item>, { result, retryAfterMs }: LineAnswer, now: number): void {
    streak.add(line.item);
    const mayPass = result.error?.retryable || retryAfterMs !== null;
    if ((retryAfterMs ?? 0) > MAX_WAIT_MS || (mayPass && line.failures < RETRIES))
      later.push({ ...line, failures: line.failures + 1, notBefore: now + (retryAfterMs ?? 0) + backoffMs(line.failures) });
    else unwritten.push({ line, result, atMs: now });
    if (streak.size < STREAK || now < pausedUntil) return;
    later.push(...unwritten.splice(0).map((one) => one.line));
    allowed = 1;
    const { code = '' } = result.error ?? {};
    const why = `${streak.size} lines in a row failed at the source; the last one: ${result.error?.code}: ${result.error?.message}`;
    const openAt = Math.max(...later.map((w) => w.notBefore));
    if (openAt > now + MAX_WAIT_MS) end(`${why} The source opens at ${instant(openAt)}`, 'source', code, openAt);
    else if (pauses > 0 && now - lastAnswerAt > giveUpMs) end(why, 'unanswered', code);
    else pause(why, code, now, retryAfterMs ?? Math.min(PAUSE_MS * 2 ** pauses++, giveUpMs));
  }

  /** The service refused or was not reached: half as many lines at a time, and none before the time that it states. */
  function slowDown({ retryAfterMs }: LineAnswer, { code, message }: Readonly<Record<'code' | 'message', string>>, now: number): void {
    // lines that were refused together count once
    if (now >= pausedUntil) {
      allowed = Math.max(1, allowed / 2);
      refusals++;
    }
    pause(`the service refuses: ${message}`, code, now, retryAfterMs ?? backoffMs(refusals));
    if (now - lastAnswerAt > giveUpMs && pausedUntil - now < giveUpMs)
      end(`no lookup was answered for ${Math.round(giveUpMs / 1000)} s; the last refusal: ${message}`, 'unanswered', code);
  }

  const earliest = (): number => later.reduce((least, { notBefore }) => Math.min(least, notBefore), Number.POSITIVE_INFINITY);
  /** Milliseconds until a line may start; Infinity if it must wait for a running one. */
  function waitMs(): number {
    if (stopped || failure || active >= Math.floor(allowed)) return Number.POSITIVE_INFINITY;
    return Math.max(1, Math.max(next < last ? 0 : earliest(), pausedUntil, nextStartAt) - clock.now());
  }

  const onStop = () => {
    end('it was stopped', 'asked');
    wake();
  };
  stop.addEventListener('abort', onStop, { once: true });
  for (;;) {
    start();
    if (active === 0 && (stopped || failure || (next >= last && earliest() > clock.now() + MAX_WAIT_MS))) break;
    await new Promise<void>((resolve) => {
      const cancel = after(clock, waitMs(), resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });
  }
  if (failure) throw (failure as { readonly error: unknown }).error;
  if (!stopped) {
    await writeFailed();
    if (later.length) end(`${later.length} of them wait for a source that opens at ${instant(earliest())}`, 'source', null, earliest());
  }
  return { stopped, cause, lost };
}
