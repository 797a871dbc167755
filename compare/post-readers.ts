/** Our reader of X's endpoint for embedded posts beside react-tweet's. */
import { READERS } from '../src/sources/index.ts';
import { open, own, versionOf } from './adapters.ts';
import type { ListReader, Made } from './lists.ts';
import { fieldsOf, type Json, type Post, type PostRow } from './posts.ts';

interface OurPost {
  readonly postId: string;
  readonly text: string | null;
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly hashtags: readonly string[];
  readonly media: readonly object[];
  readonly metrics: { readonly likes: number | null; readonly comments: number | null };
  readonly author: { readonly handle: string | null; readonly name: string | null; readonly isVerified: boolean | null };
}
type PostReader = ListReader<PostRow, Post>;
const headersOf = ({ body }: PostRow): Record<string, string> => ({
  'content-type': body.startsWith('{') ? 'application/json; charset=utf-8' : 'text/html',
});
const sightline: PostReader = {
  name: 'Sightline',
  version: own.version,
  note: '',
  readAll: (rows) =>
    Promise.all(
      rows.map(async (row): Promise<Made<Post>> => {
        const read = await READERS['microblog/syndication']?.load();
        const answer = {
          status: row.status,
          headers: headersOf(row),
          body: Buffer.from(row.body),
          url: row.url,
          atMs: Date.UTC(2026, 10, 26),
        };
        const outcome = read?.(answer, { url: row.url } as never); // the input is that of the row's reader
        if (outcome?.tag === 'absent') return 'nothing';
        if (outcome?.tag !== 'found') return null;
        const { postId, metrics, author, media, ...post } = outcome.resource as unknown as OurPost;
        return { values: { ...post, ...metrics, ...author, id: postId, media: media.length } };
      }),
    ),
};

interface Fetched {
  readonly data?: Json;
  readonly tombstone?: true;
  readonly notFound?: true;
}
const reactTweet: PostReader = {
  name: 'react-tweet',
  version: versionOf('react-tweet'),
  note: 'hands the answer of the endpoint through, so that its fields are right wherever there is a post; it also hands on the beginning of a long post, the edits, the quoted post and every variant of a video, which Sightline does not',
  async readAll(rows) {
    const { fetchTweet } = (await import(open.resolve('react-tweet/api'))) as { fetchTweet(id: string): Promise<Fetched> };
    const made: Made<Post>[] = [];
    const before = globalThis.fetch;
    try {
      for (const row of rows) {
        globalThis.fetch = async () => new Response(row.body, { status: row.status, headers: headersOf(row) });
        const { data, tombstone, notFound } = await fetchTweet(row.url.split('/').at(-1) ?? '').catch((): Fetched => ({}));
        made.push(data ? { values: fieldsOf(data) } : tombstone || notFound ? 'nothing' : null);
      }
    } finally {
      globalThis.fetch = before;
    }
    return made;
  },
};
export const postReaders = (): readonly PostReader[] => [sightline, reactTweet];
