import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import type { ForumPost, ForumPostPage } from '../../../contract/operations/forum.ts';
import type { Input } from '../../../contract/operations/index.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { absent, changed, found, foundNothing, limited, type NotFound, type Outcome, refused, withUnread } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { countIn, listOf, nonEmptyIn, objectOf } from '../../untyped-json.ts';
import { evidence, readAnswer } from './failures.ts';
import { announces, isComment, type Parts, type PlacedComment, partsOf, postOf, textFor } from './things.ts';

const EMPTY_POST = evidence('empty listing of the post');
const NO_POSTS = evidence('listing without posts');

// The platform is Reddit's Data API (https://www.reddit.com/dev/api). Shapes of 2015 to 2026.

const quoted = (name: unknown): string => `"${String(name ?? '').slice(0, 80)}"`;
export const communityThing = (community: unknown): string => `The community ${quoted(community)}`;
export const postThing = (postId: unknown): string => `The post ${quoted(postId)}`;

/** `/r/{community}/{sort}`: one page of posts. */
export const readListing: Reader<'forum-community'> = (answer, input) => readPage(answer, input.community, communityThing(input.community));
/** `/search` and `/r/{community}/search`: one page of posts. */
export const readSearch: Reader<'forum-search'> = (answer, input) =>
  readPage(answer, input.community, input.community ? communityThing(input.community) : 'What was searched for');

const AGGREGATES = new Set(['all', 'popular']);

/** The name of another community than the one asked for, that a post of the page names; null if there is none. */
function otherCommunity(data: JsonObject, asked: string | undefined): string | null {
  const name = nonEmptyIn(data.subreddit);
  if (name === null || data.promoted === true || !asked) return null;
  const own = asked.toLowerCase();
  return AGGREGATES.has(own) || name.toLowerCase() === own ? null : name;
}

function readPage(answer: Answer, community: string | undefined, thing: string): NotFound | ReturnType<typeof found<ForumPostPage>> {
  const reading = readAnswer(answer, thing);
  if (reading.tag !== 'json') return reading;
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
    if (isObject(child) && child.kind !== 't3' && typeof child.kind === 'string') continue;
    const data = isObject(child) ? objectOf(child.data) : null;
    const other = data && otherCommunity(data, community);
    if (other !== null) return changed('The answer is about another community.', `posts of ${other.slice(0, 40)}`);
    const post = data && postOf(data, text, unread, 'posts.');
    if (post) posts.push(post);
    else unread.note('posts');
  }
  const page = { posts, after, hasMore: after !== null };
  if (isEmpty(listing) && after === null) return foundNothing(NO_POSTS, page);
  if (listing.children.length === 0) return changed('The page is empty, but says that there are posts.');
  if (posts.length === 0) return changed('The page holds no posts, but other things.');
  if (listing.announced > listing.children.length) unread.note('posts');
  return found(page, undefined, unread.paths);
}

/** The answer for a discussion, or for one comment of it, as plain data that a worker thread can send. */
export function readThreadPage(
  answer: Answer,
  input: Partial<Input<'forum-comments'>>,
  depthOf?: (_: unknown, level: number) => number,
): Outcome<{ readonly post: ForumPost; readonly comments: Parts }> {
  const thing = postThing(input.postId);
  const reading = readAnswer(answer, thing);
  if (reading.tag !== 'json') return reading;
  const [posts, comments] = listOf(reading.json).map(listingOf);
  // the platform returns empty lists if the post is in another community
  if (posts && comments && isEmpty(posts) && isEmpty(comments)) return absent(EMPTY_POST, `${thing} does not exist.`);
  const first = posts?.children.find((child) => isObject(child) && child.kind === 't3' && isObject(child.data));
  const text = textFor(answer.url);
  const unread = new UnreadFields();
  const post = isObject(first) && first.kind === 't3' && isObject(first.data) ? postOf(first.data, text, unread) : null;
  if (!post || !comments) return changed('The answer is not a post with its comments.');
  const asked = typeof input.postId === 'string' ? input.postId.toLowerCase().replace(/^t3_/, '') : '';
  if (asked !== '' && post.postId !== asked) return changed('The answer describes another post.', `${post.postId} instead of ${asked}`);
  if (comments.announced > comments.children.length) unread.note('comments');
  const parts = partsOf(comments.children, text, unread, depthOf);
  return found({ post, comments: parts }, undefined, unread.paths);
}
/** `/comments/{id}`: the post and the comments of this answer, in pre-order; depth as in this answer. */
export const readThread: Reader<'forum-comments'> = (answer, input) => {
  const page = readThreadPage(answer, input, (_, level) => level);
  if (page.tag !== 'found') return page;
  const { post, comments: read } = page.resource;
  if (read.fault !== null) return changed('The comments have an unknown format.', read.fault);
  const comments = read.parts.filter(isComment);
  const stray = comments.find(({ postId }) => postId !== post.postId);
  if (stray) return changed('The answer holds comments of another post.', `${stray.postId} instead of ${post.postId}`);
  const thread = found({ post, comments }, undefined, page.unread);
  return lacksComments(read, comments) ? withUnread(thread, ['comments']) : thread;
};

/** Whether an answer names comments that it does not hold: by a `more`, or as what its comments answer. */
function lacksComments({ parts }: Parts, comments: readonly PlacedComment[]): boolean {
  const names = new Set(comments.map(({ commentId }) => `t1_${commentId}`));
  return (
    parts.some((part) => !isComment(part) && announces(part)) ||
    comments.some(({ parentId }) => parentId.startsWith('t1_') && !names.has(parentId))
  );
}

/** `/api/morechildren`: the requested things as a flat list. */
export function readMoreComments(answer: Answer, input: { readonly postId: string }): Outcome<Parts> {
  const reading = readAnswer(answer, postThing(input.postId));
  if (reading.tag !== 'json') return reading;
  const json = objectOf(objectOf(reading.json)?.json);
  if (!json) return changed('The answer holds no comments.', 'no `json` in it');
  if (Array.isArray(json.errors) && json.errors.length > 0) return errorOf(json, json.errors);
  const things = objectOf(json.data)?.things;
  if (!Array.isArray(things)) return changed('The answer holds no comments.', 'no `things` in it');
  const unread = new UnreadFields();
  const parts = partsOf(things, textFor(answer.url), unread);
  return found(parts, undefined, unread.paths);
}

/** `errors` is a list of [code, sentence, field]; it comes with status 200. A limit among them is the cause of the others. */
function errorOf(json: JsonObject, errors: readonly unknown[]): NotFound {
  const codes = errors.map((error) => String([error].flat()[0]).slice(0, 60));
  if (!codes.includes('RATELIMIT'))
    return refused('The platform did not accept the request for more comments.', codes.join(', ').slice(0, 120));
  const seconds = typeof json.ratelimit === 'number' && json.ratelimit >= 0 ? json.ratelimit : null;
  return limited('The platform asks its callers to slow down.', seconds === null ? null : seconds * 1000, 'RATELIMIT');
}

interface Listing {
  readonly children: readonly unknown[];
  readonly after: unknown;
  /** The number of things that it says it holds (`dist`; since 2018, not of comments); else 0. */
  readonly announced: number;
}
function listingOf(json: unknown): Listing | null {
  if (!isObject(json) || json.kind !== 'Listing' || !isObject(json.data) || !Array.isArray(json.data.children)) return null;
  return { children: json.data.children, after: json.data.after, announced: countIn(json.data.dist) ?? 0 };
}
const isEmpty = ({ children, announced }: Listing): boolean => children.length === 0 && announced <= 0;
