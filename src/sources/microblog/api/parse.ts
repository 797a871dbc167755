import type { MicroblogPost } from '../../../contract/operations/microblog.ts';
import { postIdOf } from '../../../contract/parameters/post-url.ts';
import { type Answer, textOf } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, changed, type Found, found, type NotFound, refused } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { at, countIn, idIn, type JsonObject, listOf, objectOf, objectsOf, parseJson, urlIn, wordsIn } from '../../untyped-json.ts';
import { GONE, outcomeOfStatus, unexplained } from '../failures.ts';
import { addressOf, bestVideo, handleIn, NO_METRICS, publishedAt, verified } from '../post.ts';
import { type Body, linksOf, linkTargets, readableText, tagsOf } from '../text.ts';

const referenced = (post: JsonObject, type: string): string | null => {
  const reference = objectsOf(post.referenced_tweets).find((r) => r.type === type);
  return reference ? idIn(reference.id) : null;
};
/** The full text of a long post is in `note_tweet`, unescaped; `text` is then truncated. */
const noteOf = (post: JsonObject): JsonObject | null =>
  typeof at(post, 'note_tweet', 'text') === 'string' ? objectOf(post.note_tweet) : null;
const entitiesOf = (post: JsonObject): unknown => at(noteOf(post), 'entities') ?? post.entities;

function bodyOf(post: JsonObject): Body {
  const note = noteOf(post);
  const { links, media } = linksOf(at(post.entities, 'urls'), at(note, 'entities', 'urls'));
  // without its readable long form, a long post states only its beginning
  const text = note ? note.text : post.note_tweet === undefined ? post.text : null;
  return { text: typeof text === 'string' ? text : null, escaped: note === null, links, media };
}
function mediaOf(post: JsonObject, includes: unknown): MicroblogPost['media'] {
  const known = new Map(objectsOf(at(includes, 'media')).map((m) => [m.media_key, m]));
  return listOf(at(post, 'attachments', 'media_keys')).flatMap((key) => {
    const m = known.get(key);
    if (!m) return [];
    return { url: m.type === 'photo' ? urlIn(m.url) : bestVideo(m.variants), thumbnailUrl: urlIn(m.preview_image_url, m.url) };
  });
}
/** `impression_count` is 0 for posts older than the platform's impression counter, so 0 becomes null. */
const metricsOf = (post: JsonObject): MicroblogPost['metrics'] => {
  const metric = (name: string): number | null => countIn(at(post, 'public_metrics', name));
  return {
    views: metric('impression_count') || null,
    likes: metric('like_count'),
    comments: metric('reply_count'),
    shares: metric('retweet_count'),
    quotes: metric('quote_count'),
    bookmarks: metric('bookmark_count'),
  };
};
/** A post without references lacks this key: that means "no quote" only if the request asked for the field. */
function isQuote(post: JsonObject, answer: Answer): boolean | null {
  const types = listOf(post.referenced_tweets).map((r) => at(r, 'type'));
  if (types.includes('quoted')) return true;
  const fields = URL.canParse(answer.url) ? (new URL(answer.url).searchParams.get('tweet.fields') ?? '') : '';
  const isTold = types.length > 0 && types.every((t) => typeof t === 'string' && t !== '');
  return isTold || (post.referenced_tweets === undefined && fields.split(',').includes('referenced_tweets')) ? false : null;
}

/** What links a repost to its original, whose content is shown. */
const ORIGINAL = ['post.referenced_tweets[].type:string', 'post.referenced_tweets[].id:string', 'includes.tweets[].id:string'];
const unreadInPost = unreadByPlaces({
  text: ['said.text', 'said.note_tweet.text'],
  language: 'post.lang',
  conversationId: 'post.conversation_id',
  isQuote: 'post.referenced_tweets[].type',
  media: [
    'said.attachments.media_keys[]',
    'includes.media[].media_key',
    'includes.media[].type',
    'includes.media[].url',
    'includes.media[].preview_image_url',
    'includes.media[].variants[].url',
    'includes.media[].variants[].content_type',
    ...ORIGINAL,
  ],
  links: ['said.entities.urls[].url', 'said.entities.urls[].expanded_url', ...ORIGINAL],
  hashtags: ['said.entities.hashtags[].tag', 'said.note_tweet.entities.hashtags[].tag', ...ORIGINAL],
  'metrics.views': ['counts.impression_count', ...ORIGINAL],
  'metrics.likes': ['counts.like_count', ...ORIGINAL],
  'metrics.comments': ['counts.reply_count', ...ORIGINAL],
  'metrics.shares': ['counts.retweet_count', ...ORIGINAL],
  'metrics.quotes': ['counts.quote_count', ...ORIGINAL],
  'metrics.bookmarks': ['counts.bookmark_count', ...ORIGINAL],
  'author.handle': 'includes.users[].username',
  'author.name': 'includes.users[].name',
  'author.avatarUrl': 'includes.users[].profile_image_url',
  'author.isVerified': ['includes.users[].verified', 'includes.users[].verified_type'],
});

function resourceOf(post: JsonObject, includes: unknown, id: string, answer: Answer): Found<MicroblogPost> {
  const repostOf = referenced(post, 'retweeted');
  const original = repostOf ? objectsOf(at(includes, 'tweets')).find((t) => idIn(t.id) === repostOf) : undefined;
  const said = original ?? post;
  const user = objectsOf(at(includes, 'users')).find((u) => u.id !== undefined && idIn(u.id) === idIn(post.author_id));
  const body = bodyOf(said);
  const handle = handleIn(user?.username);
  const resource: MicroblogPost = {
    postId: id,
    text: readableText(body),
    url: addressOf(id, handle),
    publishedAt: publishedAt(post.created_at, id),
    language: wordsIn(post.lang),
    conversationId: idIn(post.conversation_id),
    isQuote: isQuote(post, answer),
    media: mediaOf(said, includes),
    links: linkTargets(body, idIn(said.id) ?? id),
    hashtags: tagsOf(at(entitiesOf(said), 'hashtags')),
    metrics: repostOf && !original ? NO_METRICS : metricsOf(said),
    author: {
      handle,
      name: wordsIn(user?.name),
      avatarUrl: urlIn(user?.profile_image_url),
      isVerified: verified(user?.verified, user?.verified_type),
    },
  };
  const counts = repostOf && !original ? null : said.public_metrics;
  return found(resource, undefined, unreadInPost(resource, { post, said, includes, counts }));
}

/** Problem types of the X API that concern the request or the application, never the post. */
const REQUEST_PROBLEM = /\/(?:invalid-request|usage-capped|client-\w[\w-]*|unsupported-authentication|oauth\w*|rule-cap)$/;

function outcomeOfErrors(errors: readonly JsonObject[]): NotFound | null {
  const [first] = errors;
  if (!first) return null;
  const type = wordsIn(first.type) ?? '';
  const words = wordsIn(first.detail) ?? wordsIn(first.message) ?? '';
  const detail = `${wordsIn(first.title) ?? ''}: ${words}`.slice(0, 160);
  if (/user has been suspended/i.test(words)) return absent("The author's account is suspended.", detail);
  if (type.endsWith('/resource-not-found')) return absent(GONE, detail);
  if (type.endsWith('/not-authorized-for-resource')) return absent("The author's posts are protected.", detail);
  // about:blank is a problem with the request itself (RFC 9457)
  if (type === '' || type === 'about:blank' || REQUEST_PROBLEM.test(type))
    return refused('The platform did not accept the request.', detail);
  return unexplained(`${type.slice(-60)} ${detail}`);
}
/** Withheld everywhere (XX), or after a takedown (XY); a post withheld in some countries is still public. */
const isWithheld = (post: JsonObject): boolean => listOf(at(post, 'withheld', 'country_codes')).some((c) => c === 'XX' || c === 'XY');

/**
 * Parses one post of the X API v2 (https://docs.x.com/x-api). "Not found", protected and suspended are HTTP 200 with `errors` and without
 * `data`; errors beside `data` concern other posts and are ignored.
 */
export const readMicroblogApi: Reader<'microblog-post'> = (answer, input) => {
  const body = objectOf(parseJson(textOf(answer)));
  const errors = objectsOf(body?.errors);
  const post = objectOf(Array.isArray(body?.data) ? body.data[0] : body?.data);
  if (!post) {
    const known = outcomeOfErrors(errors);
    if (known?.tag === 'absent') return known;
    const cap = /usage-capped|CreditsDepleted|client-forbidden|client-not-enrolled/i.exec(
      `${body?.type} ${body?.title} ${body?.reason}`,
    )?.[0];
    if (cap) return refused("The platform did not accept this service's credentials.", `HTTP ${answer.status} ${cap}`);
    return (
      outcomeOfStatus(answer) ??
      known ??
      changed('The answer has a shape that is not known.', body ? 'neither data nor errors' : 'not JSON')
    );
  }
  const id = idIn(post.id);
  const asked = postIdOf(input.url);
  if (id === null || typeof post.text !== 'string') return changed('The answer has a shape that is not known.', 'no id or text');
  if (asked !== null && id !== asked) return changed('The answer is about another post.', `asked ${asked}, given ${id}`);
  if (isWithheld(post)) return absent('The post is withheld for legal reasons.', 'withheld in all countries');
  return resourceOf(post, body?.includes, id, answer);
};
