import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTHORED, foundPost, ID, POST_FORMATS } from '../../../test/social/sample-posts.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

test('a mark of verification in another form leaves it open, unless another mark is set', () => {
  const marked = (more: object) =>
    foundPost(readSyndication, { id_str: ID, text: 'x', user: { screen_name: 'acme', name: 'Acme', verified: false, ...more } });
  for (const is_blue_verified of [{ value: true }, [true], '✓']) {
    const { post, unread } = marked({ is_blue_verified });
    assert.deepEqual([post.author.isVerified, unread], [null, ['author.isVerified']], JSON.stringify(is_blue_verified));
    assert.equal(marked({ is_blue_verified, verified_type: 'Business' }).post.author.isVerified, true);
  }
  for (const none of [null, '', undefined, false]) assert.equal(marked({ is_blue_verified: none }).post.author.isVerified, false);
});

test('entities, counts or views in another form leave their fields unread; those that know nothing do not', () => {
  const wrapped = { data: { hashtags: [{ text: 'Tea' }] } };
  for (const [name, [reader, write]] of Object.entries(POST_FORMATS))
    assert.ok(foundPost(reader, write({ more: { entities: wrapped } })).unread.includes('hashtags'), name);
  for (const entities of [{}, { user_mentions: [{ screen_name: 'bob' }] }, { mentions: [{ username: 'bob' }] }, { emojis: [] }])
    for (const [name, [reader, write]] of Object.entries(POST_FORMATS)) {
      if (name === 'api' ? 'user_mentions' in entities : 'mentions' in entities) continue;
      assert.deepEqual(foundPost(reader, write({ more: { entities } })).unread, [], `${name} ${JSON.stringify(entities)}`);
    }
  const [api, post] = POST_FORMATS.api ?? assert.fail();
  const counts = foundPost(
    api,
    post({ more: { public_metrics: { data: { like_count: 3 } }, referenced_tweets: [{ data: { type: 'quoted' } }] } }),
  );
  for (const field of ['metrics.likes', 'metrics.shares', 'isQuote']) assert.ok(counts.unread.includes(field), field);
  const viewed = (views: object) =>
    foundPost(readMicroblogGraphql, { data: { tweetResult: { result: { rest_id: ID, ...AUTHORED, views, legacy: { full_text: 'x' } } } } })
      .unread;
  assert.deepEqual([viewed({ data: { count: '3' } }), viewed({ state: 'Enabled' }), viewed({})], [['metrics.views'], [], []]);
});

test('a variant of a video in another form, or its description, leaves its file unread', () => {
  const file = { content_type: 'video/mp4', url: 'https://video.example/a.mp4', bitrate: 256_000 };
  const [reader, write] = POST_FORMATS.graphql ?? assert.fail();
  const unreadOf = (video_info: object) =>
    foundPost(reader, write({ media: [{ type: 'video', media_url_https: 'https://pbs.example/m.jpg', video_info }] })).unread;
  for (const odd of [{ data: file }, { ...file, bitrate: '2 Mbit/s' }, { ...file, content_type: undefined }])
    assert.deepEqual(unreadOf({ variants: [file, odd] }), ['media.url'], JSON.stringify(odd));
  assert.deepEqual(unreadOf({ data: { variants: [file] } }), ['media.url']);
  for (const whole of [{ variants: [file, { content_type: 'application/x-mpegURL', url: 'https://video.example/a.m3u8' }] }, {}])
    assert.deepEqual(unreadOf(whole), [], JSON.stringify(whole));
  assert.deepEqual(unreadOf({ aspect_ratio: [16, 9] }), [], 'a live broadcast has no file');
});

test('a long form without a list of its hashtags has those of its text unread', () => {
  const [graphql, write] = POST_FORMATS.graphql ?? assert.fail();
  const note = (entity_set: object) => ({ note_tweet_results: { result: { text: 'Long #Tea and #Milk', entity_set } } });
  const unreadOf = (entity_set: object) => {
    const body = write({ text: 'Long #Tea…', hashtags: [{ text: 'Tea' }] }) as { data: { tweetResult: { result: object } } };
    Object.assign(body.data.tweetResult.result, { note_tweet: note(entity_set) });
    return foundPost(graphql, body).unread;
  };
  assert.deepEqual(unreadOf({ urls: [] }), ['hashtags']);
  assert.deepEqual(unreadOf({ hashtags: [{ text: 'Tea' }, { text: 'Milk' }] }), []);
});

test('oEmbed states the day of an old post, of which the id has no time', () => {
  const embed = (day: string) =>
    readMicroblogOembed(
      {
        status: 200,
        headers: {},
        body: new TextEncoder().encode(
          JSON.stringify({
            url: 'https://twitter.com/ann/status/71633762',
            author_url: 'https://twitter.com/ann',
            html: `<blockquote><p lang="en">Hello</p>&mdash; Ann (@ann) <a href="https://twitter.com/ann/status/71633762">${day}</a></blockquote>`,
          }),
        ),
        url: '',
        atMs: 0,
      },
      { url: 'https://x.com/ann/status/71633762' },
    );
  const dated = embed('May 20, 2007');
  assert.ok(dated.tag === 'found');
  assert.deepEqual([dated.resource.publishedAt, dated.unread], [null, ['publishedAt']]);
  const undated = embed('');
  assert.deepEqual(undated.tag === 'found' && undated.unread, undefined);
});

test('an original that is brought in another form leaves the counts of a repost unread; one that is not brought states none', () => {
  const repost = (retweeted_status_result: unknown) =>
    foundPost(readMicroblogGraphql, {
      data: {
        tweetResult: {
          result: { rest_id: ID, ...AUTHORED, legacy: { full_text: 'RT @bob: Tea at eight in the mor…', retweeted_status_result } },
        },
      },
    }).unread;
  const original = { rest_id: '9', legacy: { full_text: 'Tea', favorite_count: 3 } };
  for (const odd of [
    { data: { result: original } },
    { result: { data: original } },
    { result: { rest_id: '9', legacy: { data: original.legacy } } },
  ])
    assert.ok(repost(odd).includes('metrics.likes'), JSON.stringify(odd));
  for (const none of [null, {}, { result: {} }, { result: { __typename: 'TweetTombstone', tombstone: { text: { text: 'x' } } } }])
    assert.ok(!repost(none).includes('metrics.likes'), JSON.stringify(none));
  const [api, write] = POST_FORMATS.api ?? assert.fail();
  const body = (includes: unknown) => ({ ...write({ more: { referenced_tweets: [{ type: 'retweeted', id: '9' }] } }), includes });
  const unreadOf = (includes: unknown) => foundPost(api, body(includes)).unread;
  const tweets = [{ id: '9', text: 'Tea', public_metrics: { like_count: 3 } }];
  for (const odd of [{ data: { tweets } }, { tweets: [{ data: tweets[0] }] }])
    assert.ok(unreadOf(odd).includes('metrics.likes'), JSON.stringify(odd));
  assert.ok(!unreadOf({ users: [{ id: '7', username: 'acme' }] }).includes('metrics.likes'));
});
