import type { JsonObject } from '../../../contract/json-object.ts';
import type { MicroblogPost } from '../../../contract/operations/microblog-post/operation.ts';
import { postIdOf } from '../../../contract/parameters/post-url.ts';
import { type Answer, bodyText } from '../../../upstream/answer.ts';
import { changed, type Found, type NotFound, retryAfterMs } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { idIn, listOf, objectOf, objectsOf, parseJson, valueAt, wordsIn } from '../../untyped-json.ts';
import { mediaIn } from '../media.ts';
import {
  aboutAnother,
  CUT_BY_LENGTH,
  CUT_BY_REPOST,
  fieldsOf,
  isBareRepost,
  outcomeOfReason,
  outcomeOfStatus,
  outcomeOfWithheld,
  outcomeOfWords,
  postOf,
  tagsOf,
  UNKNOWN,
} from '../post.ts';
import { isBeginning, lackedByText, linksOf } from '../text.ts';

/** The media that a post names, each once; those that are not among the listed ones leave the list unread. */
function mediaOf(post: JsonObject, includes: unknown): { readonly media: MicroblogPost['media']; readonly unread: readonly string[] } {
  const known = new Map(objectsOf(valueAt(includes, 'media')).map((m) => [m.media_key, m]));
  const keys = new Set(listOf(valueAt(post, 'attachments', 'media_keys')));
  const listed = [...keys].map((key) => known.get(key)).filter((m) => m !== undefined);
  const { media, unread } = mediaIn(
    listed.map(({ type, url, preview_image_url: preview, variants }) => ({ type, picture: url, pictures: [preview, url], variants })),
  );
  return { media, unread: listed.length < keys.size ? ['media'] : unread };
}
/** A post without references lacks this key: that means "no quote" only if the request asked for the field. */
function isQuote(post: JsonObject, answer: Answer): boolean | null {
  const types = listOf(post.referenced_tweets).map((r) => valueAt(r, 'type'));
  if (types.includes('quoted')) return true;
  const asked = URL.parse(answer.url)?.searchParams.get('tweet.fields') ?? '';
  const isTold = types.length > 0 && types.every((t) => typeof t === 'string' && t !== '');
  return isTold || (post.referenced_tweets === undefined && asked.split(',').includes('referenced_tweets')) ? false : null;
}

const apiFields = fieldsOf('api');

function resourceOf(post: JsonObject, includes: unknown, id: string, answer: Answer): Found<MicroblogPost> {
  const reference = objectsOf(post.referenced_tweets).find((r) => r.type === 'retweeted');
  const repostOf = reference ? idIn(reference.id) : null;
  const original = repostOf ? objectsOf(valueAt(includes, 'tweets')).find((t) => idIn(t.id) === repostOf) : undefined;
  const said = original ?? post;
  const { retweet_count: shares, impression_count: _, ...counts } = objectOf(post.public_metrics) ?? {};
  const isBare = !original && (reference !== undefined || isBareRepost(post.text, Object.values(counts), shares));
  // the full text of a long post is in its note, unescaped; without a readable note, `text` is only its beginning
  const note = typeof valueAt(said, 'note_tweet', 'text') === 'string' ? objectOf(said.note_tweet) : null;
  const links = linksOf([], valueAt(said.entities, 'urls'), valueAt(note, 'entities', 'urls'));
  const isCut = note === null && ((said.note_tweet ?? null) !== null || isBeginning(said.text, links, idIn(said.id) ?? id, said.truncated));
  const text = note ? note.text : isCut ? null : said.text;
  const body = { text: typeof text === 'string' ? text : null, escaped: note === null, ...links };
  const { hashtags, unread: lostTags } = tagsOf(valueAt(note?.entities ?? said.entities, 'hashtags'));
  const lacked = lackedByText(text, valueAt((note ?? said).entities, 'hashtags'), hashtags);
  // a list in place of the author: what it states of them is unread
  const users = [objectOf(includes) ? (valueAt(includes, 'users') ?? []) : (includes ?? [])].flat();
  const user = objectsOf(users).find((u) => u.id !== undefined && idIn(u.id) === idIn(post.author_id)) ?? users;
  const { media, unread } = mediaOf(said, includes);
  const document = { post, said, user, includes, counts: isBare ? null : said.public_metrics };
  return postOf(apiFields, document, id, {
    body,
    bodyId: idIn(said.id),
    date: post.created_at,
    conversationId: apiFields.first(document, 'conversationId', idIn),
    isQuote: isQuote(post, answer),
    media,
    hashtags,
    // an author is named, and the answer lists no users
    cut: [
      ...(isBare ? CUT_BY_REPOST : isCut ? CUT_BY_LENGTH : lacked),
      ...unread,
      ...lostTags,
      ...(users.length === 0 && idIn(post.author_id) !== null ? ['author'] : []),
    ],
    isSigned: !Array.isArray(user),
    // `impression_count` is 0 for posts older than the platform's impression counter
    neverZero: 'views',
  });
}

/** A problem of the API (RFC 9457), or an error of v1.1 with its code: each part may name the cause, under every status. */
function problemIn({ type, title, reason, detail, message, code }: JsonObject) {
  const words = [title, reason, detail ?? message].flatMap((word) => wordsIn(word) ?? []);
  return {
    words: [`type ${wordsIn(type) ?? ''}`, ...words, ...(typeof code === 'number' ? [`code ${code}`] : [])],
    detail: words.join(': ').slice(0, 160),
    type: (wordsIn(type) ?? '').slice(-60),
  };
}
/** Whether a problem is about another post or its author, which an answer also lists: it says nothing of the post asked for. */
const isOfAnother = ({ parameter }: JsonObject): boolean => typeof parameter === 'string' && !/^ids?$/.test(parameter);
function outcomeOfErrors(errors: readonly JsonObject[], answer: Answer, asked: string | null): NotFound | null {
  const own = errors.filter((error) => !isOfAnother(error));
  const outcomes = own.map((error) => {
    const { words, detail, type } = problemIn(error);
    // `value`: of the parameter that the problem is about
    const { resource_type: kind } = error;
    const id = idIn(error.resource_id) ?? idIn(error.value);
    const isOther = asked !== null && id !== null && id !== asked && kind !== 'user';
    return isOther ? aboutAnother(id, asked) : withReset(outcomeOfReason('api', words, detail, `${type} ${detail}`), error, answer);
  });
  // a problem that is not known does not hide one that is
  return (
    outcomes.find(({ tag }) => tag === 'absent') ??
    outcomes.find((outcome) => 'account' in outcome) ??
    outcomes.find(({ tag }) => tag !== 'changed') ??
    outcomes[0] ??
    null
  );
}
/** A limit of our own account, until the platform resets it: the stated day or instant, else `Retry-After`. */
function withReset(outcome: NotFound, { reset_date }: JsonObject, { headers, atMs: nowMs }: Answer): NotFound {
  if (outcome.tag !== 'refused' || !outcome.account) return outcome;
  const reset = Date.parse(wordsIn(reset_date) ?? '');
  const waitMs = reset > nowMs ? reset - nowMs : retryAfterMs(headers, nowMs);
  return waitMs ? { ...outcome, retryAfterMs: waitMs } : outcome;
}
/** The problem that is the whole body: about this service's account, or about the request. Its words count where it has no type of its own. */
function outcomeOfProblem(body: JsonObject | null, answer: Answer): NotFound | null {
  if (!body) return null;
  const { words, detail } = problemIn(body);
  const isTyped = (wordsIn(body.type) ?? 'about:blank') !== 'about:blank';
  const known = outcomeOfWords('api', words.slice(isTyped ? 0 : 1), `HTTP ${answer.status} ${detail}`);
  return known && withReset(known, body, answer);
}

/** X API v2 (https://docs.x.com/x-api). "Not found" is HTTP 200 with `errors`; errors beside `data` concern other posts and are ignored. */
export const readMicroblogApi: Reader<'microblog-post'> = (answer, input) => {
  const body = objectOf(parseJson(bodyText(answer)));
  const asked = postIdOf(input.url);
  const posts = objectsOf([body?.data].flat()).filter((data) => Object.keys(data).length > 0);
  const post = posts.find((data) => idIn(data.id) === asked) ?? posts[0];
  if (!post) {
    const known = outcomeOfErrors(objectsOf(body?.errors), answer, asked);
    if (known?.tag === 'absent' || (known && 'account' in known)) return known;
    const problem = outcomeOfProblem(body, answer);
    return problem ?? outcomeOfStatus(answer) ?? known ?? changed(UNKNOWN, body ? 'neither data nor errors' : 'not JSON');
  }
  const id = idIn(post.id);
  if (id === null || typeof post.text !== 'string') return changed(UNKNOWN, 'no id or text');
  if (asked !== null && id !== asked) return aboutAnother(id, asked);
  const withheld = outcomeOfWithheld(valueAt(post, 'withheld', 'country_codes'));
  if (withheld) return withheld;
  return resourceOf(post, body?.includes, id, answer);
};
