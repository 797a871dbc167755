import type { Failure } from '../answer.ts';
import { AddressRefused } from './guard.ts';

export const safeUrl = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`;

export class TooLarge extends Error {}
export class TooSlow extends Error {}

const SLOW = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT|ESOCKETTIMEDOUT)$/;
const OURS =
  /^(UND_ERR_INVALID_ARG|UND_ERR_REQ_CONTENT_LENGTH_MISMATCH|UND_ERR_NOT_SUPPORTED|ERR_INVALID_CHAR|ERR_HTTP_INVALID_HEADER_VALUE)$/;

const failure =
  (tag: 'unreachable' | 'timeout' | 'changed' | 'refused', what: string) =>
  (place: string, why: string): Failure => ({ tag, what, detail: `${place}: ${why}` });
const late = failure('timeout', 'The source did not answer in time.');
export const tooSlow = (place: string): Failure => late(place, 'out of time');
export const tooLarge = failure('changed', 'The answer of the source is larger than what is read.');
export const brokenOff = failure('unreachable', 'The answer of the source broke off.');
export const endless = failure('unreachable', 'The source redirects without end.');
export const notAllowed = failure('refused', 'The lookup led to an address that may not be asked.');
const notWritten = failure('refused', 'The request to the source could not be written.');
const notReached = failure('unreachable', 'The source could not be reached.');
export const outOfTurn = (place: string, waitMs: number): Failure => ({
  tag: 'limited',
  what: 'Requests to this source are paced, and its next turn comes after the deadline of this lookup.',
  detail: `${place}: pace, ${Math.ceil(waitMs)} ms to wait`,
  retryAfterMs: Math.ceil(waitMs),
  counts: false,
});

export function failureOf(error: unknown, place: string, begun: boolean): Failure {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const why = `${code} ${message}`.trim();
  if (error instanceof AddressRefused) return notAllowed(place, message);
  if (error instanceof TooLarge) return tooLarge(place, message);
  if (error instanceof TooSlow || SLOW.test(code)) return late(place, why);
  if (OURS.test(code)) return notWritten(place, why);
  return begun ? brokenOff(place, why) : notReached(place, why);
}
