import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTree } from './comment-tree.ts';
import { partsOf, textFor } from './things.ts';

const text = textFor('');
const comment = (id: string, parent: string, replies: unknown[] = [], more: object = {}) => ({
  kind: 't1',
  data: {
    id,
    link_id: 't3_p',
    parent_id: parent,
    replies: replies.length ? { kind: 'Listing', data: { children: replies } } : '',
    ...more,
  },
});
const more = (parent: string, children: string[], count = children.length) => ({
  kind: 'more',
  data: { parent_id: parent, children, count },
});
const shape = (tree: ReturnType<typeof createTree>) => tree.finish()?.map((c) => `${'.'.repeat(c.depth)}${c.commentId}`);

test('siblings keep the order in which the platform first named them, whatever the order of the answers', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [more('t1_a', ['b', 'c'])]), more('t3_p', ['d', 'e'])], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'ids', ids: ['b', 'c', 'd', 'e'] });
  tree.add(partsOf([comment('e', 't3_p'), comment('c', 't1_a'), comment('d', 't3_p'), comment('b', 't1_a')], text), null);
  assert.equal(tree.next(), null);
  assert.deepEqual(shape(tree), ['a', '.b', '.c', 'd', 'e']);
});
test('a continued thread is requested at its parent, and its depth continues', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [comment('b', 't1_a', [more('t1_b', [], 0)])])], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'page', id: 'b' });
  tree.add(partsOf([comment('b', 't1_a', [comment('c', 't1_b', [], { depth: 1 })], { depth: 0 })], text), 't1_b');
  assert.equal(tree.next(), null);
  assert.deepEqual(shape(tree), ['a', '.b', '..c']);
});
test('a missing id is requested again only if a newer answer names it', () => {
  const tree = createTree('p');
  tree.add(partsOf([more('t3_p', ['a', 'gone', 'later'])], text), 't3_p');
  tree.next();
  tree.add(partsOf([comment('a', 't3_p'), more('t3_p', ['later'])], text), null);
  assert.deepEqual(tree.next(), { kind: 'ids', ids: ['later'] });
  tree.add(partsOf([], text), null);
  assert.equal(tree.next()?.again, true);
  assert.deepEqual(shape(tree), ['a']);
});
test('comments that are named and never given are asked for once more, by the page of what they answer, and counted if they stay away', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [more('t1_a', ['b', 'c', 'd'])]), more('t3_p', ['e', 'f'])], text), 't3_p');
  tree.next();
  tree.add(partsOf([comment('b', 't1_a')], text), null);
  assert.deepEqual(tree.next(), { kind: 'page', id: 'a', again: true });
  tree.add(partsOf([comment('a', 't3_p', [comment('c', 't1_a'), more('t1_a', ['d'])])], text), 't1_a');
  assert.deepEqual(tree.next(), { kind: 'sorted', root: 't3_p', sort: 'new', again: true });
  tree.add(partsOf([comment('a', 't3_p'), comment('f', 't3_p')], text), 't3_p');
  assert.equal(tree.next(), null, 'once');
  assert.deepEqual(shape(tree), ['a', '.b', '.c', 'f']);
  assert.equal(tree.lacking(), 2);
});
test('a comment whose page the platform says is not there, and its replies, are not lacking', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [more('t1_a', ['b'], 0)]), comment('x', 't3_p', [more('t1_b', ['c'], 0)])], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'page', id: 'b' });
  tree.remove('b');
  assert.deepEqual(tree.next(), { kind: 'page', id: 'c' });
  tree.add(partsOf([], text), 't1_c');
  assert.equal(tree.next(), null);
  assert.equal(tree.lacking(), 0);
});
test('if an answer only repeats the requested ids, the page of the comment is requested instead of a loop', () => {
  const tree = createTree('p');
  tree.add(partsOf([more('t3_p', ['a'])], text), 't3_p');
  tree.next();
  tree.add(partsOf([more('t3_p', ['a'])], text), null);
  assert.deepEqual(tree.next(), { kind: 'page', id: 'a' });
  tree.add(partsOf([], text), 't1_a');
  assert.equal(tree.next(), null);
});
test('ids named with a count of 0 are fetched from their own pages', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [more('t1_a', ['b', 'c'], 0)])], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'page', id: 'b' });
  tree.add(partsOf([comment('b', 't1_a', [comment('c', 't1_b')])], text), 't1_b');
  assert.equal(tree.next(), null, 'c came along');
  assert.deepEqual(shape(tree), ['a', '.b', '..c']);
});
test('a count without ids is completed by other sort orders; until then finish() returns null', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p'), more('t3_p', [], 2)], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'sorted', root: 't3_p', sort: 'top' });
  tree.add(partsOf([comment('b', 't3_p'), more('t3_p', [], 2)], text), 't3_p');
  assert.deepEqual(tree.next(), { kind: 'sorted', root: 't3_p', sort: 'new' });
  assert.equal(tree.finish(), null);
  tree.add(partsOf([comment('c', 't3_p'), more('t3_p', [], 2)], text), 't3_p');
  assert.equal(tree.next(), null);
  assert.deepEqual(shape(tree), ['a', 'b', 'c']);

  const never = createTree('p');
  let n = 0;
  never.add(partsOf([comment('a', 't3_p', [more('t1_a', [], 50)])], text), 't3_p');
  for (let task = never.next(); task; task = never.next())
    never.add(partsOf([comment('a', 't3_p', [comment(`b${n++}`, 't1_a'), more('t1_a', [], 50)])], text), 't1_a');
  assert.equal(n, 6);
  assert.equal(never.finish(), null);
});
test('a count that no sort order confirms is ignored', () => {
  const tree = createTree('p');
  const answer = [comment('a', 't3_p'), more('t3_p', [], 2)];
  tree.add(partsOf(answer, text), 't3_p');
  let asked = 0;
  for (let task = tree.next(); task; task = tree.next()) {
    tree.add(partsOf(answer, text), 't3_p');
    asked++;
  }
  assert.equal(asked, 5);
  assert.deepEqual(shape(tree), ['a']);
});
test('the first of duplicates is used; orphans come last, with the depth that the platform states', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't3_p', [], { score: 1 }), comment('a', 't3_p', [], { score: 2 })], text), 't3_p');
  tree.add(partsOf([comment('z', 't1_lost', [], { depth: 4 }), comment('y', 't1_z')], text), null);
  assert.deepEqual(tree.next(), { kind: 'page', id: 'lost' });
  tree.add(partsOf([], text), 't1_lost');
  assert.equal(tree.next(), null);
  assert.deepEqual(shape(tree), ['a', '....z', '.....y']);
  assert.equal(tree.finish()?.[0]?.score, 1);
});
test('a child may arrive before its parent', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('b', 't1_a'), comment('a', 't3_p')], text), null);
  assert.deepEqual(shape(tree), ['a', '.b']);
});
test('a cycle of parents makes finish() return null', () => {
  const tree = createTree('p');
  tree.add(partsOf([comment('a', 't1_b'), comment('b', 't1_a')], text), null);
  assert.equal(tree.next(), null);
  assert.equal(tree.finish(), null);
});
test('a comment of another discussion, or a thing of unknown kind, is a fault', () => {
  const add = (thing: unknown) => createTree('p').add(partsOf([thing], text), 't3_p');
  assert.equal(typeof add({ kind: 't1', data: { id: 'a', link_id: 't3_q', parent_id: 't3_q' } }), 'string');
  assert.equal(typeof add({ kind: 'less', data: {} }), 'string');
  assert.equal(add({ kind: 't5', data: {} }), null);
});
test('a chain of 50,000 replies does not overflow the stack', () => {
  let chain: unknown[] = [];
  for (let i = 50_000; i > 0; i--) chain = [comment(`c${i}`, i === 1 ? 't3_p' : `t1_c${i - 1}`, chain)];
  const tree = createTree('p');
  assert.equal(tree.add(partsOf(chain, text), 't3_p'), null);
  const comments = tree.finish();
  assert.equal(comments?.length, 50_000);
  assert.equal(comments?.at(-1)?.depth, 49_999);
});
test('thousands of gaps and ids take linear time, and a cycle of parents terminates', () => {
  const tree = createTree('p');
  const many = Array.from({ length: 15_000 }, (_, i) => comment(`c${i}`, i === 0 ? 't3_p' : `t1_c${i - 1}`));
  const gaps = Array.from({ length: 5_000 }, (_, i) => more(`t1_c${i * 3}`, [], 2));
  const began = process.cpuUsage();
  assert.equal(tree.add(partsOf([...many, ...gaps], text), 't3_p'), null);
  for (let i = 0; i < 20; i++) assert.equal(tree.next()?.kind, 'sorted');
  const ids = Array.from({ length: 600_000 }, (_, i) => `x${i}`);
  assert.equal(tree.add(partsOf([more('t3_p', ids)], text), null), null);
  assert.equal(tree.minRequestsLeft(), 6_000);
  const used = process.cpuUsage(began);
  assert.ok(used.user + used.system < 5_000_000, 'counting again for each gap takes minutes');

  const round = createTree('p');
  round.add(partsOf([comment('a', 't1_b'), comment('b', 't1_a'), more('t1_a', [], 1)], text), 't3_p');
  assert.equal(round.next()?.kind, 'sorted');
});
