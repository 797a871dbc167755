/** Runs in Node and in browsers: no Node built-ins. */
import type { FetchAnswer, FetchRequest, Timing } from '../../src/client/fetch.ts';
import { type ErrorCode, type FetchLike, SightlineError } from '../../src/client/index.ts';

export interface Seen extends FetchRequest {
  readonly url: URL;
}
export type Step = (request: Seen) => FetchAnswer | Promise<FetchAnswer>;

/** An answer in the form of the service. */
export function answer(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): FetchAnswer {
  const fields = new Map(Object.entries({ 'x-request-id': 'request-1', 'x-credits-charged': '0', ...headers }));
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, headers: { get: (name) => fields.get(name.toLowerCase()) ?? null }, text: async () => text };
}
export const found =
  (body: unknown, headers?: Readonly<Record<string, string>>): Step =>
  () =>
    answer(200, body, headers);
export const failed =
  (status: number, code: string, headers?: Readonly<Record<string, string>>): Step =>
  () =>
    answer(status, { error: { code, message: `${code}.` } }, headers);
export const lost: Step = () => {
  throw new TypeError('fetch failed');
};
/** No answer until the request is aborted. */
export const hanging: Step = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new TypeError('aborted'))));

/** A service that answers by these steps; the last one again and again. */
export function service(...steps: readonly Step[]): { readonly fetch: FetchLike; readonly seen: Seen[] } {
  const seen: Seen[] = [];
  const fetch: FetchLike = async (url, request) => {
    const one = { ...request, url: new URL(url) };
    const step = steps[Math.min(seen.push(one), steps.length) - 1];
    if (!step) throw new Error('no step');
    return step(one);
  };
  return { fetch, seen };
}

/** Time that passes only while everybody sleeps: the next sleeper is woken once nothing else runs. */
export function virtualTime(random = 0.5): Timing & { readonly slept: number[] } {
  let nowMs = Date.UTC(2026, 10, 1);
  const sleepers = new Set<{ readonly at: number; wake(): void }>();
  const slept: number[] = [];
  let scheduled = false;
  const schedule = () => {
    if (scheduled || sleepers.size === 0) return;
    scheduled = true;
    setTimeout(() => {
      scheduled = false;
      const [first] = [...sleepers].sort((a, b) => a.at - b.at);
      if (first) {
        nowMs = Math.max(nowMs, first.at);
        first.wake();
      }
      schedule();
    }, 1);
  };
  return {
    slept,
    now: () => nowMs,
    random: () => random,
    after(ms, run) {
      slept.push(ms);
      const sleeper = {
        at: nowMs + ms,
        wake() {
          sleepers.delete(sleeper);
          run();
        },
      };
      sleepers.add(sleeper);
      schedule();
      return () => sleepers.delete(sleeper);
    },
  };
}

export function equal(actual: unknown, expected: unknown, what = 'value'): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}
/** The error of a call. */
export async function errorOf(call: PromiseLike<unknown>, code: ErrorCode): Promise<SightlineError> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof SightlineError)) throw error;
    equal(error.code, code, `code of ${error.message}`);
    return error;
  }
  throw new Error(`no error, where ${code} was expected`);
}
