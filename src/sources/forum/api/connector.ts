import { once } from 'node:events';
import type { ForumThread } from '../../../contract/operations/forum-comments/operation.ts';
import type { Reply } from '../../../upstream/answer.ts';
import type { Lease } from '../../../upstream/ports.ts';
import { changed, found, incomplete, type NotFound, type Outcome, refusedInput, timeout } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import { UnreadFields } from '../../unread-fields.ts';
import { type Client, createClient } from './client.ts';
import { createTree, type Task } from './comment-tree.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PAGE_SIZE = '100';

/** The input with the community's current name, to which the platform redirected from a former one. */
function current<I extends { readonly community?: string }>(input: I, reply: Reply | NotFound): I {
  const name = reply.tag === 'answer' ? /^\/r\/([^/]+)\//.exec(URL.parse(reply.answer.url)?.pathname ?? '')?.[1] : undefined;
  return input.community && name ? { ...input, community: decodeURIComponent(name) } : input;
}

export function open(ports: Ports): Asks {
  const client = createClient(ports);
  const lease = ports.lease ?? createLocalLease();
  return {
    async 'forum-community'(input, attempt) {
      const query = { limit: PAGE_SIZE, ...(input.sort === 'top' && { t: 'day' }), ...(input.after && { after: input.after }) };
      const reply = await client.ask(`/r/${encodeURIComponent(input.community)}/${input.sort}`, query, attempt);
      return parse(ports, parser('readListing'), reply, current(input, reply), attempt);
    },
    async 'forum-search'(input, attempt) {
      const query = {
        // the platform redirects a bare URL to its submit page
        q: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(input.query) ? `url:"${input.query}"` : input.query,
        sort: input.sort,
        t: 'all',
        type: 'link',
        limit: PAGE_SIZE,
        include_over_18: '1',
        ...(input.after && { after: input.after }),
        ...(input.community && { restrict_sr: '1' }),
      };
      const path = input.community ? `/r/${encodeURIComponent(input.community)}/search` : '/search';
      const reply = await client.ask(path, query, attempt);
      return parse(ports, parser('readSearch'), reply, current(input, reply), attempt);
    },
    'forum-comments': ({ postId }, attempt) => readWholeThread(ports, { client, lease }, postId, attempt),
  };
}

export function createLocalLease(): Lease {
  const tails = new Map<string, Promise<unknown>>();
  return {
    async alone(key, work, signal) {
      const before = tails.get(key);
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      const tail = Promise.all([before, done]);
      tails.set(key, tail);
      const waited = new AbortController();
      try {
        if (before && !signal.aborted) await Promise.race([before, once(signal, 'abort', { signal: waited.signal })]);
        return signal.aborted ? null : await work();
      } finally {
        waited.abort();
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}

const MARGIN_MS = 300;
const RETRY_BASE_MS = 100;
const RETRY_JITTER_MS = 400;
const PAGE = { limit: '500', threaded: 'true', showmore: 'true' };

type Api = { readonly client: Client; readonly lease: Lease };
/** Pages that are asked for again at most, for comments that the platform named and left out. */
const MAX_ASKED_AGAIN = 10;
/**
 * Fetches a post and all of its comments: the first answer, then everything that it and later answers name. Fails if a part is missing;
 * `comments` is unread if the platform leaves comments out that it named, on the pages of what they answer, too.
 */
async function readWholeThread(ports: Ports, api: Api, postId: string, attempt: Attempt): Promise<Outcome<ForumThread>> {
  const maxRequests = ports.settings.SIGHTLINE_FORUM_MAX_REQUESTS;
  const first = await ask(api, postId, null, attempt);
  const thread = await parse(ports, parser('readThreadPage'), first, { postId }, attempt);
  if (thread.tag !== 'found') return thread;
  const tree = createTree(postId);
  const unread = new UnreadFields();
  unread.add(thread.unread ?? []);
  const fault = unknownFormat(tree.add(thread.resource.comments, `t3_${postId}`));
  if (fault) return fault;
  const execute = async (task: Task): Promise<NotFound | null> => {
    const reply = await ask(api, postId, task, attempt);
    let fault: string | null;
    if (task.kind === 'ids') {
      const more = await parse(ports, parser('readMoreComments'), reply, { postId }, attempt);
      if (more.tag !== 'found') return more;
      unread.add(more.unread ?? []);
      fault = tree.add(more.resource, null);
    } else {
      const page = await parse(ports, parser('readThreadPage'), reply, { postId }, attempt);
      if (page.tag === 'absent' && reply.tag === 'answer' && reply.answer.status === 404) {
        if (task.kind === 'page') tree.remove(task.id);
        return null;
      }
      if (page.tag !== 'found') return page;
      unread.add((page.unread ?? []).filter((path) => /^comments(?:\.|$)/.test(path)));
      const { comments } = page.resource;
      // the page of a deleted comment is the post without comments
      if (task.kind === 'page' && comments.parts.length === 0 && comments.fault === null) tree.remove(task.id);
      fault = tree.add(comments, task.kind === 'page' ? `t1_${task.id}` : task.root);
    }
    return unknownFormat(fault);
  };
  let requests = 1;
  // retries after the first answer; a failure of the first answer is retried by the engine
  let retries = 1;
  let asksAgain = 0;
  const isTimeOver = (): boolean => attempt.signal.aborted || ports.clock.now() >= attempt.deadlineMs - MARGIN_MS;
  for (let task = tree.next(); task; task = tree.next()) {
    if (task.again) {
      if (asksAgain++ >= MAX_ASKED_AGAIN || requests >= maxRequests || isTimeOver()) break;
      requests++;
      if (await execute(task)) break;
      continue;
    }
    if (requests + tree.minRequestsLeft() + 1 > maxRequests)
      return refusedInput(
        `The discussion needs more than ${maxRequests} requests, the limit of this service, which returns no partial discussion.`,
        `SIGHTLINE_FORUM_MAX_REQUESTS reached with ${tree.size()} comments, at least ${tree.minRequestsLeft()} requests to go`,
      );
    if (isTimeOver())
      return timeout(
        'The discussion takes longer than this service allows, which returns no partial discussion.',
        `the deadline reached after ${requests} requests with ${tree.size()} comments`,
      );
    requests++;
    let failure = await execute(task);
    if (failure?.tag === 'unreachable' && retries > 0) {
      retries--;
      requests++;
      await ports.clock.sleep(RETRY_BASE_MS + ports.random() * RETRY_JITTER_MS, attempt.signal);
      failure = await execute(task);
    }
    // the post was there: what is said of a part of it says nothing of it
    if (failure?.tag === 'absent') return changed('The platform shows the discussion, but not a part of it that it names.', failure.what);
    if (failure) return failure;
  }
  const comments = tree.finish();
  const isCut = 'The platform names comments of this discussion that it does not return, and this service returns no partial discussion.';
  if (!comments) return refusedInput(isCut);
  const lacking = tree.lacking();
  ports.log('info', 'discussion fetched', { postId, comments: comments.length, lacking, requests });
  const whole = found({ post: thread.resource.post, comments }, undefined, unread.paths);
  return lacking > 0 ? incomplete(whole, ['comments']) : whole;
}
const unknownFormat = (fault: string | null) => (fault === null ? null : changed('The comments have an unknown format.', fault));

/** Sends the request of a task; null: of the first page of the discussion. */
async function ask({ client, lease }: Api, postId: string, task: Task | null, attempt: Attempt): Promise<Reply | NotFound> {
  if (task?.kind === 'ids') {
    const form = { api_type: 'json', link_id: `t3_${postId}`, children: task.ids.join(','), sort: 'confidence', limit_children: 'false' };
    // the platform allows one such request at a time per application
    const got = await lease.alone('forum/api morechildren', () => client.ask('/api/morechildren', {}, attempt, form), attempt.signal);
    return got ?? timeout('There was no time left to wait for other requests to the platform.');
  }
  const root = task?.kind === 'page' ? `t1_${task.id}` : (task?.root ?? '');
  const path = root.startsWith('t1_') ? `/_/${root.slice(3)}` : '';
  return client.ask(`/comments/${postId}${path}`, { ...PAGE, sort: task?.kind === 'sorted' ? task.sort : 'confidence' }, attempt);
}
