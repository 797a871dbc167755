/** Discussions of which a part is not there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listing, type Thing } from '../../sandbox/forum/wire.ts';
import { json, type SandboxHost, type SandboxResponse } from '../../sandbox/host.ts';
import { forumOver } from './simulated-source.ts';

const POST: Thing = { kind: 't3', data: { id: 'abc', name: 't3_abc' } };
const comment = (id: string, parent = 't3_abc') => ({
  kind: 't1',
  data: { id, link_id: 't3_abc', parent_id: parent, body: 'b', depth: 0, replies: '' },
});
const page = (things: readonly unknown[]) => json([listing([POST]), listing(things, null, null)]);

/** Looks the discussion up: `first` is its first page, `rest` answers every further request. */
async function look(first: readonly unknown[], rest: (path: string) => SandboxResponse) {
  const host: SandboxHost = {
    origins: ['https://www.reddit.com', 'https://oauth.reddit.com'],
    answer({ url: { pathname } }) {
      if (pathname.endsWith('access_token')) return json({ access_token: 'x', token_type: 'bearer', expires_in: 3600 });
      return pathname === '/comments/abc' ? page(first) : rest(pathname);
    },
  };
  const { lookup, asked } = forumOver({ hosts: [host] });
  return { outcome: await lookup('forum-comments', { postId: 'abc' }), asked: asked.map(({ url }) => url.pathname) };
}
const more = (count: number, children: readonly string[]): Thing => ({ kind: 'more', data: { parent_id: 't3_abc', count, children } });

test('the page of a comment that is the post without comments says that the comment is gone: nothing is missing', async () => {
  const { outcome, asked } = await look([comment('c1'), more(0, ['c2'])], () => page([]));
  assert.ok(outcome.tag === 'found' && outcome.resource.comments.length === 1);
  assert.deepEqual([outcome.unread ?? [], outcome.freshAtMostMs], [[], undefined]);
  assert.deepEqual(
    asked.filter((path) => path.startsWith('/comments/')),
    ['/comments/abc', '/comments/abc/_/c2'],
  );
});
test('a comment that is here, and whose page with the rest of its replies is not, leaves `comments` unread', async () => {
  const rest: Thing = { kind: 'more', data: { parent_id: 't1_c1', count: 0, children: [] } };
  const first = { ...comment('c1'), data: { ...comment('c1').data, replies: listing([rest], null, null) } };
  for (const answer of [page([]), json({ message: 'Not Found', error: 404 }, 404)]) {
    const { outcome } = await look([first], () => answer);
    assert.ok(outcome.tag === 'found' && outcome.resource.comments.length === 1);
    assert.deepEqual(outcome.unread, ['comments']);
  }
});
test('an answer for a part of a discussion never says that the post is not there', async () => {
  const notThere = [
    json({ message: 'Not Found', error: 404 }, 404),
    json({ reason: 'private', message: 'Forbidden', error: 403 }, 403),
    json([listing([]), listing([])]),
  ];
  for (const answer of notThere) {
    const batch = await look([comment('c1'), more(1, ['c2'])], (path) => (path.includes('morechildren') ? answer : page([])));
    assert.notEqual(batch.outcome.tag, 'absent');
    const ofComment = await look([comment('c1'), more(0, ['c2'])], () => answer);
    assert.notEqual(ofComment.outcome.tag, 'absent');
  }
});
