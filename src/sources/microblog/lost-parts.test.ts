import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORED, foundPost, ID, POST_FORMATS, read, SHORT } from '../../../test/social/sample-posts.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

test('a short link whose destination is not stated is no expanded link: the links are unread in every format', () => {
  for (const [name, [reader, bodyOf]] of Object.entries(POST_FORMATS)) {
    for (const lost of [
      {},
      { expanded_url: null },
      { expanded_url: '' },
      { expanded_url: SHORT },
      { expanded_url: { value: 'https://a.example/' } },
    ]) {
      const { unread } = foundPost(reader, bodyOf({ text: `a ${SHORT}`, urls: [{ url: SHORT, ...lost }] }));
      assert.deepEqual(unread, ['links'], `${name} ${JSON.stringify(lost)}`);
    }
    // before the shortener a link stood in the text as it was
    const { post, unread } = foundPost(
      reader,
      bodyOf({ text: 'a http://a.example/b', urls: [{ url: 'http://a.example/b', expanded_url: null }] }),
    );
    assert.deepEqual([post.links, unread], [['http://a.example/b'], []], name);
  }
});

test('a hashtag in a form that is not known leaves the hashtags unread; the others are kept', () => {
  for (const [name, [reader, bodyOf]] of Object.entries(POST_FORMATS)) {
    const key = name === 'api' ? 'tag' : 'text';
    for (const lost of [{ name: 'Milk' }, { [key]: 7 }, { [key]: ['Milk'] }, 'Milk']) {
      const { post, unread } = foundPost(reader, bodyOf({ text: '#Tea #Milk', hashtags: [{ [key]: 'Tea' }, lost] }));
      assert.deepEqual([post.hashtags, unread], [['Tea'], ['hashtags']], `${name} ${JSON.stringify(lost)}`);
    }
    assert.deepEqual(foundPost(reader, bodyOf({ hashtags: [{ [key]: 'Tea' }, { [key]: 'Tea' }] })).unread, [], name);
  }
});

const PICTURE = 'https://pbs.example/1.jpg';
const MP4 = { content_type: 'video/mp4', url: 'https://video.example/1.mp4', bitrate: 1, bit_rate: 1 };
const PLAYLIST = { content_type: 'application/x-mpegURL', url: 'https://video.example/1.m3u8' };
test('media that come without their file, or in a form or of a kind that is not known, are unread', () => {
  for (const [name, [reader, bodyOf]] of Object.entries(POST_FORMATS)) {
    const preview = name === 'api' ? { preview_image_url: PICTURE } : { media_url_https: PICTURE };
    const photo = name === 'api' ? { url: PICTURE } : preview;
    const video = (type: string, variants?: unknown) => ({
      type,
      ...preview,
      ...(name === 'api' ? { variants } : { video_info: { variants } }),
    });
    const mediaOf = (one: object) => {
      const { post, unread } = foundPost(reader, bodyOf({ media: [one] }));
      return [post.media[0]?.url, unread];
    };
    assert.deepEqual(mediaOf({ type: 'photo', ...photo }), [PICTURE, []], name);
    assert.deepEqual(mediaOf(video('video', [PLAYLIST, MP4])), [MP4.url, []], name);
    // a broadcast has no file, and a source may state none
    assert.deepEqual(mediaOf(video('video', [PLAYLIST])), [null, []], name);
    assert.deepEqual(mediaOf(video('video')), [null, []], name);
    // a kind that is not known is what its files say
    assert.deepEqual(mediaOf(video('clip', [MP4])), [MP4.url, []], name);
    assert.deepEqual(mediaOf({ type: 'model', ...preview }), [null, ['media.url']], name);
    for (const variants of [[{ ...MP4, content_type: 7 }], [{ ...MP4, url: ['x'] }], [{ src: MP4.url }], { 0: MP4 }]) {
      const [url, unread] = mediaOf(video('video', variants));
      assert.ok(url === null && unread?.includes('media.url'), `${name} ${JSON.stringify(variants)}: ${unread}`);
    }
    assert.deepEqual(mediaOf({ type: 'photo', id: '3' }), [null, ['media']], name);
  }
});

test('a post has an author: one that is named and not brought, or without a handle, is unread', () => {
  const graphql = (more: object) =>
    foundPost(readMicroblogGraphql, {
      data: { tweetResult: { result: { rest_id: ID, legacy: { full_text: 'x' }, ...more } } },
    }).unread;
  assert.deepEqual(graphql({ core: { user_results: {} } }), ['author']);
  assert.deepEqual(graphql({ core: { user_results: { result: { __typename: 'UserUnavailable' } } } }), ['author']);
  assert.deepEqual(graphql({ core: { user_results: { result: { core: { name: 'Acme' } } } } }), ['author.handle']);
  assert.deepEqual(graphql(AUTHORED), []);
  const user = (fields: object) => foundPost(readSyndication, { id_str: ID, text: 'x', user: fields }).unread;
  assert.deepEqual(user({ name: 'Acme', handle: 'acme' }), ['author.handle']);
  const [, bodyOf] = POST_FORMATS.api as (typeof POST_FORMATS)[string];
  const api = { ...bodyOf({}), includes: { users: [{ id: '7', name: 'Acme' }] } };
  assert.deepEqual(foundPost(readMicroblogApi, api).unread, ['author.handle']);
});

test('the beginning of a text is not its whole: what ends with "…" and a link to the post itself, or is marked as truncated', () => {
  const cut = ['text', 'links', 'hashtags'];
  for (const [name, [reader, bodyOf]] of Object.entries(POST_FORMATS)) {
    const beginning = (to: string, more = {}) =>
      foundPost(reader, bodyOf({ text: `The first words… ${SHORT}`, urls: [{ url: SHORT, expanded_url: to }], more }));
    const self = beginning(`https://twitter.com/i/web/status/${ID}`);
    assert.deepEqual([self.post.text, self.unread], [null, cut], name);
    const marked = beginning('https://a.example/', { truncated: true });
    assert.deepEqual([marked.post.text, marked.unread], [null, cut], name);
    // a person may end a text so
    const whole = beginning('https://a.example/');
    assert.deepEqual([whole.post.text, whole.unread], ['The first words… https://a.example/', []], name);
  }
  const embed = (text: string) =>
    foundPost(readMicroblogOembed, {
      url: `https://twitter.com/acme/status/${ID}`,
      author_url: 'https://twitter.com/acme',
      author_name: 'Acme',
      html: `<blockquote><p lang="en">${text}</p></blockquote>`,
    }).unread;
  assert.deepEqual(embed(`The first words… <a href="${SHORT}">${SHORT}</a>`), ['text']);
  assert.deepEqual(embed(`All words <a href="${SHORT}">${SHORT}</a>`), []);
});

test('a problem about another post, named by the value of its parameter alone, says nothing of this one', () => {
  const problem = (value: string) => ({
    errors: [
      {
        parameter: 'id',
        value,
        resource_type: 'tweet',
        title: 'Not Found Error',
        type: 'https://api.twitter.com/2/problems/resource-not-found',
      },
    ],
  });
  assert.equal(read(readMicroblogApi, problem(ID)).tag, 'absent');
  assert.equal(read(readMicroblogApi, problem('5')).tag, 'changed');
});
