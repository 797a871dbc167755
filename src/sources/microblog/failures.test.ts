import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, ID, post, read, tweet } from '../../../test/social/sample-posts.ts';
import { readMicroblogApi } from './api/parse.ts';
import { readMicroblogOembed, readSyndication } from './embeds.ts';
import { readMicroblogGraphql } from './graphql.ts';

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
    [
      403,
      {
        title: 'Forbidden',
        detail: 'The user used for authentication is suspended',
        type: 'https://api.twitter.com/2/problems/user-suspended',
      },
    ],
    [403, { title: 'Forbidden', type: 'https://api.x.com/2/problems/app-suspended' }],
    [403, { title: 'Payment Required', type: 'https://api.x.com/2/problems/credits-depleted' }],
    [403, { title: 'Forbidden', detail: 'Your account is suspended and is not permitted to access this feature.', type: 'about:blank' }],
    [403, { title: 'Forbidden', detail: 'Your current access level does not include this endpoint.' }],
  ];
  for (const [status, body] of problems) {
    const outcome = read(readMicroblogApi, body, { status, atMs });
    assert.ok(outcome.tag === 'refused' && outcome.account, `${status} ${JSON.stringify(body)}: ${JSON.stringify(outcome)}`);
    assert.equal(outcome.retryAfterMs, 'reset_date' in body ? 7 * 86_400_000 : undefined);
  }
  assert.equal(read(readMicroblogApi, { title: 'Forbidden', type: 'about:blank' }, { status: 403 }).tag, 'blocked');
  assert.equal(read(readMicroblogApi, { title: 'x', type: 'https://api.twitter.com/2/problems/new' }, { status: 403 }).tag, 'blocked');
});
test('API: an error of v1.1 about our credentials, by its code, is our refusal under every status; a rate limit is one', () => {
  for (const code of [32, 64, 89, 99, 326, 416, 453])
    for (const status of [200, 401, 403]) {
      const outcome = read(readMicroblogApi, { errors: [{ message: 'In other words.', code }] }, { status });
      assert.ok(outcome.tag === 'refused' && outcome.account, `${status} ${code}: ${JSON.stringify(outcome)}`);
    }
  assert.equal(read(readMicroblogApi, { errors: [{ message: 'Rate limit exceeded', code: 88 }] }).tag, 'limited');
  assert.equal(read(readMicroblogApi, { errors: [{ message: 'Something new', code: 999 }] }, { status: 403 }).tag, 'blocked');
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
