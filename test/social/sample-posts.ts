import assert from 'node:assert/strict';
import { readMicroblogApi } from '../../src/sources/microblog/api/parse.ts';
import { readSyndication } from '../../src/sources/microblog/embeds.ts';
import { readMicroblogGraphql } from '../../src/sources/microblog/graphql.ts';
import type { Reader } from '../../src/sources/source.ts';
import type { Answer } from '../../src/upstream/answer.ts';

export const ID = '1801234567890123456';
const input = { url: `https://x.com/acme/status/${ID}` };
export const read = (reader: Reader<'microblog-post'>, body: unknown, more: Partial<Answer> = {}) =>
  reader(
    {
      status: 200,
      headers: {},
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      url: '',
      atMs: 0,
      ...more,
    },
    input,
  );
export function post(reader: Reader<'microblog-post'>, body: unknown) {
  const outcome = read(reader, body);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource;
}
export const user = {
  core: { screen_name: 'acme', name: 'Acme' },
  is_blue_verified: false,
  verification: { verified: false, verified_type: 'Business' },
  avatar: { image_url: 'https://pbs.twimg.com/a_normal.jpg' },
};
export const tweet = (legacy: object, more: object = {}) => ({
  __typename: 'Tweet',
  rest_id: ID,
  core: { user_results: { result: user } },
  legacy: { full_text: 'x', created_at: 'Thu Jun 13 12:46:00 +0000 2024', ...legacy },
  ...more,
});
export const envelope = (result: unknown) => ({ data: { tweetResult: { result } } });
export const SHORT = 'https://t.co/abcdefghij';
export const OWN = 'https://t.co/mediamedia';

/** The post that was found, with its unread fields. */
export function foundPost(reader: Reader<'microblog-post'>, body: unknown) {
  const outcome = read(reader, body);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return { post: outcome.resource, unread: outcome.unread ?? [] };
}

/** What a post says, as each of three formats writes it. */
interface Facts {
  readonly text?: string;
  readonly urls?: readonly object[];
  readonly hashtags?: readonly unknown[];
  readonly media?: readonly object[];
  readonly more?: object;
}
export const AUTHORED = { core: { user_results: { result: { core: { screen_name: 'acme', name: 'Acme' } } } } };
export const POST_FORMATS: Readonly<Record<string, readonly [Reader<'microblog-post'>, (facts: Facts) => object]>> = {
  graphql: [
    readMicroblogGraphql,
    ({ text = 'x', urls = [], hashtags = [], media = [], more }) => ({
      data: {
        tweetResult: {
          result: {
            rest_id: ID,
            ...AUTHORED,
            legacy: { full_text: text, entities: { urls, hashtags }, extended_entities: { media }, ...more },
          },
        },
      },
    }),
  ],
  syndication: [
    readSyndication,
    ({ text = 'x', urls = [], hashtags = [], media = [], more }) => ({
      id_str: ID,
      text,
      user: { screen_name: 'acme', name: 'Acme' },
      entities: { urls, hashtags },
      mediaDetails: media,
      ...more,
    }),
  ],
  api: [
    readMicroblogApi,
    ({ text = 'x', urls = [], hashtags = [], media = [], more }) => ({
      data: {
        id: ID,
        text,
        author_id: '7',
        entities: { urls, hashtags },
        attachments: { media_keys: media.map((_, i) => `3_${i}`) },
        ...more,
      },
      includes: { users: [{ id: '7', username: 'acme', name: 'Acme' }], media: media.map((one, i) => ({ media_key: `3_${i}`, ...one })) },
    }),
  ],
};
