import type { MicroblogPost } from '../../../contract/operations/microblog.ts';
import { postIdOf } from '../../../contract/parameters/post-url.ts';
import { textOf } from '../../../upstream/answer.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, blocked, changed, found } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { at, countIn, idIn, type JsonObject, numberIn, objectOf, objectsOf, parseJson, urlIn, wordsIn } from '../../untyped-json.ts';
import { GONE, outcomeOfEmbedError, outcomeOfReason, outcomeOfTombstone } from '../failures.ts';
import { addressOf, handleIn, mediaOf, NO_METRICS, publishedAt, verified } from '../post.ts';
import { type Body, linksOf, linkTargets, mediaLinks, readableText, tagsOf } from '../text.ts';

const unreadInEmbed = unreadByPlaces({
  language: 'lang',
  isQuote: 'quoted_tweet',
  media: 'mediaDetails[].media_url_https',
  links: ['entities.urls[].url', 'entities.urls[].expanded_url'],
  hashtags: 'entities.hashtags[].text',
  'metrics.likes': 'favorite_count',
  'metrics.comments': 'conversation_count',
  'author.handle': 'user.screen_name',
  'author.name': 'user.name',
  'author.avatarUrl': 'user.profile_image_url_https',
  'author.isVerified': ['user.is_blue_verified', 'user.verified', 'user.verified_type'],
});

/** True if one of several fields marks the post as a reply; other posts start their own conversation. */
const answersAnother = (post: JsonObject): boolean =>
  ['in_reply_to_status_id_str', 'in_reply_to_user_id_str', 'in_reply_to_screen_name', 'parent', 'self_thread'].some(
    (name) => post[name] !== undefined && post[name] !== null,
  ) ||
  (numberIn(at(post, 'display_text_range', 0)) ?? 0) > 0 ||
  /^@\w/.test(String(post.text ?? ''));

/**
 * Parses the answer of the embed endpoint (recordings/social/NOTES.md 2.2, 2.4). It contains neither views, reposts, quotes, bookmarks nor
 * the conversation id of a reply. Of a long post (`note_tweet`) it contains only the beginning, so the text is null. A post without a
 * quoted post quotes nothing or a deleted post, so `isQuote` is true or null. Rate-limited clients also receive a bare 404, so a bare 404
 * is never `absent`.
 */
export const readSyndication: Reader<'microblog-post'> = (answer, input) => {
  const text = textOf(answer);
  const body = objectOf(parseJson(text));
  const failure = outcomeOfEmbedError(answer, body);
  if (failure) return failure;
  if (!body)
    return /<html|<!doctype/i.test(text) ? blocked('The answer is a page instead of data.') : changed('The answer is no data.', 'not JSON');
  if (objectOf(body.tombstone) || body.__typename === 'TweetTombstone') {
    return outcomeOfTombstone(wordsIn(at(body, 'tombstone', 'text', 'text')) ?? wordsIn(at(body, 'tombstone', 'richText', 'text')) ?? '');
  }
  if (body.__typename === 'TweetUnavailable') return outcomeOfReason(wordsIn(body.reason) ?? '');
  if (Object.keys(body).length === 0) return absent(GONE, 'empty object');

  const id = idIn(body.id_str);
  const asked = postIdOf(input.url);
  const user = objectOf(body.user);
  if (id === null || typeof body.text !== 'string' || !user)
    return changed('The answer has a shape that is not known.', 'no id, text or user');
  if (asked !== null && id !== asked) return changed('The answer is about another post.', `asked ${asked}, given ${id}`);

  const details = objectsOf(body.mediaDetails);
  const { links, media } = linksOf(at(body.entities, 'urls'));
  const said: Body = {
    text: body.text,
    escaped: true,
    links,
    media: new Set([...media, ...mediaLinks(details), ...mediaLinks(objectsOf(at(body.entities, 'media')))]),
  };
  const handle = handleIn(user.screen_name);
  const post: MicroblogPost = {
    postId: id,
    text: body.note_tweet ? null : readableText(said),
    url: addressOf(id, handle),
    publishedAt: publishedAt(body.created_at, id),
    language: wordsIn(body.lang),
    conversationId: answersAnother(body) ? null : id,
    isQuote: objectOf(body.quoted_tweet) ? true : null,
    media: mediaOf(details),
    links: linkTargets(said, id),
    hashtags: tagsOf(at(body.entities, 'hashtags')),
    metrics: { ...NO_METRICS, likes: countIn(body.favorite_count), comments: countIn(body.conversation_count) },
    author: {
      handle,
      name: wordsIn(user.name),
      avatarUrl: urlIn(user.profile_image_url_https),
      isVerified: verified(user.is_blue_verified, user.verified, user.verified_type),
    },
  };
  return found(post, undefined, unreadInEmbed(post, body));
};
