/** Answers of X's endpoint for embedded posts: what they say, and how a reader is judged by it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, type JudgedAnswer, judged, type Made, NO_COUNTS, outcomeOf, type Said } from './lists.ts';
import { jsonLines } from './sets.ts';

export type Json = Readonly<Record<string, unknown>>;
export const POST_FIELDS = [
  ...['id', 'text', 'publishedAt', 'language', 'likes', 'comments', 'hashtags', 'media'],
  ...['handle', 'name', 'isVerified'],
] as const;
export type Post = Readonly<Record<string, unknown>>;
export interface PostRow {
  readonly id: string;
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly said: Said;
  /** A field that is left out is not judged. */
  readonly stated: Post;
}

const listIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value : []);
const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
/** What the members of the endpoint's answer say, as react-tweet's own types document them. */
export function fieldsOf(post: Json): Post {
  const user = objectIn(post.user);
  return {
    id: post.id_str,
    ...(post.note_tweet === undefined && { text: post.text }),
    publishedAt: post.created_at,
    language: post.lang,
    likes: post.favorite_count,
    comments: post.conversation_count,
    hashtags: listIn(objectIn(post.entities).hashtags).map(({ text }) => text),
    media: listIn(post.mediaDetails).length,
    handle: user.screen_name,
    name: user.name,
    isVerified: user.verified === true || user.is_blue_verified === true,
  };
}

/** Answers of the endpoint that say nothing of the post: documented in vercel/react-tweet#128 and #199, or what a limit or a block page sends. */
const WITHOUT_ANSWER: readonly (readonly [string, number, string])[] = [
  ['an empty object, to a client whose token is not accepted', 200, '{}'],
  ['a bare 404, to a client that is limited', 404, ''],
  ['429', 429, ''],
  ['403 with a page', 403, '<!DOCTYPE html><title>Access denied</title>'],
  ['an answer that is cut', 200, '{"__typename":"Tweet","id_str":"20","text":"just'],
];
const ADDRESS = 'https://x.com/i/status/';

const recorded = (folder: string): readonly PostRow[] =>
  globSync('synd_*.json', { cwd: folder, exclude: (name) => name.endsWith('.meta.json') })
    .sort()
    .flatMap((file) => {
      const body = readFileSync(join(folder, file), 'utf8');
      const post: Json = JSON.parse(body);
      const isGone = post.__typename === 'TweetTombstone';
      // the documentation from which one answer comes left its author out
      if (!isGone && post.user === undefined) return [];
      return [
        {
          id: file,
          url: `${ADDRESS}${isGone ? '20' : post.id_str}`,
          status: 200,
          body,
          said: isGone ? 'nothing' : 'data',
          stated: isGone ? {} : fieldsOf(post),
        },
      ];
    });
/** The recorded answers, and those that state nothing. */
export const recordedPosts = (folder: string): readonly PostRow[] => [
  ...recorded(folder),
  ...WITHOUT_ANSWER.map(([id, status, body]): PostRow => ({ id, url: `${ADDRESS}20`, status, body, said: 'no answer', stated: {} })),
];

interface PostLine {
  readonly id: string;
  readonly reader?: string;
  readonly file: string;
  readonly status?: number;
  readonly input: { readonly url?: string };
  readonly expected: { readonly outcome?: string; readonly fields?: Json };
}
const BY_PATH: Readonly<Record<(typeof POST_FIELDS)[number], string>> = {
  id: 'postId',
  text: 'text',
  publishedAt: 'publishedAt',
  language: 'language',
  likes: 'metrics.likes',
  comments: 'metrics.comments',
  hashtags: 'hashtags',
  media: 'media.length',
  handle: 'author.handle',
  name: 'author.name',
  isVerified: 'author.isVerified',
};
/** A line is a row where it names the reader of the endpoint and states fields, or that there is none. */
export function postsIn(folder: string): readonly PostRow[] {
  const file = ['expected.ndjson', 'cases.ndjson'].find((name) => existsSync(join(folder, name)));
  if (file === undefined) return [];
  return jsonLines<PostLine>(join(folder, file)).flatMap(({ id, reader, file: body, status = 200, input, expected }) => {
    const { outcome, fields } = expected;
    if (reader !== 'microblog/syndication' || outcome === undefined || !input.url || (outcome === 'found' && !fields)) return [];
    const stated = Object.fromEntries(
      POST_FIELDS.flatMap((name) => (fields && BY_PATH[name] in fields ? [[name, fields[BY_PATH[name]]]] : [])),
    );
    const said: Said = outcome === 'found' ? 'data' : outcome === 'absent' ? 'nothing' : 'no answer';
    return [{ id, url: input.url, status, body: readFileSync(join(folder, body), 'utf8'), said, stated }];
  });
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
/** Addresses may be short or long, markup may be escaped. */
const textOf = (value: unknown): string =>
  String(value ?? '')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/https?:\/\/\S+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || value === 0 || (Array.isArray(value) && value.length === 0);
function isSame(name: string, given: unknown, stated: unknown): boolean {
  if (name === 'text') return textOf(given) === textOf(stated);
  if (name === 'publishedAt') return Date.parse(String(given)) === Date.parse(String(stated));
  return JSON.stringify(given) === JSON.stringify(stated);
}
export function judgePost({ id, said, stated }: Pick<PostRow, 'id' | 'said' | 'stated'>, made: Made<Post>): JudgedAnswer {
  const outcome = outcomeOf(said, made);
  const values = made === null || made === 'nothing' ? {} : made.values;
  if (said !== 'data') return judged(id, outcome, { ...NO_COUNTS, invented: Object.keys(values).length });
  const counts: Record<keyof Counts, number> = { ...NO_COUNTS };
  for (const name of POST_FIELDS) {
    if (!(name in stated)) continue;
    const [given, wanted] = [values[name], stated[name]];
    if (isSame(name, given, wanted)) counts.right += 1;
    else if (isEmpty(wanted)) counts.invented += isEmpty(given) ? 0 : 1;
    else counts[given === undefined || given === null ? 'missing' : 'wrong'] += 1;
  }
  return judged(id, outcome, counts);
}
