import { mayRetry } from '../contract/retryable.ts';
import { numberIn } from './call.ts';
import { isRetryable, isServiceCode, SightlineError } from './error.ts';
import type { FetchAnswer, Timing } from './fetch.ts';

/** `Retry-After` (RFC 9110, 10.2.3): seconds or a date. */
function retryAfterOf({ headers }: FetchAnswer, timing: Timing): number | null {
  const field = headers.get('retry-after');
  if (!field) return null;
  const ms = numberIn(field) === null ? Date.parse(field) - timing.now() : Number(field) * 1000;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** What the headers of an answer say about its failure; `charged` null: they do not say it. */
export const factsOf = (answer: FetchAnswer, timing: Timing) => ({
  status: answer.status,
  requestId: answer.headers.get('x-request-id'),
  retryAfterMs: retryAfterOf(answer, timing),
  charged: numberIn(answer.headers.get('x-credits-charged')),
});

/** An answer that is not in the form of the service: a proxy may stand between. */
export function unexpected(answer: FetchAnswer, timing: Timing, what: string): SightlineError {
  const facts = factsOf(answer, timing);
  const { status, retryAfterMs } = facts;
  const retryable = mayRetry(status === 200 || status === 429 || status >= 500, retryAfterMs);
  return new SightlineError('UNEXPECTED_ANSWER', `Status ${status}: ${what}.`, { ...facts, retryable });
}

/** The error in an answer; `text` is its body. */
export function errorIn(answer: FetchAnswer, text: string, timing: Timing): SightlineError {
  if (answer.status < 400) return unexpected(answer, timing, 'the service does not redirect; check baseUrl');
  const { code, message } = (bodyOf(text)?.error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== 'string' || typeof message !== 'string') return unexpected(answer, timing, 'the body is not an error of the service');
  if (!isServiceCode(code)) return unexpected(answer, timing, `unknown code ${code}: ${message}`);
  const facts = factsOf(answer, timing);
  const retryable = isRetryable(code, facts.retryAfterMs);
  return new SightlineError(code, message, { ...facts, retryable, charged: facts.charged ?? 0 });
}

/** A JSON object; null for everything else. */
export function bodyOf(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null; // said by the caller, with the status
  }
}

/** The innermost reason of a failed connection: `fetch` hides it as the cause. */
export function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause instanceof Error) reason = reason.cause;
  return reason instanceof Error ? ('code' in reason && typeof reason.code === 'string' && reason.code) || reason.message : String(reason);
}
