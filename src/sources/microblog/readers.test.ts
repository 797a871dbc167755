import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, ID, OWN, post, read, SHORT, tweet, user } from '../../../test/social/sample-posts.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';
import { momentOf } from './post.ts';
import { embedToken } from './syndication/connector.ts';

test('text is decoded once, links are expanded and media links removed, also after emoji', () => {
  const p = post(
    readMicroblogGraphql,
    envelope(
      tweet({
        full_text: `👩🏽‍💻 a &amp;lt; b &gt; c ${SHORT} ${OWN}`,
        entities: {
          urls: [{ url: SHORT, expanded_url: 'https://example.com/?a=1&amp=2&utm_source=x', indices: [0, 1] }],
          media: [{ url: OWN, type: 'photo', media_url_https: 'https://pbs.twimg.com/m.jpg' }],
        },
      }),
    ),
  );
  assert.equal(p.text, '👩🏽‍💻 a &lt; b > c https://example.com/?a=1&amp=2&utm_source=x');
  assert.deepEqual(p.links, ['https://example.com/?a=1&amp=2']);
  assert.deepEqual(p.media, [{ url: 'https://pbs.twimg.com/m.jpg', thumbnailUrl: 'https://pbs.twimg.com/m.jpg' }]);
  assert.deepEqual([p.author.isVerified, p.author.name], [true, 'Acme']);
});
test('whether an author is verified is read from flags in every form, and from the name of the kind of verification', () => {
  const verified = (marks: object) =>
    post(readMicroblogGraphql, envelope(tweet({}, { core: { user_results: { result: { ...user, verification: {}, ...marks } } } }))).author
      .isVerified;
  for (const no of [false, 'false', 0, '0'])
    assert.equal(verified({ is_blue_verified: no, verification: { verified: no, verified_type: 'none' } }), false);
  for (const yes of [true, 'true', 1]) assert.equal(verified({ is_blue_verified: yes }), true);
  assert.equal(verified({ is_blue_verified: 'false', verification: { verified_type: 'Government' } }), true);
  assert.equal(verified({ is_blue_verified: null }), null);
});
test('a long post has the text of its note, which is not escaped', () => {
  const note = { note_tweet_results: { result: { text: 'Long & raw &amp; kept #Tag', entity_set: { hashtags: [{ text: 'Tag' }] } } } };
  const p = post(readMicroblogGraphql, envelope(tweet({ full_text: 'Long &amp;…' }, { note_tweet: note })));
  assert.deepEqual([p.text, p.hashtags], ['Long & raw &amp; kept #Tag', ['Tag']]);
});
test('a reply count of 0 in an anonymous envelope is null', () => {
  assert.equal(post(readMicroblogGraphql, envelope(tweet({ reply_count: 0, favorite_count: 0 }))).metrics.comments, null);
  const signedIn = { data: { tweetResult: [{ result: tweet({ reply_count: 0 }) }] } };
  assert.equal(post(readMicroblogGraphql, signedIn).metrics.comments, 0);
});
test('a result is found in every known envelope, and without one', () => {
  const result = tweet({});
  const timeline = {
    instructions: [
      { type: 'TimelineClearCache' },
      { entries: [{ entryId: `tweet-${ID}`, content: { itemContent: { tweet_results: { result } } } }] },
    ],
  };
  const bodies = [
    { data: { tweetResult: [{ result }] } },
    { data: { tweet_results: [{ result }] } },
    { data: { tweet_result: { result } } },
    { data: { threaded_conversation_with_injections_v2: timeline } },
    { data: { tweetResult: { result: { __typename: 'TweetWithVisibilityResults', tweet: result } } } },
    { tweetResult: { result } },
    { result },
    result,
  ];
  for (const body of bodies) assert.equal(read(readMicroblogGraphql, body).tag, 'found', JSON.stringify(body).slice(0, 60));
});
test('fields of a post are also found outside of `legacy`', () => {
  const { legacy, ...rest } = tweet({ favorite_count: 5 });
  const p = post(readMicroblogGraphql, envelope({ ...rest, details: { full_text: legacy.full_text }, counts: { favorite_count: 5 } }));
  assert.deepEqual([p.text, p.metrics.likes, p.publishedAt?.slice(0, 10)], ['x', 5, '2024-06-13']);
});
test('oEmbed: text with line breaks, no links, date from the id', () => {
  const html = `<blockquote class="twitter-tweet"><p lang="de" dir="ltr">A &amp; B<br>C <a href="https://twitter.com/hashtag/K%C3%A4se?src=hash">#Käse</a> <a href="${OWN}">pic.twitter.com/mediamedia</a></p>&mdash; Acme</blockquote>`;
  const p = post(readMicroblogOembed, {
    url: `https://twitter.com/acme/status/${ID}`,
    author_url: 'https://twitter.com/acme',
    author_name: 'Acme',
    html,
  });
  assert.deepEqual([p.text, p.hashtags, p.links, p.language], ['A & B\nC #Käse', ['Käse'], [], 'de']);
  assert.equal(p.publishedAt, new Date(momentOf(ID) ?? 0).toISOString());
  assert.equal(momentOf('20'), null);
});
test("the token of the embed endpoint equals that of the platform's script", () => {
  assert.deepEqual(['20', '71633762', '1629307668568633344', '2023357708301455483'].map(embedToken), [
    '6dq1a2xwd93',
    'dlve538n4hj',
    '3y6mctgwzxo',
    '4wkkd5uwebk',
  ]);
});
test('a damaged date is not completed: the id states the time', () => {
  const body = { __typename: 'Tweet', id_str: ID, text: 'Hi', user: { screen_name: 'acme', name: 'Acme' } };
  const own = new Date(momentOf(ID) ?? 0).toISOString();
  for (const created_at of ['2018-11-1e9T16:00:00.000Z', '2018-11-1', '1', 'Thu Jun 13 12:46', 7])
    assert.equal(post(readSyndication, { ...body, created_at }).publishedAt, own, String(created_at));
  assert.equal(post(readSyndication, { ...body, created_at: 'Thu Jun 13 12:46:00 +0000 2024' }).publishedAt, '2024-06-13T12:46:00.000Z');
});
test('a post beside an empty tombstone is a post', () => {
  const outcome = read(readMicroblogGraphql, envelope(tweet({ full_text: 'Neu' }, { tombstone: null })));
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  assert.equal(outcome.resource.text, 'Neu');
});
test('half of a pair of surrogates in a text is the replacement character', () => {
  assert.equal(post(readSyndication, { id_str: ID, text: 'a \ud83d', user: { screen_name: 'acme' } }).text, 'a \ufffd');
});
