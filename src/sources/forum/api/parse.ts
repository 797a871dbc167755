import type { ForumComment, ForumPost, ForumPostPage } from '../../../contract/operations/forum.ts';
import type { Input } from '../../../contract/operations/index.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { absent, changed, found, type NotFound, type Outcome } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { isObject, type JsonObject } from '../../untyped-json.ts';
import { commentOf } from './comment.ts';
import { readAnswer } from './failures.ts';
import { type Text, textFor } from './fields.ts';
import { postOf } from './post.ts';
import { type Parts, partsOf, traverse } from './pre-order.ts';

// The platform is Reddit's Data API (https://www.reddit.com/dev/api). Shapes of 2015 to 2026.

const quoted = (name: unknown): string => `"${String(name ?? '').slice(0, 80)}"`;
export const communityThing = (community: unknown): string => `The community ${quoted(community)}`;
export const postThing = (postId: unknown): string => `The post ${quoted(postId)}`;

/** `/r/{community}/{sort}`: one page of posts. */
export const readListing: Reader<'forum-community'> = (answer, input) => readPage(answer, input.community, communityThing(input.community));
/** `/search` and `/r/{community}/search`: one page of posts. */
export const readSearch: Reader<'forum-search'> = (answer, input) =>
  readPage(answer, input.community, input.community ? communityThing(input.community) : 'What was searched for');

/** Names that stand for posts of many communities. */
const AGGREGATES = new Set(['all', 'popular']);

/** The name of another community than the one asked for, that a post of the page names; null if there is none. */
function otherCommunity(data: JsonObject, asked: string | undefined): string | null {
  const name = data.subreddit;
  if (typeof name !== 'string' || data.promoted === true || !asked) return null;
  const own = asked.toLowerCase();
  return AGGREGATES.has(own) || name.toLowerCase() === own ? null : name;
}

function readPage(answer: Answer, community: string | undefined, thing: string): NotFound | ReturnType<typeof found<ForumPostPage>> {
  const reading = readAnswer(answer, thing);
  if (!reading.ok) return reading.outcome;
  const listing = listingOf(reading.json);
  if (!listing) return changed('The answer is not a page of posts.');
  const after = listing.after;
  if (after !== null && !(typeof after === 'string' && /^t[1-6]_[a-z0-9]{1,13}$/.test(after)))
    return changed('The page of posts does not say whether another follows.');
  const text = textFor(answer.url);
  const posts: ForumPost[] = [];
  const unread = new UnreadFields();
  for (const child of listing.children) {
    // stickied posts, polls and galleries are kind t3, too; comments and communities are skipped
    if (!isObject(child) || child.kind !== 't3' || !isObject(child.data)) continue;
    const other = otherCommunity(child.data, community);
    if (other !== null) return changed('The answer is about another community.', `posts of ${other.slice(0, 40)}`);
    const post = postOf(child.data, text, unread, 'posts.');
    if (post) posts.push(post);
  }
  if (listing.children.length > 0 && posts.length === 0) return changed('The page holds no posts, but other things.');
  return found({ posts, after, hasMore: after !== null }, undefined, unread.paths);
}

/** The answer for a discussion, or for one comment of it: the post, and its comments as sent. */
export type ThreadAnswer =
  | { ok: true; post: ForumPost; children: readonly unknown[]; text: Text; unread: UnreadFields }
  | { ok: false; outcome: NotFound };

export function readThreadAnswer(answer: Answer, input: Partial<Input<'forum-comments'>>): ThreadAnswer {
  const fail = (outcome: NotFound): ThreadAnswer => ({ ok: false, outcome });
  const thing = postThing(input.postId);
  const reading = readAnswer(answer, thing);
  if (!reading.ok) return fail(reading.outcome);
  const [posts, comments] = Array.isArray(reading.json) ? reading.json.map(listingOf) : [listingOf(reading.json)];
  // the platform returns an empty list if the post is in another community
  if (posts?.children.length === 0) return fail(absent(`${thing} does not exist.`));
  const first = posts?.children[0];
  const text = textFor(answer.url);
  const unread = new UnreadFields();
  const post = isObject(first) && first.kind === 't3' && isObject(first.data) ? postOf(first.data, text, unread) : null;
  if (!post || !comments) return fail(changed('The answer is not a post with its comments.'));
  const asked = typeof input.postId === 'string' ? input.postId.toLowerCase().replace(/^t3_/, '') : '';
  if (asked !== '' && post.postId !== asked)
    return fail(changed('The answer describes another post.', `${post.postId} instead of ${asked}`));
  return { ok: true, post, children: comments.children, text, unread };
}

/** The comments of one answer in pre-order, in linear time; `fault`: the part of the answer that could not be parsed. */
export function flatten(
  children: readonly unknown[],
  text: Text,
  unread?: UnreadFields,
): { ok: true; comments: ForumComment[] } | { ok: false; fault: string } {
  const comments: ForumComment[] = [];
  const fault = traverse(children, {
    comment(data, depth) {
      const comment = commentOf(data, depth, text, unread);
      if (comment) comments.push(comment);
      return comment !== null;
    },
    more() {},
  });
  return fault === null ? { ok: true, comments } : { ok: false, fault };
}

/** `/comments/{id}`: the post and the comments of this answer, in pre-order; depth as in this answer. */
export const readThread: Reader<'forum-comments'> = (answer, input) => {
  const thread = readThreadAnswer(answer, input);
  if (!thread.ok) return thread.outcome;
  const flat = flatten(thread.children, thread.text, thread.unread);
  if (!flat.ok) return changed('The comments have an unknown format.', flat.fault);
  return found({ post: thread.post, comments: flat.comments }, undefined, thread.unread.paths);
};

/** `/api/morechildren`: the requested things as a flat list. */
export function readMoreChildren(
  answer: Answer,
  thing: string,
): { ok: true; things: readonly unknown[]; text: Text } | { ok: false; outcome: NotFound } {
  const reading = readAnswer(answer, thing);
  if (!reading.ok) return reading;
  const fail = (outcome: NotFound) => ({ ok: false as const, outcome });
  const json = isObject(reading.json) && isObject(reading.json.json) ? reading.json.json : null;
  if (!json) return fail(changed('The answer holds no comments.', 'no `json` in it'));
  if (Array.isArray(json.errors) && json.errors.length > 0) return fail(errorOf(json));
  const things = isObject(json.data) ? json.data.things : undefined;
  if (!Array.isArray(things)) return fail(changed('The answer holds no comments.', 'no `things` in it'));
  return { ok: true, things, text: textFor(answer.url) };
}

/** The answer for a discussion, or for one comment of it, as plain data that a worker thread can send. */
export interface ThreadPage {
  readonly post: ForumPost;
  readonly comments: Parts;
}
export function readThreadPage(answer: Answer, input: { readonly postId: string }): Outcome<ThreadPage> {
  const thread = readThreadAnswer(answer, input);
  if (!thread.ok) return thread.outcome;
  const { post, children, text, unread } = thread;
  const comments = partsOf(children, text, unread);
  return found({ post, comments }, undefined, unread.paths);
}
/** The same for `/api/morechildren`. */
export function readMoreComments(answer: Answer, input: { readonly postId: string }): Outcome<Parts> {
  const more = readMoreChildren(answer, postThing(input.postId));
  if (!more.ok) return more.outcome;
  const unread = new UnreadFields();
  const parts = partsOf(more.things, more.text, unread);
  return found(parts, undefined, unread.paths);
}

/** `errors` is a list of [code, sentence, field]; it comes with status 200. */
function errorOf(json: JsonObject): NotFound {
  const code = String(([] as unknown[]).concat((json.errors as unknown[])[0])[0]).slice(0, 60);
  if (code !== 'RATELIMIT') return { tag: 'refused', what: 'The platform did not accept the request for more comments.', detail: code };
  const seconds = typeof json.ratelimit === 'number' && json.ratelimit >= 0 ? json.ratelimit : null;
  return {
    tag: 'limited',
    what: 'The platform asks its callers to slow down.',
    retryAfterMs: seconds === null ? null : seconds * 1000,
    detail: code,
  };
}

function listingOf(json: unknown): { children: readonly unknown[]; after: unknown } | null {
  if (!isObject(json) || json.kind !== 'Listing' || !isObject(json.data) || !Array.isArray(json.data.children)) return null;
  return { children: json.data.children, after: json.data.after };
}
