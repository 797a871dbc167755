import type { CommentFact } from '../sandbox/forum/discussion.ts';
import { COMMUNITIES, type PostFact } from '../sandbox/forum/facts.ts';
import { commentThing, listing, postThing, type Thing } from '../sandbox/forum/wire.ts';
import { readListing, readThread } from '../src/sources/forum/api/parse.ts';
import { partsOf, textFor } from '../src/sources/forum/api/things.ts';
import type { Answer } from '../src/upstream/answer.ts';
import { atMost, interleaved, type Row } from './measure.ts';

const posts = COMMUNITIES[0]?.posts ?? [];
const post = posts[0] as PostFact;
const answerOf = (body: unknown): Answer => ({
  status: 200,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
  url: `https://oauth.reddit.com/comments/${post.postId}?raw_json=1`,
  atMs: 0,
});
const BODY = 'After two weeks the kettle still works, and the support answered within a day – better than I had hoped for. '.repeat(3);

/** One answer with n comments in the platform's format, most of them nested, some deeply. */
function threadOf(n: number): Answer {
  const children: Thing[][] = [];
  const roots: Thing[] = [];
  for (let i = 0; i < n; i++) {
    const parent = i % 11 === 0 ? -1 : i - 1 - (i % 7);
    const fact: CommentFact = {
      commentId: `m${i.toString(36)}`,
      parentId: parent < 0 ? `t3_${post.postId}` : `t1_m${parent.toString(36)}`,
      author: 'half_a_scone',
      body: `${BODY}${i}`,
      score: i % 300,
      scoreHidden: false,
      depth: 0,
      created: post.created + i * 11,
      isStickied: false,
    };
    const below: Thing[] = [];
    children.push(below);
    const thing = commentThing(fact, post, 0, listing(below, null, null));
    (parent < 0 ? roots : (children[parent] ?? roots)).push(thing);
  }
  return answerOf([listing([postThing(post)]), listing(roots)]);
}

const ms = (n: number): string => `${n.toFixed(2)} ms`;

/** The readers against `JSON.parse` of the same bytes in the same run. The reader's time includes its own `JSON.parse`. */
export async function suite(): Promise<Row[]> {
  // an answer may hold a million JSON values, some 14,000 comments (src/upstream/answer.ts)
  const [half, whole] = [threadOf(5_000), threadOf(10_000)];
  const page = answerOf(listing(posts.slice(0, 100).map(postThing), 't3_1abc01'));
  const read = () => {
    const outcome = readThread(whole, { postId: post.postId });
    if (outcome.tag !== 'found' || outcome.resource.comments.length !== 10_000)
      throw new Error(`${outcome.tag} instead of 10,000 comments`);
  };
  const parse = (answer: Answer) => () => JSON.parse(Buffer.from(answer.body).toString()) as unknown;
  const thread = await interleaved({ parse: parse(whole), read }, 21);
  // JSON.parse itself is not linear (garbage collection), so only the remaining time is measured
  const flat = (answer: Answer) => {
    const [, comments] = JSON.parse(Buffer.from(answer.body).toString());
    return () => partsOf(comments.data.children, textFor(answer.url));
  };
  const linear = await interleaved({ half: flat(half), whole: flat(whole) }, 41);
  const listed = await interleaved({ parse: parse(page), read: () => readListing(page, { community: 'acmewidgets', sort: 'hot' }) }, 301);
  return [
    atMost(
      '10,000 comments read and flattened, times JSON.parse',
      thread.read / thread.parse,
      1.5,
      `${ms(thread.read)} to ${ms(thread.parse)}`,
    ),
    atMost('flattening 10,000 comments, times 5,000', linear.whole / linear.half, 2.2, `${ms(linear.whole)} to ${ms(linear.half)}`),
    atMost('listing of 100 posts read, times JSON.parse', listed.read / listed.parse, 1.6, `${ms(listed.read)} to ${ms(listed.parse)}`),
  ];
}
