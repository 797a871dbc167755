import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../upstream/answer.ts';
import type { Reader } from '../source.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';
import { momentOf } from './post.ts';
import { embedToken } from './syndication/connector.ts';

const ID = '1801234567890123456';
const input = { url: `https://x.com/acme/status/${ID}` };
const read = (reader: Reader<'microblog-post'>, body: unknown, more: Partial<Answer> = {}) =>
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
function post(reader: Reader<'microblog-post'>, body: unknown) {
  const outcome = read(reader, body);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource;
}
const user = {
  core: { screen_name: 'acme', name: 'Acme' },
  is_blue_verified: false,
  verification: { verified: false, verified_type: 'Business' },
  avatar: { image_url: 'https://pbs.twimg.com/a_normal.jpg' },
};
const tweet = (legacy: object, more: object = {}) => ({
  __typename: 'Tweet',
  rest_id: ID,
  core: { user_results: { result: user } },
  legacy: { full_text: 'x', created_at: 'Thu Jun 13 12:46:00 +0000 2024', ...legacy },
  ...more,
});
const envelope = (result: unknown) => ({ data: { tweetResult: { result } } });
const SHORT = 'https://t.co/abcdefghij';
const OWN = 'https://t.co/mediamedia';

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
test('an answer without a result has the outcome of its errors', () => {
  const tags: [unknown, string][] = [
    [{ data: { tweetResult: {} } }, 'absent'],
    [{ data: {} }, 'changed'],
    [{ data: { tweetResult: null } }, 'changed'],
    [{ data: { tweetResult: [] } }, 'changed'],
    [{ data: {}, errors: [{ message: '_Missing: No status found with that ID.', code: 144 }] }, 'absent'],
    [{ data: {}, errors: [{ message: 'Timeout: Unspecified' }] }, 'unreachable'],
    [{ errors: [{ message: 'Could not authenticate you', code: 32 }] }, 'refused'],
    [{ something: 'else' }, 'changed'],
    [envelope(tweet({}, { rest_id: '1801234567890120000' })), 'changed'],
    [envelope({ __typename: 'TweetUnavailable', reason: 'NsfwLoggedOut' }), 'blocked'],
    [envelope({ __typename: 'TweetUnavailable', reason: 'Deleted' }), 'absent'],
    [envelope({ __typename: 'TweetUnavailable', reason: 'BounceDeleted' }), 'absent'],
    [envelope({ __typename: 'TweetUnavailable', reason: 'UnderModeration' }), 'changed'],
    [envelope({ __typename: 'TweetUnavailable', reason: 'Language' }), 'changed'],
    [envelope({ __typename: 'TweetUnavailable' }), 'changed'],
    [envelope({ __typename: 'TweetPreviewDisplay', reason: 'Deleted' }), 'changed'],
    [envelope({ __typename: 'TweetTombstone', tombstone: { text: { text: 'Something else happened to this Post.' } } }), 'changed'],
    ['<html>no</html>', 'blocked'],
  ];
  for (const [body, tag] of tags) assert.equal(read(readMicroblogGraphql, body).tag, tag, JSON.stringify(body));
  const beside = { ...envelope(tweet({})), errors: [{ message: 'Dependency: Unspecified' }] };
  assert.equal(read(readMicroblogGraphql, beside).tag, 'found');
});
test('embed endpoint: missing fields are null, a 404 is never absent, a truncated text is null', () => {
  const body = {
    __typename: 'Tweet',
    id_str: ID,
    text: 'Hi',
    created_at: '2024-06-13T12:46:00.000Z',
    user: { screen_name: 'acme', name: 'Acme' },
    favorite_count: 2,
  };
  const p = post(readSyndication, body);
  assert.deepEqual([p.metrics.views, p.metrics.likes, p.conversationId, p.isQuote], [null, 2, ID, null]);
  assert.equal(post(readSyndication, { ...body, note_tweet: { id: 'x' } }).text, null);
  assert.equal(post(readSyndication, { ...body, in_reply_to_screen_name: 'other' }).conversationId, null);
  assert.equal(read(readSyndication, '', { status: 404 }).tag, 'changed');
  assert.equal(read(readSyndication, { __typename: 'TweetUnavailable', reason: 'Suspended' }).tag, 'absent');
  assert.equal(read(readSyndication, { __typename: 'TweetUnavailable', reason: 'UnderModeration' }).tag, 'changed');
  assert.equal(read(readSyndication, {}).tag, 'changed');
  const dead = (text: string) => read(readSyndication, { __typename: 'TweetTombstone', tombstone: { text: { text } } });
  const ageRestricted = dead('Age-restricted adult content. Log in to X.');
  assert.ok(ageRestricted.tag === 'blocked' && ageRestricted.final);
  const why = (text: string): string => {
    const outcome = dead(text);
    return outcome.tag === 'absent' ? outcome.what : outcome.tag;
  };
  assert.match(why('This Post is from a suspended account. Learn more'), /suspended/);
  assert.match(why('This account owner limits who can view their Posts.'), /protected/);
  assert.match(why('This Post was deleted by the Post author.'), /deleted/);
  assert.match(why('This Post from @acme has been withheld in Germany in response to a legal demand.'), /legal/);
  assert.match(why('This Post is from an account that no longer exists. Learn more'), /no longer exists/);
  assert.match(why('This Post violated the X Rules. Learn more'), /removed/);
  for (const unknown of [
    'This Post is unavailable.',
    'This Post is unavailable. Learn more',
    'This Post is from a temporarily unavailable account.',
    'Posts about deleted files and suspended bridges are protected by legal rules',
    '',
  ])
    assert.equal(why(unknown), 'changed', unknown);
});
test('API: withheld everywhere is absent, withheld in some countries is found; a 429 waits for the reset', () => {
  const data = { id: ID, text: 'x', author_id: '1' };
  assert.equal(read(readMicroblogApi, { data: { ...data, withheld: { country_codes: ['XX'] } } }).tag, 'absent');
  assert.equal(read(readMicroblogApi, { data: { ...data, withheld: { country_codes: ['DE'] } } }).tag, 'found');
  const limited = read(readMicroblogApi, '', { status: 429, headers: { 'x-rate-limit-reset': '1730419260' }, atMs: 1_730_419_200_000 });
  assert.ok(limited.tag === 'limited' && limited.retryAfterMs === 60_000);
  assert.equal(read(readMicroblogApi, { title: 'CreditsDepleted', status: 402 }, { status: 402 }).tag, 'refused');
  assert.equal(post(readMicroblogApi, { data: { ...data, public_metrics: { impression_count: 0, like_count: 0 } } }).metrics.views, null);
});
test('API: a problem of an unknown type is changed, neither absent nor refused', () => {
  const problem = (type: string, detail: string) => ({
    errors: [{ title: 'x', type: `https://api.twitter.com/2/problems/${type}`, detail }],
  });
  assert.equal(read(readMicroblogApi, problem('resource-not-found', 'User has been suspended: [1].')).tag, 'absent');
  assert.equal(read(readMicroblogApi, problem('not-authorized-for-resource', 'Sorry.')).tag, 'absent');
  assert.equal(read(readMicroblogApi, problem('invalid-request', 'One or more parameters were invalid.')).tag, 'refused');
  assert.equal(read(readMicroblogApi, problem('client-forbidden', 'This application is suspended.')).tag, 'refused');
  assert.equal(read(readMicroblogApi, problem('something-new', 'The post is under moderation.')).tag, 'changed');
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
test('embed endpoints: a 404 is absent only with an error object of the platform', () => {
  const error = (code: number, message: string) => ({ errors: [{ code, message }] });
  for (const reader of [readMicroblogOembed, readSyndication]) {
    for (const body of [
      '',
      'Not Found',
      '<html><center>nginx</center></html>',
      {},
      { message: 'no Route matched' },
      error(34, 'no such page'),
    ])
      assert.equal(read(reader, body, { status: 404 }).tag, 'changed', JSON.stringify(body));
    assert.equal(read(reader, error(144, 'No status found with that ID.'), { status: 404 }).tag, 'absent');
    assert.equal(read(reader, error(179, 'Sorry, you are not authorized to see this status.'), { status: 403 }).tag, 'absent');
    assert.equal(read(reader, '', { status: 403 }).tag, 'blocked');
  }
});
test("the token of the embed endpoint equals that of the platform's script", () => {
  assert.deepEqual(['20', '71633762', '1629307668568633344', '2023357708301455483'].map(embedToken), [
    '6dq1a2xwd93',
    'dlve538n4hj',
    '3y6mctgwzxo',
    '4wkkd5uwebk',
  ]);
});

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

test('API: what concerns the account of this service is its refusal under every status, with the time of the reset', () => {
  const atMs = Date.UTC(2026, 11, 14);
  const problems: readonly (readonly [number, object])[] = [
    [403, { title: 'SpendCapReached', type: 'https://api.twitter.com/2/problems/credits', reset_date: '2026-12-21' }],
    [402, { title: 'CreditsDepleted', type: 'https://api.twitter.com/2/problems/credits' }],
    [402, { title: 'CreditsDepleted' }],
    [429, { title: 'UsageCapExceeded', type: 'https://api.twitter.com/2/problems/usage-capped' }],
    [403, { title: 'Unsupported Authentication', type: 'https://api.twitter.com/2/problems/unsupported-authentication' }],
    [403, { title: 'Client Forbidden', reason: 'client-not-enrolled', type: 'https://api.twitter.com/2/problems/client-forbidden' }],
    [401, { title: 'Unauthorized', type: 'about:blank' }],
  ];
  for (const [status, body] of problems) {
    const outcome = read(readMicroblogApi, body, { status, atMs });
    assert.ok(outcome.tag === 'refused' && outcome.account, `${status} ${JSON.stringify(body)}: ${JSON.stringify(outcome)}`);
    assert.equal(outcome.retryAfterMs, 'reset_date' in body ? 7 * 86_400_000 : undefined);
  }
  assert.equal(read(readMicroblogApi, { title: 'Forbidden', type: 'about:blank' }, { status: 403 }).tag, 'blocked');
  assert.equal(read(readMicroblogApi, { title: 'x', type: 'https://api.twitter.com/2/problems/new' }, { status: 403 }).tag, 'blocked');
});
test('API: neither the first post nor the first problem of a list decides over the others', () => {
  const post = { id: ID, text: 'x', author_id: '1' };
  for (const data of [
    [{}, post],
    [null, post],
    [{ ...post, id: '7' }, post],
  ])
    assert.equal(read(readMicroblogApi, { data }).tag, 'found');
  const type = 'https://api.twitter.com/2/problems/';
  const errors = [
    { title: 'x', type: `${type}something-new` },
    { title: 'Not Found Error', type: `${type}resource-not-found` },
  ];
  assert.equal(read(readMicroblogApi, { errors }).tag, 'absent');
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

test('API: a problem in the list of errors is our refusal, too, under every status, and one without a type of its own is known by its words', () => {
  const atMs = Date.UTC(2026, 11, 14);
  const type = (name: string) => `https://api.x.com/2/problems/${name}`;
  const reset_date = '2026-12-21';
  for (const status of [200, 402, 403, 429])
    for (const body of [
      { errors: [{ title: 'SpendCapReached', type: type('credits'), reset_date }] },
      { errors: [{ type: type('weird') }, { title: 'SpendCapReached', type: type('credits'), reset_date }] },
      { title: 'SpendCapReached', type: 'about:blank', reset_date },
      { title: 'SpendCapReached', reset_date },
    ]) {
      const outcome = read(readMicroblogApi, body, { status, atMs });
      const told = `${status} ${JSON.stringify(body)}: ${JSON.stringify(outcome)}`;
      assert.ok(outcome.tag === 'refused' && outcome.account && outcome.retryAfterMs === 7 * 86_400_000, told);
    }
  const waits = read(
    readMicroblogApi,
    { title: 'CreditsDepleted', type: type('credits') },
    { status: 402, headers: { 'retry-after': '7200' }, atMs },
  );
  assert.ok(waits.tag === 'refused' && waits.account && waits.retryAfterMs === 7_200_000);
  for (const body of [{ type: type('oauth1-permissions') }, { type: 'about:blank', reason: 'client-not-enrolled' }]) {
    const outcome = read(readMicroblogApi, body, { status: 403 });
    assert.ok(outcome.tag === 'refused' && outcome.account, JSON.stringify(outcome));
  }
});

test('API: a problem with another post or a part of it does not say that the post asked for is absent', () => {
  const problem = (more: object) => ({ errors: [{ type: 'https://api.x.com/2/problems/resource-not-found', detail: 'x', ...more }] });
  for (const more of [
    { resource_id: '5', parameter: 'referenced_tweets.id' },
    { parameter: 'author_id' },
    { resource_id: '5', resource_type: 'tweet' },
  ])
    assert.equal(read(readMicroblogApi, problem(more)).tag, 'changed', JSON.stringify(more));
  for (const more of [{ resource_id: ID, parameter: 'id', resource_type: 'tweet' }, { parameter: 'ids' }, {}])
    assert.equal(read(readMicroblogApi, problem(more)).tag, 'absent', JSON.stringify(more));
});

test('embed endpoint: a tombstone counts under every status; an endpoint without a key refuses no credentials; empty objects state nothing', () => {
  const tombstone = { __typename: 'TweetTombstone', tombstone: { text: { text: 'This Post was deleted by the Post author.' } } };
  for (const status of [200, 404, 410]) assert.equal(read(readSyndication, tombstone, { status }).tag, 'absent', String(status));
  for (const reader of [readSyndication, readMicroblogOembed])
    for (const status of [401, 402]) assert.equal(read(reader, {}, { status }).tag, 'blocked');
  for (const reason of ['ViewerAgeNotVerified', 'AgeVerificationRequired', 'NsfwLoggedOut'])
    assert.equal(read(readSyndication, { __typename: 'TweetUnavailable', reason }).tag, 'blocked', reason);
  const photo = { type: 'photo', media_url_https: 'https://pbs.example/a.jpg' };
  const body = { id_str: ID, text: 'Hi', user: { screen_name: 'acme' }, quoted_tweet: {} };
  for (const mediaDetails of [
    [{}, photo],
    [photo, null],
    [photo, {}],
  ]) {
    const p = post(readSyndication, { ...body, mediaDetails });
    assert.deepEqual([p.media.length, p.isQuote], [1, null]);
  }
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

test("an empty result is the operation's own empty object: null, a list and another object state nothing", () => {
  for (const tweetResult of [{ result: null }, { result: {} }, [{}], [null], null, { other: 1 }])
    assert.equal(read(readMicroblogGraphql, { data: { tweetResult } }).tag, 'changed', JSON.stringify(tweetResult));
});

test('a tombstone says that a post is gone only in the words for that: not where it stays accessible, nor where age is the reason', () => {
  const read1 = (text: string) => read(readSyndication, { __typename: 'TweetTombstone', tombstone: { text: { text } } });
  const rest = 'However, X has determined that it may be in the public’s interest for the Post to remain accessible. Learn more';
  for (const text of [`This Post violated the X Rules about glorifying violence. ${rest}`, `This Post violated the X Rules. ${rest}`])
    assert.ok(read1(text).tag === 'changed', text);
  for (const text of [
    'Due to local laws, we are temporarily restricting access to this content until X estimates your age. Learn more',
    'This Post is age-restricted.',
  ]) {
    const outcome = read1(text);
    assert.ok(outcome.tag === 'blocked' && outcome.final, text);
  }
  for (const text of ['This Post is from a protected account', 'This Post was deleted. Learn more', 'This Tweet has been deleted'])
    assert.equal(read1(text).tag, 'absent', text);
  assert.equal(read1('This Post was not deleted by the Post author').tag, 'changed');
});
test('the reason of an unavailable post is a whole word: a part of another one proves nothing', () => {
  const tagOf = (reason: string) => read(readSyndication, { __typename: 'TweetUnavailable', reason }).tag;
  for (const reason of ['Suspended', 'AuthorSuspended', 'Protected', 'Deleted', 'BounceDeleted', 'LegalDemand', 'withheld_in_country'])
    assert.equal(tagOf(reason), 'absent', reason);
  for (const reason of ['ViewerSuspended', 'NotDeleted', 'Undeleted', 'Unprotected', 'Illegal'])
    assert.equal(tagOf(reason), 'changed', reason);
});
test('embed endpoints: an error beside a post does not say that the post is gone', () => {
  const body = { id_str: ID, text: 'Hi', user: { screen_name: 'acme' } };
  const errors = [{ code: 144, message: 'No status found with that ID.' }];
  assert.equal(read(readSyndication, { ...body, errors }).tag, 'found');
  assert.equal(read(readSyndication, { errors }).tag, 'absent');
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
test('half of a pair of surrogates in a text is the replacement character', () => {
  assert.equal(post(readSyndication, { id_str: ID, text: 'a \ud83d', user: { screen_name: 'acme' } }).text, 'a \ufffd');
});
