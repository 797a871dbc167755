import type { JsonObject } from '../../contract/json-object.ts';
import type { MicroblogPost } from '../../contract/operations/microblog-post/operation.ts';
import { postUrl } from '../../contract/parameters/post-url.ts';
import { type Answer, bodyText } from '../../upstream/answer.ts';
import { evidenceIn } from '../evidence.ts';
import {
  absent,
  blocked,
  changed,
  type Found,
  failureOfStatus,
  found,
  MAX_WAIT_MS,
  type NotFound,
  retryAfterMs,
  unexplained,
} from '../outcome.ts';
import { fieldsAt, placesOf, reasonsIn } from '../tables.ts';
import {
  countIn,
  flagIn,
  idIn,
  instantOf,
  listOf,
  numberIn,
  objectOf,
  objectsOf,
  parseJson,
  urlIn,
  valueAt,
  wordsIn,
} from '../untyped-json.ts';
import { type Body, linkTargets, readableText, unreadOfLinks } from './text.ts';

const PLACES = placesOf(new URL('./places.tsv', import.meta.url));
export const fieldsOf = (answer: string) => fieldsAt(PLACES[answer] ?? {});
type Fields = ReturnType<typeof fieldsOf>;

/** Smaller ids are sequential and contain no time (before 4 November 2010). */
const FIRST_TIMED_ID = 29_700_000_000n;
/** The time encoded in the id of a post, epoch ms; null for older ids. */
export const momentOf = (id: string): number | null =>
  BigInt(id) < FIRST_TIMED_ID ? null : Number((BigInt(id) >> 22n) + 1_288_834_974_657n);
/** The platform's two forms of a date: "2024-06-13T12:46:00.000Z" and "Thu Jun 13 12:46:00 +0000 2024". */
const DATE = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z|(?:[A-Z][a-z]{2} ){2}\d\d \d\d:\d\d:\d\d \+0000 \d{4})$/;
function publishedAt(date: unknown, id: string): string | null {
  const stated = typeof date === 'string' && DATE.test(date) ? Date.parse(date) : Number.NaN;
  return instantOf(Number.isNaN(stated) ? momentOf(id) : stated);
}

/** True with any verification: paid, business or government (a type name); null if the answer states none, or one in a form that is not known. */
function verified(marks: readonly unknown[]): boolean | null {
  const stated = marks
    .filter((mark) => (mark ?? '') !== '')
    .map((mark) => flagIn(mark) ?? (typeof mark === 'string' && /^[A-Za-z_]+$/.test(mark) ? mark.toLowerCase() !== 'none' : null));
  return stated.includes(true) ? true : stated.length === 0 || stated.includes(null) ? null : false;
}
const handleIn = (value: unknown): string | null =>
  typeof value === 'string' ? (/^(?:https?:\/\/(?:www\.)?(?:twitter|x)\.com\/)?(\w{1,20})$/.exec(value)?.[1] ?? null) : null;

/** What an answer states in a form of its own. */
interface Own extends Partial<Pick<MicroblogPost, 'conversationId' | 'isQuote' | 'media' | 'hashtags'>> {
  readonly body: Body;
  /** The id of the post whose body is shown, where it is another. */
  readonly bodyId?: string | null;
  readonly date?: unknown;
  /** A number of which 0 means that it is not known. */
  readonly neverZero?: 'views' | 'comments' | null;
  /** Fields that the answer states in part only. */
  readonly cut?: readonly string[];
  /** Whether the answer has a place for the author, who always has a handle. */
  readonly isSigned?: boolean;
}
/** Merges `own` with the fields found at the same table paths in every format. */
export function postOf({ values, first, unread }: Fields, document: unknown, id: string, own: Own): Found<MicroblogPost> {
  const {
    body,
    bodyId,
    date,
    neverZero,
    conversationId = null,
    isQuote = null,
    media = [],
    hashtags = [],
    cut = [],
    isSigned = false,
  } = own;
  const count = (name: string): number | null => {
    const stated = countIn(values(document, `metrics.${name}`)[0]);
    return name === neverZero ? stated || null : stated;
  };
  const handle = first(document, 'author.handle', handleIn);
  const post: MicroblogPost = {
    postId: id,
    text: readableText(body),
    url: postUrl(id, handle),
    publishedAt: publishedAt(date, id),
    language: first(document, 'language', wordsIn),
    conversationId,
    isQuote,
    media,
    links: linkTargets(body, bodyId ?? id),
    hashtags,
    metrics: {
      views: count('views'),
      likes: count('likes'),
      comments: count('comments'),
      shares: count('shares'),
      quotes: count('quotes'),
      bookmarks: count('bookmarks'),
    },
    author: {
      handle,
      name: first(document, 'author.name', wordsIn),
      avatarUrl: first(document, 'author.avatarUrl', (url) => urlIn([url])),
      isVerified: verified(values(document, 'author.isVerified')),
    },
  };
  const unsigned = isSigned && handle === null ? [post.author.name === null ? 'author' : 'author.handle'] : [];
  return found(post, undefined, [...unread(post, document), ...body.unread, ...cut, ...unsigned, ...unreadOfLinks(body)]);
}

/** What an answer states of the original where it holds a repost without it: the beginning of its text, with what that contains. */
export const CUT_BY_REPOST = ['text', 'media', 'links', 'hashtags'] as const;
/** Of the text of a long post the embed endpoint and old formats have the beginning. */
export const CUT_BY_LENGTH = ['text', 'links', 'hashtags'] as const;
/**
 * Whether a post without a reference is the bare form of a repost: "RT @name: …", cut, with counts of 0, because nobody can like a repost.
 * A post that a person began with "RT @name:" has counts of its own, or a text that is not cut. `counts`: all but the number of reposts.
 */
export const isBareRepost = (text: unknown, counts: readonly unknown[], shares: unknown): boolean =>
  typeof text === 'string' &&
  /^RT @\w{1,20}: /.test(text) &&
  counts.every((count) => !numberIn(count)) &&
  (/…$/.test(text) || (numberIn(shares) ?? 0) > 0);

const tagIn = (entry: unknown): string | null => wordsIn(valueAt(entry, 'text') ?? valueAt(entry, 'tag'));
/** Hashtags of a list, each once; `unread` where an entry of it has another form. */
export const tagsOf = (list: unknown): { readonly hashtags: string[]; readonly unread: readonly string[] } => ({
  hashtags: [...new Set(listOf(list).flatMap((entry) => tagIn(entry) ?? []))],
  unread: listOf(list).some((entry) => tagIn(entry) === null) ? ['hashtags'] : [],
});

/** Time to wait before the next request: `Retry-After`, else the reset of the platform's rate headers (epoch seconds). */
export function restMs({ headers, atMs: nowMs }: Answer): number | null {
  const { 'x-rate-limit-reset': reset = '' } = headers;
  const untilMs = /^\d{9,11}$/.test(reset) ? Number(reset) * 1000 : null;
  return retryAfterMs(headers, nowMs) ?? (untilMs && Math.min(Math.max(0, untilMs - nowMs), MAX_WAIT_MS));
}

/** The outcome of the HTTP status; null for 2xx. A 404 alone does not prove that the post is absent. `credentials`: none without a key of ours. */
export function outcomeOfStatus(answer: Answer, credentials: readonly number[] = [401, 402]): NotFound | null {
  if (answer.status >= 200 && answer.status < 300) return null;
  const failure = failureOfStatus(answer, { gone: '', credentials, waitMs: restMs(answer) });
  const { detail } = failure;
  return failure.tag === 'changed' ? unexplained('The platform does not show the post here, and does not say why.', detail) : failure;
}
export const notData = (text: string): NotFound =>
  /<html|<!doctype/i.test(text) ? blocked('The answer is a page instead of data.') : changed('The answer is no data.', 'not JSON');
export const aboutAnother = (given: string, asked: string | null): NotFound =>
  changed('The answer is about another post.', `asked ${asked}, given ${given}`);

export const UNKNOWN = 'The answer has a shape that is not known.';
export const GONE = 'The post was deleted or never existed.';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));
export const outcomeOfWords = reasonsIn(new URL('./reasons.tsv', import.meta.url), evidence);

/** The JSON of an embed endpoint. Only its error object states why a post is not shown: rate-limited clients also get a 404 without one. */
export function readEmbed(answer: Answer): { readonly tag: 'embed'; readonly body: JsonObject } | NotFound {
  const text = bodyText(answer);
  const body = objectOf(parseJson(text));
  const errors = objectsOf(body?.errors);
  const words = [body?.error, ...errors.map((error) => error.message)].filter((word) => typeof word === 'string');
  const codes = errors.flatMap(({ code }) => (typeof code === 'number' ? `code ${code}` : []));
  const detail = `HTTP ${answer.status} ${words.join('; ').slice(0, 120)}`.trim();
  // errors beside a post concern another, as a quoted one
  const isPost = body !== null && (idIn(body.id_str) !== null || typeof body.html === 'string');
  return (
    (isPost ? null : outcomeOfWords('embed', [...codes, ...words], detail)) ??
    // the platform's own statement, under any status
    (body && tombstoneOf(body)) ??
    outcomeOfStatus(answer, []) ??
    (body ? { tag: 'embed', body } : notData(text))
  );
}

const WITHHELD = evidence('api withheld');
/** The outcome of a post that is withheld in all countries (XX), or after a takedown (XY). Withheld in some countries, it is public elsewhere. */
export const outcomeOfWithheld = (codes: unknown): NotFound | null =>
  listOf(codes).some((code) => code === 'XX' || code === 'XY')
    ? absent(WITHHELD, 'The post is withheld for legal reasons.', 'withheld in all countries')
    : null;

const UNEXPLAINED = 'The platform does not show the post, for a reason that is not known.';
/** The outcome of the platform's own statement that a post is not shown. A reason that is not known says nothing about other posts. */
export const outcomeOfReason = (place: string, words: readonly string[], detail: string, whole = detail): NotFound =>
  outcomeOfWords(place, words, detail) ?? { ...unexplained(UNEXPLAINED, whole), counts: false };

export function tombstoneOf(result: JsonObject): NotFound | null {
  const { tombstone, reason, __typename: type } = result;
  const isTombstone = objectOf(tombstone) !== null || type === 'TweetTombstone';
  if (!isTombstone && type !== 'TweetUnavailable') return null;
  const place = isTombstone ? 'tombstone' : 'unavailable';
  const words = isTombstone
    ? (wordsIn(valueAt(tombstone, 'text', 'text')) ?? wordsIn(valueAt(tombstone, 'richText', 'text')))
    : wordsIn(reason);
  const detail = `${place}: ${(words ?? '').slice(0, 120)}`;
  return outcomeOfReason(place, [words ?? ''], detail);
}
