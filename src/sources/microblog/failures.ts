import type { Answer } from '../../upstream/answer.ts';
import {
  absent,
  blocked,
  changed,
  finallyBlocked,
  limited,
  MAX_WAIT_MS,
  type NotFound,
  refused,
  retryAfterMs,
  unreachable,
} from '../outcome.ts';
import { type JsonObject, objectsOf } from '../untyped-json.ts';

/** Time to wait before the next request: `Retry-After`, else the reset of the platform's rate headers (epoch seconds). */
export function restMs(answer: Answer): number | null {
  const reset = answer.headers['x-rate-limit-reset'];
  return (
    retryAfterMs(answer.headers, answer.at) ??
    (reset && /^\d{9,11}$/.test(reset) ? Math.min(Math.max(0, Number(reset) * 1000 - answer.at), MAX_WAIT_MS) : null)
  );
}

/** The outcome of the HTTP status; null for 2xx. A 404 alone does not prove that the post is absent. */
export function outcomeOfStatus(answer: Answer, note = ''): NotFound | null {
  const { status } = answer;
  const detail = `HTTP ${status} ${note}`.trim();
  if (status >= 200 && status < 300) return null;
  if (status === 429) return limited('The platform limits the number of requests.', restMs(answer), detail);
  // a bare 451 may come from anybody; a post withheld by law is stated in the platform's own format
  if (status === 404 || status === 410 || status === 451)
    return changed('The platform does not show the post here, and does not say why.', detail);
  if (status === 401 || status === 402) return refused("The platform did not accept this service's credentials.", detail);
  if (status === 403) return blocked('The platform refused the request.', detail);
  if (status >= 500) return unreachable('The platform failed on its side.', detail);
  return refused('The platform did not accept the request.', detail);
}

export const GONE = 'The post was deleted or never existed.';
const SUSPENDED = "The author's account is suspended.";
const PROTECTED = "The author's posts are protected.";

/**
 * An error of an embed endpoint. Only the platform's error object states why a post is not shown; the platform also sends a 404 without one
 * to rate-limited clients.
 */
export function outcomeOfEmbedError(answer: Answer, body: JsonObject | null): NotFound | null {
  const errors = objectsOf(body?.errors);
  const words = [body?.error, ...errors.map((error) => error.message)].filter((word) => typeof word === 'string').join('; ');
  const has = (code: number): boolean => errors.some((error) => error.code === code);
  const detail = `HTTP ${answer.status} ${words.slice(0, 120)}`.trim();
  if (has(144) || /no status found with that id/i.test(words)) return absent(GONE, detail);
  if (has(179) || /not authorized to (?:see|view) this (?:status|post|tweet)/i.test(words)) return absent(PROTECTED, detail);
  if (has(63) || /user has been suspended/i.test(words)) return absent(SUSPENDED, detail);
  return outcomeOfStatus(answer);
}

/** The platform's own statement that the post is not shown, for a reason that is not known: it says nothing about other posts. */
export const unexplained = (detail: string): NotFound => ({
  ...changed('The platform does not show the post, for a reason that is not known.', detail),
  counts: false,
});

/** The platform's sentences (in English) for each reason; any other sentence, "This Post is unavailable." for one, states no known reason. */
const TOMBSTONES: readonly (readonly [sentence: RegExp, what: string])[] = [
  [/\bis from a suspended account\b/i, SUSPENDED],
  [/\baccount owner limits who can view their (?:posts|tweets)\b/i, PROTECTED],
  [/\bfrom an account that no longer exists\b/i, "The author's account no longer exists."],
  [/\b(?:has been|is) withheld\b|^withheld in response to a legal demand/i, 'The post is withheld for legal reasons.'],
  [/\bviolated the (?:x|twitter) rules\b/i, 'The post was removed by the platform.'],
  [/\b(?:post|tweet) was deleted by (?:the|its) (?:post |tweet )?author\b/i, 'The post was deleted.'],
];
/** The text of a tombstone states the reason. A post visible to signed-in users only is blocked, not absent. */
export function outcomeOfTombstone(words: string): NotFound {
  const detail = `tombstone: ${words.slice(0, 120)}`;
  if (/^age[- ]restricted|\badult content\b|\blog in to (?:x|twitter)\b/i.test(words))
    return finallyBlocked('The post is only shown to signed-in users (age gate).', detail);
  const known = TOMBSTONES.find(([sentence]) => sentence.test(words));
  return known ? absent(known[1], detail) : unexplained(detail);
}

/** The reason of an unavailable post, for clients without an account; a source with an account may still have the post. */
export function outcomeOfReason(reason: string): NotFound {
  const detail = `unavailable: ${reason.slice(0, 60)}`;
  if (/^nsfw|age(?:gat|restrict|verif)|(?:stated|under)_?age|logged_?out/i.test(reason))
    return blocked('The post is only shown to signed-in users (age gate).', detail);
  if (/suspended/i.test(reason)) return absent(SUSPENDED, detail);
  if (/protected/i.test(reason)) return absent(PROTECTED, detail);
  if (/withheld|legal|dmca/i.test(reason)) return absent('The post is withheld for legal reasons.', detail);
  if (/deleted/i.test(reason)) return absent(GONE, detail);
  return unexplained(detail);
}
