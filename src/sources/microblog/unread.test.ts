import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, ID, OWN, post, read, SHORT, tweet } from '../../../test/social/sample-posts.ts';
import type { Reader } from '../source.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

test('a text of another type, of the post or of the original of a repost, is unread', () => {
  const data = { id: ID, text: 'RT @other: x', author_id: '1', referenced_tweets: [{ type: 'retweeted', id: '9' }] };
  const api = read(readMicroblogApi, { data, includes: { tweets: [{ id: '9', text: { text: 'x' } }] } });
  assert.ok(api.tag === 'found' && api.resource.text === null && api.unread?.includes('text'), JSON.stringify(api));
  const long = read(readMicroblogApi, { data: { id: ID, text: 'Begin…', author_id: '1', note_tweet: { text: ['x'] } } });
  assert.ok(long.tag === 'found' && long.resource.text === null && long.unread?.includes('text'), JSON.stringify(long));
  const note = { note_tweet_results: { result: { text: { value: 'x' } } } };
  const graphql = read(readMicroblogGraphql, envelope(tweet({}, { note_tweet: note })));
  assert.ok(graphql.tag === 'found' && graphql.resource.text === null && graphql.unread?.includes('text'), JSON.stringify(graphql));
});
test('a repost without its original has no figures of its own, and its cut text is unread, in every format', () => {
  const full_text = 'RT @other: The ferry sails again on Sundays, and the first boat leaves at eight in the mor…';
  const zeros = { favorite_count: 0, reply_count: 0, quote_count: 0, bookmark_count: 0, retweet_count: 2467 };
  const bodies: readonly (readonly [Reader<'microblog-post'>, unknown])[] = [
    [readMicroblogGraphql, envelope(tweet({ full_text, ...zeros }))],
    [readMicroblogGraphql, envelope(tweet({ full_text, ...zeros, retweeted_status_result: { result: {} } }))],
    [readMicroblogGraphql, envelope(tweet({ full_text, ...zeros, retweeted_status_result: null }))],
    [
      readMicroblogApi,
      { data: { id: ID, text: full_text, referenced_tweets: [{ type: 'retweeted', id: '9' }], public_metrics: { like_count: 0 } } },
    ],
    [readMicroblogApi, { data: { id: ID, text: full_text, public_metrics: { like_count: 0, reply_count: 0, retweet_count: 7 } } }],
    [readSyndication, { __typename: 'Tweet', id_str: ID, text: full_text, favorite_count: 0, user: { screen_name: 'acme', name: 'Acme' } }],
  ];
  for (const [reader, body] of bodies) {
    const outcome = read(reader, body);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    const { text, metrics } = outcome.resource;
    assert.deepEqual([text, ...Object.values(metrics)], [full_text, null, null, null, null, null, null], JSON.stringify(body));
    for (const field of ['text', 'links', 'hashtags']) assert.ok(outcome.unread?.includes(field), field);
  }
  const manual = post(
    readMicroblogGraphql,
    envelope(tweet({ full_text: 'RT @other: so true', ...zeros, favorite_count: 3, retweet_count: 0 })),
  );
  assert.deepEqual([manual.text, manual.metrics.likes], ['RT @other: so true', 3]);
});
test('the button of a video is a link; of a long post whose rest is cut, text, links and hashtags are unread', () => {
  const media = (call_to_actions: unknown) => [
    { type: 'video', url: OWN, media_url_https: 'https://pbs.twimg.com/m.jpg', additional_media_info: { call_to_actions } },
  ];
  const withButton = (actions: unknown) =>
    read(readMicroblogGraphql, envelope(tweet({ full_text: `x ${OWN}`, entities: { media: media(actions) } })));
  const button = withButton({ visit_site: { url: 'https://www.example.com/shop?utm_source=x' } });
  assert.deepEqual(button.tag === 'found' && [button.resource.links, button.unread], [['https://www.example.com/shop'], undefined]);
  const odd = withButton({ visit_site: 'https://www.example.com/' });
  assert.deepEqual(odd.tag === 'found' && odd.unread, ['links']);
  const body = {
    __typename: 'Tweet',
    id_str: ID,
    text: 'Begin #One',
    user: { screen_name: 'acme', name: 'Acme' },
    note_tweet: { id: 'x' },
  };
  const long = read(readSyndication, { ...body, entities: { hashtags: [{ text: 'One' }] } });
  assert.ok(long.tag === 'found');
  assert.deepEqual([long.resource.text, long.resource.hashtags, long.unread], [null, ['One'], ['text', 'links', 'hashtags']]);
  const note = { text: `Long #One and #Two ${SHORT}` };
  const api = read(readMicroblogApi, {
    data: { id: ID, text: 'Long #One…', author_id: '1', note_tweet: note, entities: { hashtags: [{ tag: 'One' }] } },
    includes: { users: [{ id: '1', username: 'acme' }] },
  });
  assert.deepEqual(api.tag === 'found' && [api.resource.hashtags, api.unread], [['One'], ['hashtags', 'links']]);
});
test('API: an author who is named and not among the listed users is unread; without a name there is nothing to read', () => {
  const unreadIn = (author_id: string | undefined, includes: unknown) => {
    const outcome = read(readMicroblogApi, { data: { id: ID, text: 'x', author_id }, includes });
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.author.handle, outcome.unread ?? []];
  };
  assert.deepEqual(unreadIn('1', { users: [{ id: '1', username: 'acme' }] }), ['acme', []]);
  const [, ofAnother] = unreadIn('1', { users: [{ id: '2', username: 'other' }] });
  assert.deepEqual(ofAnother, ['author.handle', 'author.name', 'author.avatarUrl', 'author.isVerified']);
  for (const includes of [undefined, {}, { users: [] }])
    assert.deepEqual(unreadIn('1', includes), [null, ['author']], JSON.stringify(includes));
  assert.deepEqual(unreadIn(undefined, undefined), [null, []]);
});
test('a long form that is not readable, or without entities of its own, leaves what it lacks unread', () => {
  const unreadIn = (reader: Reader<'microblog-post'>, body: unknown) => {
    const outcome = read(reader, body);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.text, [...(outcome.unread ?? [])].sort()];
  };
  const includes = { users: [{ id: '1', username: 'acme' }] };
  const api = (more: object) => ({
    data: { id: ID, text: 'x', author_id: '1', entities: { hashtags: [{ tag: 'a' }] }, ...more },
    includes,
  });
  const graphql = (note_tweet: unknown) => envelope(tweet({ entities: { hashtags: [{ text: 'a' }] } }, { note_tweet }));
  const inGraphql = (result: object) => graphql({ note_tweet_results: { result } });
  for (const note of [{}, { text: null }]) {
    assert.deepEqual(unreadIn(readMicroblogApi, api({ note_tweet: note })), [null, ['hashtags', 'links', 'text']]);
    assert.deepEqual(unreadIn(readMicroblogGraphql, inGraphql(note)), [null, ['hashtags', 'links', 'text']]);
  }
  assert.deepEqual(unreadIn(readMicroblogGraphql, graphql({})), [null, ['hashtags', 'links', 'text']]);
  const text = 'Long #a #b https://t.co/q';
  assert.deepEqual(unreadIn(readMicroblogApi, api({ note_tweet: { text } })), [text, ['hashtags', 'links']]);
  assert.deepEqual(unreadIn(readMicroblogGraphql, inGraphql({ text })), [text, ['hashtags', 'links']]);
  for (const [reader, body] of [
    [readMicroblogApi, api({ note_tweet: null })],
    [readMicroblogGraphql, graphql(null)],
  ] as const)
    assert.deepEqual(unreadIn(reader, body), ['x', []], 'null is no long form');
});
test('oEmbed: the beginning of a repost is unread', () => {
  const embed = (text: string) => ({
    url: `https://twitter.com/acme/status/${ID}`,
    html: `<blockquote><p lang="en">${text}</p></blockquote>`,
  });
  const cut = read(readMicroblogOembed, embed('RT @bob: the beginning of…'));
  assert.deepEqual(cut.tag === 'found' && cut.unread, ['text', 'media', 'links', 'hashtags']);
  for (const whole of ['To be continued…', 'RT @bob: whole'])
    assert.equal((read(readMicroblogOembed, embed(whole)) as { unread?: unknown }).unread, undefined, whole);
});
test('a link that is no address of the web is not expanded, and the links are unread; so are they where a short link is in no list', () => {
  const unreadOf = (reader: Reader<'microblog-post'>, body: unknown) => {
    const outcome = read(reader, body);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.text, outcome.resource.links, [...(outcome.unread ?? [])].sort()];
  };
  const text = `See ${SHORT}`;
  const forms: [Reader<'microblog-post'>, (urls: unknown) => unknown][] = [
    [readSyndication, (urls) => ({ id_str: ID, text, user: { screen_name: 'acme' }, entities: { urls } })],
    [readMicroblogApi, (urls) => ({ data: { id: ID, text, entities: { urls } } })],
    [readMicroblogGraphql, (urls) => envelope(tweet({ full_text: text, entities: { urls } }))],
  ];
  for (const [reader, body] of forms) {
    for (const expanded_url of ['javascript:alert(1)', '//evil.example', 'mailto:a@example.com'])
      assert.deepEqual(unreadOf(reader, body([{ url: SHORT, expanded_url }])), [text, [SHORT], ['links']], expanded_url);
    assert.deepEqual(unreadOf(reader, body([{ url: SHORT, expanded_url: 'https://example.com/' }])), [
      'See https://example.com/',
      ['https://example.com/'],
      [],
    ]);
    for (const none of [[], undefined]) assert.deepEqual(unreadOf(reader, body(none)), [text, [], ['links']]);
  }
});
test('media that are named and not described, or whose address is none, are unread; one that is named twice is listed once', () => {
  const mediaOf = (reader: Reader<'microblog-post'>, body: unknown) => {
    const outcome = read(reader, body);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.media.length, outcome.unread ?? []];
  };
  const embed = (more: object) => mediaOf(readSyndication, { id_str: ID, text: `x ${OWN}`, user: { screen_name: 'acme' }, ...more });
  const photo = { type: 'photo', media_url_https: 'https://pbs.twimg.com/m.jpg', url: OWN };
  const entities = { media: [{ url: OWN, display_url: 'pic.x.com/m' }] };
  assert.deepEqual(embed({ entities, mediaDetails: [photo] }), [1, []]);
  assert.deepEqual(embed({ entities }), [0, ['media']]);
  assert.deepEqual(embed({ text: 'x', photos: [{ url: 'https://pbs.twimg.com/m.jpg' }] }), [0, ['media']]);
  assert.deepEqual(embed({ text: 'x', video: { poster: 'https://pbs.twimg.com/m.jpg' } }), [0, ['media']]);
  assert.deepEqual(embed({ entities, mediaDetails: [{ ...photo, media_url_https: 'javascript:alert(1)' }] }), [1, ['media']]);
  const api = (media_keys: unknown, media: unknown) =>
    mediaOf(readMicroblogApi, { data: { id: ID, text: 'x', attachments: { media_keys } }, includes: { media } });
  const listed = { media_key: '3_1', type: 'photo', url: 'https://pbs.twimg.com/m.jpg' };
  assert.deepEqual(api(['3_1', '3_1'], [listed]), [1, []]);
  assert.deepEqual(api(['3_1', '3_2'], [listed]), [1, ['media']]);
  assert.deepEqual(api(['3_1'], []), [0, ['media']]);
  assert.deepEqual(api(['3_1'], [{ ...listed, url: 'data:x' }]), [1, ['media']]);
});
test('a date in another form, of a post whose id contains none, is unread in every format', () => {
  const old = { url: 'https://x.com/acme/status/20' };
  const unreadOf = (reader: Reader<'microblog-post'>, body: unknown) => {
    const outcome = reader({ status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(body)), url: '', atMs: 0 }, old);
    assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
    return [outcome.resource.publishedAt, outcome.unread ?? []];
  };
  const created_at = '21. März 2006';
  assert.deepEqual(unreadOf(readSyndication, { id_str: '20', text: 'x', user: { screen_name: 'a' }, created_at }), [null, ['publishedAt']]);
  assert.deepEqual(unreadOf(readMicroblogApi, { data: { id: '20', text: 'x', created_at } }), [null, ['publishedAt']]);
  assert.deepEqual(unreadOf(readMicroblogGraphql, envelope({ ...tweet({ created_at }), rest_id: '20' })), [null, ['publishedAt']]);
});

test('the platform leaves empty lists out: a hashtag in the text that no list states is unread, and none is invented', () => {
  const user = { screen_name: 'acme', name: 'Acme' };
  const bodies = (text: string, entities: unknown): readonly (readonly [Reader<'microblog-post'>, unknown])[] => [
    [readSyndication, { __typename: 'Tweet', id_str: ID, text, user, favorite_count: 1, entities }],
    [readMicroblogGraphql, envelope(tweet({ full_text: text, entities }))],
    [readMicroblogApi, { data: { id: ID, text, entities } }],
  ];
  const cases: readonly (readonly [string, unknown, readonly string[] | undefined])[] = [
    ['The #ferry sails', {}, ['hashtags']],
    ['The #ferry sails', null, ['hashtags']],
    ['The #ferry sails', { urls: [] }, ['hashtags']],
    ['The #ferry sails', { hashtags: null }, ['hashtags']],
    // a list that is stated as empty is the platform's word, and so is a text without a tag
    ['The #ferry sails', { hashtags: [] }, undefined],
    ['The ferry sails', {}, undefined],
    ['The ferry sails', null, undefined],
    ['Berth #1, a#b, R&#D', {}, undefined],
  ];
  for (const [text, entities, unread] of cases) {
    for (const [reader, body] of bodies(text, entities)) {
      const outcome = read(reader, body);
      assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
      assert.deepEqual([outcome.resource.hashtags, outcome.unread], [[], unread], JSON.stringify(body));
    }
  }
});
