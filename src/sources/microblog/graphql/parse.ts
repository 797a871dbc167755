import type { MicroblogPost } from '../../../contract/operations/microblog.ts';
import { postIdOf } from '../../../contract/parameters/post-url.ts';
import { textOf } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, blocked, changed, type Found, found, type NotFound, refused, unreachable } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { at, countIn, flagIn, idIn, type JsonObject, objectOf, objectsOf, parseJson, urlIn, wordsIn } from '../../untyped-json.ts';
import { GONE, outcomeOfReason, outcomeOfStatus, outcomeOfTombstone } from '../failures.ts';
import { addressOf, handleIn, mediaOf, NO_METRICS, publishedAt, verified } from '../post.ts';
import { type Body, linksOf, linkTargets, mediaLinks, readableText, tagsOf } from '../text.ts';
import { idOf, openEnvelope, unwrap } from './envelope.ts';

/** The post's own fields: in `legacy`, or beside it if the platform moves them as it did with users. */
const field = (result: JsonObject, name: string): unknown =>
  [result.legacy, result.details, result.counts, result].map((place) => at(place, name)).find((v) => v !== undefined);

const noteOf = (result: JsonObject): JsonObject | null => {
  const note = objectOf(at(result, 'note_tweet', 'note_tweet_results', 'result'));
  return typeof note?.text === 'string' ? note : null;
};
function bodyOf(result: JsonObject): Body & { media: ReadonlySet<string>; list: readonly JsonObject[] } {
  const note = noteOf(result);
  const entities = field(result, 'entities');
  const extended = objectsOf(at(field(result, 'extended_entities'), 'media'));
  const list = extended.length ? extended : objectsOf(at(entities, 'media'));
  const { links, media } = linksOf(at(note, 'entity_set', 'urls'), at(entities, 'urls'), quotedLink(result));
  // without its readable long form, a long post states only its beginning
  const text = note ? note.text : objectOf(result.note_tweet) ? null : field(result, 'full_text');
  return {
    text: typeof text === 'string' ? text : null,
    escaped: note === null,
    links,
    media: new Set([...media, ...mediaLinks(list)]),
    list,
  };
}
/** The text contains the quoted post's own link; the entities do not always. */
const quotedLink = (result: JsonObject): JsonObject[] => {
  const link = objectOf(field(result, 'quoted_status_permalink'));
  return link ? [{ url: link.url, expanded_url: link.expanded }] : [];
};
/** `views.count` is present only if the platform shows it. */
const metricsOf = (result: JsonObject, anonymous: boolean): MicroblogPost['metrics'] => ({
  views: countIn(at(result, 'views', 'count')),
  likes: countIn(field(result, 'favorite_count')),
  comments: countIn(field(result, 'reply_count')) || (anonymous ? null : countIn(field(result, 'reply_count'))),
  shares: countIn(field(result, 'retweet_count')),
  quotes: countIn(field(result, 'quote_count')),
  bookmarks: countIn(field(result, 'bookmark_count')),
});
/** In `legacy` until 2025, distributed over `core`, `avatar` and `verification` since. */
function authorOf(result: JsonObject): MicroblogPost['author'] {
  const user = objectOf(at(result, 'core', 'user_results', 'result')) ?? {};
  const either = (place: string, name: string, old: string): unknown => at(user, place, name) ?? at(user, 'legacy', old);
  return {
    handle: handleIn(either('core', 'screen_name', 'screen_name')),
    name: wordsIn(either('core', 'name', 'name')),
    avatarUrl: urlIn(either('avatar', 'image_url', 'profile_image_url_https')),
    isVerified: verified(
      user.is_blue_verified,
      at(user, 'verification', 'verified'),
      at(user, 'verification', 'verified_type'),
      at(user, 'legacy', 'verified'),
      at(user, 'legacy', 'verified_type'),
    ),
  };
}

const COUNTS = ['favorite_count', 'reply_count', 'retweet_count', 'quote_count', 'bookmark_count'] as const;
/** The original of a repost and the text of a long post: if they cannot be read, less is shown. */
const TEXTS = ['original.result.legacy.full_text:string', 'note_tweet.note_tweet_results.result.text:string'];
const unreadInResult = unreadByPlaces({
  text: ['said.full_text', ...TEXTS],
  language: 'lang',
  conversationId: 'conversation_id_str',
  isQuote: 'is_quote_status',
  publishedAt: 'created_at',
  media: [
    'media[].type',
    'media[].media_url_https',
    'media[].video_info.variants[].url',
    'media[].video_info.variants[].content_type',
    ...TEXTS,
  ],
  links: ['entities.urls[].url', 'entities.urls[].expanded_url', 'quoted.url', ...TEXTS],
  hashtags: ['entities.hashtags[].text', 'note_tweet.note_tweet_results.result.entity_set.hashtags[].text', ...TEXTS],
  'metrics.views': ['views.count', ...TEXTS],
  'metrics.likes': ['favorite_count', ...TEXTS],
  'metrics.comments': ['reply_count', ...TEXTS],
  'metrics.shares': ['retweet_count', ...TEXTS],
  'metrics.quotes': ['quote_count', ...TEXTS],
  'metrics.bookmarks': ['bookmark_count', ...TEXTS],
  'author.handle': ['core.user_results.result.core.screen_name', 'core.user_results.result.legacy.screen_name'],
  'author.name': ['core.user_results.result.core.name', 'core.user_results.result.legacy.name'],
  'author.avatarUrl': ['core.user_results.result.avatar.image_url', 'core.user_results.result.legacy.profile_image_url_https'],
  'author.isVerified': [
    'core.user_results.result.is_blue_verified',
    'core.user_results.result.verification.verified',
    'core.user_results.result.legacy.verified',
  ],
});
/** The parts of a result that state the fields of the resource. `said`: the post whose text, media and counts are shown. */
const placesIn = (result: JsonObject, said: JsonObject, hasCounts: boolean): JsonObject => ({
  lang: field(result, 'lang'),
  conversation_id_str: field(result, 'conversation_id_str'),
  is_quote_status: field(result, 'is_quote_status'),
  media: at(field(said, 'extended_entities'), 'media') ?? at(field(said, 'entities'), 'media'),
  entities: field(said, 'entities'),
  note_tweet: said.note_tweet,
  original: field(result, 'retweeted_status_result') ?? field(result, 'retweeted_status_results'),
  created_at: field(result, 'created_at'),
  ...(hasCounts && { views: said.views, ...Object.fromEntries(COUNTS.map((name) => [name, field(said, name)])) }),
  core: result.core,
  quoted: field(said, 'quoted_status_permalink'),
});

/** A repost has its own id, author and date; text, media and counts are those of the original. */
function resourceOf(result: JsonObject, id: string, anonymous: boolean): Found<MicroblogPost> {
  const repost = objectOf(field(result, 'retweeted_status_result') ?? field(result, 'retweeted_status_results'));
  const original = unwrap(at(repost, 'result'));
  const isGiven = original !== null && typeof field(original, 'full_text') === 'string';
  const said = isGiven ? original : result;
  const body = bodyOf(said);
  const author = authorOf(result);
  const note = noteOf(said);
  const resource: MicroblogPost = {
    postId: id,
    text: readableText(body),
    url: addressOf(id, author.handle),
    publishedAt: publishedAt(field(result, 'created_at'), id),
    language: wordsIn(field(result, 'lang')),
    conversationId: idIn(field(result, 'conversation_id_str')),
    isQuote: flagIn(field(result, 'is_quote_status')),
    media: mediaOf(body.list),
    links: linkTargets(body, idOf(said) ?? id),
    hashtags: tagsOf(at(note, 'entity_set', 'hashtags') ?? at(field(said, 'entities'), 'hashtags')),
    metrics: repost && !isGiven ? NO_METRICS : metricsOf(said, anonymous),
    author,
  };
  return found(resource, undefined, unreadInResult(resource, placesIn(result, said, !repost || isGiven)));
}

const SIGNED_OUT = /could not authenticate|not authorized|temporarily locked|bad guest token|csrf/i;
function outcomeOfErrors(errors: readonly JsonObject[]): NotFound | null {
  const [first] = errors;
  if (!first) return null;
  const words = errors.flatMap((e) => wordsIn(e.message) ?? []).join('; ');
  const detail = words.slice(0, 160);
  if (errors.some((e) => Number(e.code ?? at(e, 'extensions', 'code')) === 144) || /no status found/i.test(words))
    return absent(GONE, detail);
  if (SIGNED_OUT.test(words)) return refused("The platform did not accept the provider's credentials.", detail);
  if (/rate limit/i.test(words)) return { tag: 'limited', what: 'The platform limits the number of requests.', detail, retryAfterMs: null };
  return unreachable('The platform failed on its side.', detail);
}

/**
 * Parses the platform's internal result object, as returned by data providers, in its forms since 2022 (recordings/social/NOTES.md 2.2 to
 * 2.4). Errors beside a result are ignored. A result for a post other than the requested one is ignored.
 */
export const readMicroblogGraphql: Reader<'microblog-post'> = (answer, input) => {
  const text = textOf(answer);
  const root = parseJson(text);
  const errors = objectsOf(at(root, 'errors'));
  const asked = postIdOf(input.url);
  const { result, empty, other, anonymous } = openEnvelope(root, asked);
  if (!result) {
    const failure = (answer.status === 200 ? null : outcomeOfStatus(answer)) ?? outcomeOfErrors(errors);
    if (failure) return failure;
    if (objectOf(root) === null)
      return /<html|<!doctype/i.test(text)
        ? blocked('The answer is a page instead of data.')
        : changed('The answer is no data.', 'not JSON');
    if (other) return changed('The answer is about another post.', `asked ${asked}, given ${other}`);
    const known = ['tweetResult', 'tweet_result', 'tweet_results'].some((k) => at(root, 'data', k) !== undefined);
    const isBlank = objectOf(at(root, 'data')) !== null && Object.keys(objectOf(at(root, 'data')) ?? {}).length === 0;
    return empty && (known || isBlank) ? absent(GONE, 'empty result') : changed('The answer has a shape that is not known.');
  }
  if (typeof at(result, 'tombstone') === 'object' || result.__typename === 'TweetTombstone') {
    return outcomeOfTombstone(
      wordsIn(at(result, 'tombstone', 'text', 'text')) ?? wordsIn(at(result, 'tombstone', 'richText', 'text')) ?? '',
    );
  }
  if (result.__typename === 'TweetUnavailable') return outcomeOfReason(wordsIn(result.reason) ?? '');
  const id = idOf(result);
  if (id === null || typeof field(result, 'full_text') !== 'string') return changed('The answer has a shape that is not known.', 'no text');
  return resourceOf(result, id, anonymous);
};
