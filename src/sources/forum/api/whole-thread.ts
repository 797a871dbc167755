import type { ForumThread } from '../../../contract/operations/forum.ts';
import type { Lease } from '../../../upstream/ports.ts';
import { changed, found, type NotFound, type Outcome, refused, timeout } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Attempt, Ports } from '../../source.ts';
import { UnreadFields } from '../../unread-fields.ts';
import type { Client, Got } from './client.ts';
import { createTree, type Task, type Tree } from './comment-tree.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** Time reserved for building the resource. */
const MARGIN_MS = 300;
const RETRY_BASE_MS = 100;
const RETRY_JITTER_MS = 400;
const PAGE = { limit: '500', threaded: 'true', showmore: 'true' };

interface Reading {
  readonly client: Client;
  readonly lease: Lease;
  readonly ports: Ports;
  readonly postId: string;
  readonly attempt: Attempt;
}

/** Fetches a post and all of its comments: the first answer, then everything that it and later answers name. Fails if a part is missing. */
export async function readWholeThread(reading: Reading): Promise<Outcome<ForumThread>> {
  const { ports, postId, attempt } = reading;
  const { clock, settings } = ports;
  const maxRequests = settings.SIGHTLINE_FORUM_MAX_REQUESTS;
  const untilMs = Math.min(attempt.deadlineMs - MARGIN_MS, clock.now() + settings.SIGHTLINE_FORUM_MAX_MS);
  let requests = 1;
  // retries after the first answer; a failure of the first answer is retried by the engine
  let retries = 1;

  const first = await ask(reading, null);
  if (!first.ok) return first.outcome;
  const thread = await parse(ports, parser('readThreadPage'), first.answer, { postId }, attempt);
  if (thread.tag !== 'found') return thread;
  const tree = createTree(postId);
  const unread = new UnreadFields();
  unread.add(thread.unread ?? []);
  const fault = tree.add(thread.resource.comments, `t3_${postId}`);
  if (fault !== null) return changed('The comments have an unknown format.', fault);

  for (let task = tree.next(); task; task = tree.next()) {
    if (requests + tree.minRequestsLeft + 1 > maxRequests) return tooMany(tree, maxRequests);
    if (attempt.signal.aborted || clock.now() >= untilMs) return tooLong(tree, requests);
    requests++;
    let failure = await execute(reading, tree, task, unread);
    if (failure?.tag === 'unreachable' && retries > 0) {
      retries--;
      requests++;
      await clock.sleep(RETRY_BASE_MS + ports.random() * RETRY_JITTER_MS, attempt.signal);
      failure = await execute(reading, tree, task, unread);
    }
    if (failure) return failure;
  }
  const comments = tree.finish();
  if (!comments)
    return refused(
      'The platform names comments of this discussion that it does not return, and this service returns no partial discussion.',
    );
  ports.log('info', 'discussion fetched', { postId, comments: comments.length, requests });
  return found({ post: thread.resource.post, comments }, undefined, unread.paths);
}

/** Executes one task and adds its answer to the tree. Returns a failure, or null. */
async function execute(reading: Reading, tree: Tree, task: Task, unread: UnreadFields): Promise<NotFound | null> {
  const got = await ask(reading, task);
  if (!got.ok) return got.outcome;
  let fault: string | null;
  if (task.kind === 'ids') {
    const more = await parse(reading.ports, parser('readMoreComments'), got.answer, { postId: reading.postId }, reading.attempt);
    if (more.tag !== 'found') return more;
    unread.add(more.unread ?? []);
    fault = tree.add(more.resource, null);
  } else {
    const page = await parse(reading.ports, parser('readThreadPage'), got.answer, { postId: reading.postId }, reading.attempt);
    // replies of a deleted comment are deleted, too
    if (page.tag !== 'found') return page.tag === 'absent' && got.answer.status === 404 ? null : page;
    unread.add((page.unread ?? []).filter((path) => path.startsWith('comments.')));
    fault = tree.add(page.resource.comments, task.kind === 'page' ? `t1_${task.id}` : task.root);
  }
  return fault === null ? null : changed('The comments have an unknown format.', fault);
}

/** Sends the request of a task; null: of the first page of the discussion. */
async function ask({ client, lease, postId, attempt }: Reading, task: Task | null): Promise<Got> {
  if (task?.kind === 'ids') {
    const form = { api_type: 'json', link_id: `t3_${postId}`, children: task.ids.join(','), sort: 'confidence', limit_children: 'false' };
    // the platform allows one such request at a time per application
    const got = await lease.alone('forum/api morechildren', () => client.ask('/api/morechildren', {}, attempt, form), attempt.signal);
    return got ?? { ok: false, outcome: timeout('There was no time left to wait for other requests to the platform.') };
  }
  const root = task === null ? '' : task.kind === 'page' ? `/_/${task.id}` : task.root.startsWith('t1_') ? `/_/${task.root.slice(3)}` : '';
  return client.ask(`/comments/${postId}${root}`, { ...PAGE, sort: task?.kind === 'sorted' ? task.sort : 'confidence' }, attempt);
}

const tooMany = (tree: Tree, most: number): NotFound =>
  refused(
    `The discussion needs more than ${most} requests, the limit of this service, which returns no partial discussion.`,
    `SIGHTLINE_FORUM_MAX_REQUESTS reached with ${tree.size} comments, at least ${tree.minRequestsLeft} requests to go`,
  );
const tooLong = (tree: Tree, requests: number): NotFound =>
  timeout(
    'The discussion takes longer than this service allows, which returns no partial discussion.',
    `SIGHTLINE_FORUM_MAX_MS or the deadline reached after ${requests} requests with ${tree.size} comments`,
  );
