import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import type { ForumPost } from '../../../contract/operations/forum.ts';
import type { ForumComment } from '../../../contract/operations/forum-comments/operation.ts';
import { unreadByTable } from '../../tables.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { countIn, flagIn, instantOf, integerIn, nonEmptyIn, numberIn, objectsOf, ratioIn } from '../../untyped-json.ts';
import { asUri, hostOf, withoutTracking } from '../../web-address.ts';
import { OWN_HOST } from './failures.ts';

/** The platform opened in 2005; an earlier time is invalid. */
const FIRST_SECONDS = 1_104_537_600;
/** Epoch seconds as RFC 3339. (`created_utc`; `created` was shifted by hours before 2023.) */
export const secondsIn = (value: unknown): string | null =>
  typeof value === 'number' && value >= FIRST_SECONDS ? instantOf(value * 1000) : null;

export type Text = (value: unknown) => string | null;

const asSent: Text = (value) => (typeof value === 'string' ? value.toWellFormed() : null);
/** Without `raw_json=1` the platform escapes these three characters. */
const decoded: Text = (value) =>
  asSent(value)?.replace(/&(lt|gt|amp);/g, (_, name: string) => (name === 'lt' ? '<' : name === 'gt' ? '>' : '&')) ?? null;

/** Strings are escaped if the answer comes from the platform without `raw_json=1`; answers of data providers are left unchanged. */
export const textFor = (url: string): Text =>
  /^https?:\/\/([a-z]+\.)?reddit\.com\//i.test(url) && !/[?&]raw_json=1\b/.test(url) ? decoded : asSent;

/** Base-36 id of a thing, stated as `id` and in its full name (`t1_abc`); null if both are missing, or if they differ. */
export function idOf(data: JsonObject, kind: 't1' | 't3'): string | null {
  const named = bareOf(data.name, kind);
  if (typeof data.id !== 'string' || !/^[a-z0-9]{1,13}$/.test(data.id)) return named;
  return named === null || named === data.id ? data.id : null;
}
/** `t3_abc` → `abc`. */
export const bareOf = (name: unknown, kind: 't1' | 't3' | 't5'): string | null =>
  typeof name === 'string' && name.startsWith(`${kind}_`) && /^[a-z0-9]{1,13}$/.test(name.slice(3)) ? name.slice(3) : null;

export const SITE = 'https://www.reddit.com';

const OWN_TRACKING = /^(share_id|rdt|ref|ref_source)$/i;
/** A path that is part of a URL as it is written. */
const PLAIN_PATH = /^\/[\w~.-][\w/~.-]*$/;
/** The same with words that must be percent-encoded; without dots, which may be segments of the path. */
const WORDS_PATH = /^\/[\w~\u0080-\uffff-][\w/~\u0080-\uffff-]*$/;

/** A valid absolute http(s) URI; a path is resolved against the platform's site. Null if the text is neither. */
export function addressOf(text: string | null): string | null {
  if (!text || !/^(https?:)?\/\/|^\//i.test(text)) return null;
  const whole = text.startsWith('//') ? `https:${text}` : text.startsWith('/') ? SITE + text : text;
  const host = hostOf(whole);
  return host && asUri(withoutTracking(whole, OWN_HOST.test(host) ? OWN_TRACKING : undefined));
}

export function permalinkOf(path: string | null): string | null {
  if (path && PLAIN_PATH.test(path)) return SITE + path;
  if (path && WORDS_PATH.test(path) && path.isWellFormed()) return SITE + encodeURI(path);
  return addressOf(path?.replace(/^(\/(?!\/)[^?]*)\?.*$/s, '$1') ?? null);
}

const PLACES = new URL('./places.tsv', import.meta.url);
const unreadInPost = unreadByTable(PLACES, 'post');
const unreadInComment = unreadByTable(PLACES, 'comment');

/** The data of a post (kind t3) as a ForumPost; null without an id. `text` decodes the strings of this answer. */
export function postOf(data: JsonObject, text: Text, unread: UnreadFields, prefix = 'post.'): ForumPost | null {
  const postId = idOf(data, 't3');
  if (postId === null) return null;
  const permalink = permalinkOf(text(data.permalink));
  const address = addressOf(text(data.url));
  const thumbnail = text(data.thumbnail);
  const stated = nonEmptyIn(data.domain);
  const post: ForumPost = {
    community: nonEmptyIn(data.subreddit),
    communityId: bareOf(data.subreddit_id, 't5') === null ? null : nonEmptyIn(data.subreddit_id),
    postId,
    title: text(data.title)?.normalize('NFC') ?? null,
    author: nonEmptyIn(data.author),
    score: integerIn(numberIn(data.score)),
    upvoteRatio: ratioIn(numberIn(data.upvote_ratio)),
    numComments: countIn(data.num_comments),
    // of a text post its permalink, whichever host of the platform the answer names
    url: address?.replace(/^https?:\/\/[a-z]+\.reddit\.com(?=\/)/i, SITE) === permalink ? permalink : address,
    selftext: text(data.selftext),
    isSelf: flagIn(data.is_self),
    isVideo: flagIn(data.is_video),
    isStickied: flagIn(data.stickied),
    // `self`, `default`, `nsfw`, `spoiler`, `image` are keywords, not URLs
    thumbnail: thumbnail && /^(?:https?:)?\/\//i.test(thumbnail) ? addressOf(thumbnail) : null,
    createdAt: secondsIn(data.created_utc),
    permalink,
    flair: flairOf(data, text),
    // since 2025 video posts state a path: then the host of the link; `self.x` of text posts is never derived
    domain: stated && !stated.startsWith('/') ? stated : data.is_self === true && !stated ? null : hostOf(address),
  };
  unread.add(unreadInPost(post, data, prefix));
  return post;
}

/** The text of a flair without emoji codes (`:snoo:`), unless it consists of emoji codes only. */
function flairOf(data: JsonObject, text: Text): string | null {
  const parts = objectsOf(data.link_flair_richtext).map((part) => (part.e === 'text' ? (text(part.t) ?? '') : ''));
  const whole = text(data.link_flair_text);
  return whole ? (parts.join('').trim() || whole).normalize('NFC') : null;
}

export type PlacedComment = ForumComment & { parentId: string };

/** null without id, post or parent. `depth`: the platform's field is missing before 2017 and starts at 0 in an answer for a comment. */
function commentOf(data: JsonObject, depth: number, text: Text, unread?: UnreadFields): PlacedComment | null {
  const commentId = idOf(data, 't1');
  const postId = bareOf(data.link_id, 't3');
  const parentId = parentOf(data);
  if (commentId === null || postId === null || parentId === null) return null;
  const comment: PlacedComment = {
    postId,
    commentId,
    parentId,
    author: nonEmptyIn(data.author),
    body: text(data.body),
    score: flagIn(data.score_hidden) === true ? null : integerIn(numberIn(data.score)),
    depth,
    createdAt: secondsIn(data.created_utc),
    permalink: permalinkOf(text(data.permalink)) ?? builtPermalink(data, postId, commentId),
    isStickied: flagIn(data.stickied),
  };
  unread?.add(unreadInComment(comment, data, 'comments.'));
  return comment;
}
const parentOf = ({ parent_id: name }: JsonObject): string | null =>
  typeof name === 'string' && (bareOf(name, 't1') ?? bareOf(name, 't3')) !== null ? name : null;

/** The permalink of comments before 2017, which have none; the platform accepts `_` in place of the title. */
function builtPermalink(data: JsonObject, postId: string, commentId: string): string | null {
  const community = nonEmptyIn(data.subreddit);
  return data.permalink === undefined && community && /^[\w.-]+$/.test(community)
    ? `${SITE}/r/${community}/comments/${postId}/_/${commentId}/`
    : null;
}

/** Comments that an answer names but does not contain (kind `more`). */
export interface More {
  readonly parentId: string;
  /** Estimated number of missing comments on all levels. */
  readonly count: number;
  readonly ids: readonly string[];
}
/** Whether anything is missing: an empty `more` below the post says so by its count alone, below a comment it is "continue this thread". */
export const announces = ({ parentId, count, ids }: More): boolean => ids.length > 0 || count > 0 || parentId.startsWith('t1_');
function moreOf(data: JsonObject): More | null {
  const { children, count } = data;
  const parentId = parentOf(data);
  if (parentId === null || !Array.isArray(children)) return null;
  const ids = children.filter((id) => typeof id === 'string' && /^(t1_)?[a-z0-9]{1,13}$/.test(id));
  if (ids.length === 0 && (children.length > 0 || (typeof count === 'string' && countIn(count) === null))) return null;
  return { parentId, count: countIn(count) ?? 0, ids: ids.map((id) => id.replace(/^t1_/, '')) };
}

/** The comments and `more` objects of one answer, in pre-order; `fault`: what could not be parsed, which ends the list. */
export interface Parts {
  readonly parts: readonly (PlacedComment | More)[];
  readonly fault: string | null;
}
export const isComment = (part: PlacedComment | More): part is PlacedComment => !('ids' in part);

/** The stated depth: an answer for one comment begins at the comment's own level. -1: not stated. */
const statedDepth = (data: JsonObject): number => integerIn(numberIn(data.depth)) ?? -1;

/**
 * The things of one answer in pre-order, by an explicit stack; kinds t2 to t6 are skipped. A thing that cannot be read leaves `comments` unread
 * with the replies below it, and is a fault where nothing else is there. `depthOf`: from a comment and its level here.
 */
export function partsOf(
  children: unknown,
  text: Text,
  unread?: UnreadFields,
  depthOf: (data: JsonObject, level: number) => number = statedDepth,
): Parts {
  const parts: (PlacedComment | More)[] = [];
  if (!Array.isArray(children)) return { parts, fault: 'comments are not a list' };
  let lost: string | null = null;
  const lose = (what: string): void => {
    lost ??= what;
    unread?.note('comments');
  };
  const lists: { readonly things: readonly unknown[]; next: number }[] = [{ things: children, next: 0 }];
  for (let list = lists.at(-1); list; list = lists.at(-1)) {
    if (list.next >= list.things.length) {
      lists.pop();
      continue;
    }
    const thing = list.things[list.next++];
    if (!isObject(thing) || !isObject(thing.data)) {
      lose('a thing without data');
      continue;
    }
    const { kind, data } = thing;
    if (kind === 't1') {
      const comment = commentOf(data, depthOf(data, lists.length - 1), text, unread);
      if (!comment) {
        lose('a comment without id, post or parent');
        continue;
      }
      parts.push(comment);
      const { replies } = data;
      if (replies === '' || replies === null || replies === undefined) continue;
      const below = isObject(replies) && replies.kind === 'Listing' && isObject(replies.data) ? replies.data.children : null;
      if (Array.isArray(below)) lists.push({ things: below, next: 0 });
      else lose('replies are not a listing');
    } else if (kind === 'more') {
      const more = moreOf(data);
      if (!more) lose('a `more` of unknown format');
      else {
        if (more.ids.length < (data.children as unknown[]).length) lose('a `more` with other things than ids');
        parts.push(more);
      }
    } else if (typeof kind !== 'string' || !/^t[2-6]$/.test(kind))
      return { parts, fault: `a thing of unknown kind ${String(kind).slice(0, 20)}` };
  }
  return { parts, fault: parts.length === 0 ? lost : null };
}
