import assert from 'node:assert/strict';
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
