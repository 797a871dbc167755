import type { ForumPost } from '../../../contract/operations/forum.ts';
import { addressOf, permalinkOf } from './address.ts';
import { flagOf, idOf, instantOf, isObject, type Json, shareOf, type Text, wholeOf, wordOf } from './fields.ts';

/** The data of a post object (kind t3) as a ForumPost; null where it has no id. `text` says how this answer's strings are read. */
export function postOf(data: Json, text: Text): ForumPost | null {
  const postId = idOf(data, 't3');
  if (postId === null) return null;
  const permalink = permalinkOf(text(data.permalink));
  return {
    community: wordOf(data.subreddit),
    communityId: wordOf(data.subreddit_id),
    postId,
    title: text(data.title)?.normalize('NFC') ?? null,
    author: wordOf(data.author),
    score: wholeOf(data.score),
    upvoteRatio: shareOf(data.upvote_ratio),
    numComments: wholeOf(data.num_comments),
    url: linkOf(text(data.url), permalink),
    selftext: text(data.selftext),
    isSelf: flagOf(data.is_self),
    isVideo: flagOf(data.is_video),
    isStickied: flagOf(data.stickied),
    thumbnail: pictureOf(text(data.thumbnail)),
    createdAt: instantOf(data.created_utc),
    permalink,
    flair: flairOf(data, text),
    domain: domainOf(data, text),
  };
}

/** A text post's address is its discussion, whatever host of the platform this answer came from. */
function linkOf(url: string | null, permalink: string | null): string | null {
  const address = addressOf(url);
  if (address === null || permalink === null || address === permalink) return address;
  return address.replace(/^https?:\/\/[a-z]+\.reddit\.com(?=\/)/i, 'https://www.reddit.com') === permalink ? permalink : address;
}

/** `self`, `default`, `nsfw`, `spoiler`, `image` are words, not pictures. */
const pictureOf = (thumbnail: string | null): string | null => (thumbnail && /^https?:/i.test(thumbnail) ? addressOf(thumbnail) : null);

/** The words of a flair; its emoji codes (`:snoo:`) are left out unless nothing else is there. */
function flairOf(data: Json, text: Text): string | null {
  const whole = text(data.link_flair_text);
  if (!whole) return null;
  const parts = data.link_flair_richtext;
  if (!Array.isArray(parts) || parts.length === 0) return whole.normalize('NFC');
  const spoken = parts
    .map((part) => (isObject(part) && part.e === 'text' ? (text(part.t) ?? '') : ''))
    .join('')
    .trim();
  return (spoken || whole).normalize('NFC');
}

/** Since 2025 video posts state a path where the domain was: then the host of the link. A text post's `self.x` is never derived. */
function domainOf(data: Json, text: Text): string | null {
  const stated = wordOf(data.domain);
  if (stated && !stated.startsWith('/')) return stated;
  if (data.is_self === true && !stated) return null;
  const url = addressOf(text(data.url));
  return url ? (URL.parse(url)?.hostname ?? null) : null;
}
