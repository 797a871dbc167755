import type { ForumPost } from '../../../contract/operations/forum.ts';
import { unreadByPlaces } from '../../json-places.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { flagIn, integerIn, isObject, type JsonObject, nonEmptyIn, ratioIn } from '../../untyped-json.ts';
import { addressOf, permalinkOf } from './address.ts';
import { idOf, instantOf, type Text } from './fields.ts';

const unreadInPost = unreadByPlaces({
  community: 'subreddit',
  communityId: 'subreddit_id',
  title: 'title',
  author: 'author',
  score: 'score',
  upvoteRatio: 'upvote_ratio',
  numComments: 'num_comments',
  url: 'url',
  selftext: 'selftext',
  isSelf: 'is_self',
  isVideo: 'is_video',
  isStickied: 'stickied',
  thumbnail: 'thumbnail:string',
  createdAt: 'created_utc',
  permalink: 'permalink',
  flair: 'link_flair_text',
  domain: 'domain',
});

/** The data of a post (kind t3) as a ForumPost; null without an id. `text` decodes the strings of this answer. */
export function postOf(data: JsonObject, text: Text, unread?: UnreadFields, prefix = 'post.'): ForumPost | null {
  const postId = idOf(data, 't3');
  if (postId === null) return null;
  const permalink = permalinkOf(text(data.permalink));
  const post: ForumPost = {
    community: nonEmptyIn(data.subreddit),
    communityId: nonEmptyIn(data.subreddit_id),
    postId,
    title: text(data.title)?.normalize('NFC') ?? null,
    author: nonEmptyIn(data.author),
    score: integerIn(data.score),
    upvoteRatio: ratioIn(data.upvote_ratio),
    numComments: integerIn(data.num_comments),
    url: linkOf(text(data.url), permalink),
    selftext: text(data.selftext),
    isSelf: flagIn(data.is_self),
    isVideo: flagIn(data.is_video),
    isStickied: flagIn(data.stickied),
    thumbnail: pictureOf(text(data.thumbnail)),
    createdAt: instantOf(data.created_utc),
    permalink,
    flair: flairOf(data, text),
    domain: domainOf(data, text),
  };
  unread?.add(unreadInPost(post, data, prefix));
  return post;
}

/** The link of a post; for a text post its permalink, whichever host of the platform the answer names. */
function linkOf(url: string | null, permalink: string | null): string | null {
  const address = addressOf(url);
  if (address === null || permalink === null || address === permalink) return address;
  return address.replace(/^https?:\/\/[a-z]+\.reddit\.com(?=\/)/i, 'https://www.reddit.com') === permalink ? permalink : address;
}

/** `self`, `default`, `nsfw`, `spoiler`, `image` are keywords, not URLs. */
const pictureOf = (thumbnail: string | null): string | null => (thumbnail && /^https?:/i.test(thumbnail) ? addressOf(thumbnail) : null);

/** The text of a flair without emoji codes (`:snoo:`), unless it consists of emoji codes only. */
function flairOf(data: JsonObject, text: Text): string | null {
  const whole = text(data.link_flair_text);
  if (!whole) return null;
  const parts = data.link_flair_richtext;
  if (!Array.isArray(parts) || parts.length === 0) return whole.normalize('NFC');
  const plain = parts
    .map((part) => (isObject(part) && part.e === 'text' ? (text(part.t) ?? '') : ''))
    .join('')
    .trim();
  return (plain || whole).normalize('NFC');
}

/** Since 2025 video posts state a path as domain; then the host of the link is used. `self.x` of text posts is never derived. */
function domainOf(data: JsonObject, text: Text): string | null {
  const stated = nonEmptyIn(data.domain);
  if (stated && !stated.startsWith('/')) return stated;
  if (data.is_self === true && !stated) return null;
  const url = addressOf(text(data.url));
  return url ? (URL.parse(url)?.hostname ?? null) : null;
}
