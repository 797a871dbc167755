import type { Answer } from '../../upstream/answer.ts';
import { absent, blocked, changed, failureOfStatus, finallyBlocked, MAX_WAIT_MS, type NotFound, retryAfterMs } from '../outcome.ts';
import { readTable } from '../table.ts';
import { at, type JsonObject, objectOf, objectsOf, wordsIn } from '../untyped-json.ts';

/** Time to wait before the next request: `Retry-After`, else the reset of the platform's rate headers (epoch seconds). */
export function restMs(answer: Answer): number | null {
  const reset = answer.headers['x-rate-limit-reset'];
  return (
    retryAfterMs(answer.headers, answer.at) ??
    (reset && /^\d{9,11}$/.test(reset) ? Math.min(Math.max(0, Number(reset) * 1000 - answer.at), MAX_WAIT_MS) : null)
  );
}

/** The outcome of the HTTP status; null for 2xx. A 404 alone does not prove that the post is absent. */
export function outcomeOfStatus(answer: Answer): NotFound | null {
  if (answer.status >= 200 && answer.status < 300) return null;
  const gone = 'The platform does not show the post here, and does not say why.';
  return failureOfStatus(answer, { gone, credentials: [401, 402], waitMs: restMs(answer) });
}
export const notData = (text: string): NotFound =>
  /<html|<!doctype/i.test(text) ? blocked('The answer is a page instead of data.') : changed('The answer is no data.', 'not JSON');
export const aboutAnother = (given: string, asked: string | null): NotFound =>
  changed('The answer is about another post.', `asked ${asked}, given ${given}`);

export const UNKNOWN_SHAPE = 'The answer has a shape that is not known.';
export const GONE = 'The post was deleted or never existed.';

const OUTCOMES = { absent, blocked, closed: finallyBlocked };
const REASONS = readTable(new URL('./reasons.tsv', import.meta.url)).map(([place, pattern = '', outcome = '', what = '']) => ({
  place,
  pattern: new RegExp(pattern, 'i'),
  make: OUTCOMES[outcome as keyof typeof OUTCOMES],
  what,
}));
function outcomeOfWords(place: 'tombstone' | 'unavailable' | 'embed', words: readonly string[], detail: string): NotFound | null {
  const known = REASONS.find((reason) => reason.place === place && words.some((text) => reason.pattern.test(text)));
  return known ? known.make(known.what, detail) : null;
}

/** Only the platform's error object states why a post is not shown: rate-limited clients also get a 404 without one. */
export function outcomeOfEmbedError(answer: Answer, body: JsonObject | null): NotFound | null {
  const errors = objectsOf(body?.errors);
  const words = [body?.error, ...errors.map((error) => error.message)].filter((word) => typeof word === 'string');
  const codes = errors.flatMap(({ code }) => (typeof code === 'number' ? `code ${code}` : []));
  const detail = `HTTP ${answer.status} ${words.join('; ').slice(0, 120)}`.trim();
  return outcomeOfWords('embed', [...codes, ...words], detail) ?? outcomeOfStatus(answer);
}

/** The platform's own statement that the post is not shown, for a reason that is not known: it says nothing about other posts. */
export const unexplained = (detail: string): NotFound => ({
  ...changed('The platform does not show the post, for a reason that is not known.', detail),
  counts: false,
});

/** The outcome of a result that stands in place of a post; null for a post. */
export function outcomeOfUnavailable(result: JsonObject): NotFound | null {
  const { tombstone, reason, __typename: type } = result;
  const isTombstone = objectOf(tombstone) !== null || type === 'TweetTombstone';
  if (!isTombstone && type !== 'TweetUnavailable') return null;
  const place = isTombstone ? 'tombstone' : 'unavailable';
  const words = isTombstone ? (wordsIn(at(tombstone, 'text', 'text')) ?? wordsIn(at(tombstone, 'richText', 'text'))) : wordsIn(reason);
  const detail = `${place}: ${(words ?? '').slice(0, 120)}`;
  return outcomeOfWords(place, [words ?? ''], detail) ?? unexplained(detail);
}
