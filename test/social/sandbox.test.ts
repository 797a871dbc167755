import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { COMPETITORS } from '../../sandbox/competitors.ts';
import { EXAMPLE_POST, expectedPost, POSTS, SPECIAL_POSTS } from '../../sandbox/microblog/facts.ts';
import { shortLinkTo } from '../../sandbox/microblog/host.ts';
import { DEAD_CODE, EXAMPLE_VIDEO, expectedVideo, PROFILE_CODE, SPECIAL_VIDEOS, VIDEOS } from '../../sandbox/shortvideo/facts.ts';
import { OPERATIONS } from '../../src/contract/operations/index.ts';
import { microblogApi } from '../../src/sources/microblog/api/source.ts';
import { microblogOembed } from '../../src/sources/microblog/oembed/source.ts';
import { microblogSyndication } from '../../src/sources/microblog/syndication/source.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { shortVideoOembed } from '../../src/sources/shortvideo/oembed/source.ts';
import { shortVideoPage } from '../../src/sources/shortvideo/page/source.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { check, openSocialPorts, unsigned } from './simulated-sources.ts';

let ports: Awaited<ReturnType<typeof openSocialPorts>>;
before(async () => {
  ports = await openSocialPorts();
});
after(() => ports.close());

const video = (id: string): string => `https://www.tiktok.com/@_/video/${id}`;
const post = (id: string): string => `https://x.com/i/status/${id}`;
const told = (outcome: Outcome): string => (outcome.tag === 'found' ? 'found' : `${outcome.tag}: ${outcome.what} (${outcome.detail})`);
const PLATFORM = /tiktok|twitter|\bX\b|tweet/i;

test('a lookup of every simulated video returns the expected resource, in every page format', async () => {
  const ask = ports.opened(shortVideoPage);
  for (const v of VIDEOS) {
    const outcome = await ask('short-video', video(v.id));
    assert.equal(told(outcome), 'found', `${v.shape} ${v.id}`);
    if (outcome.tag !== 'found') continue;
    assert.deepEqual(unsigned(outcome.resource), unsigned(expectedVideo(v, v.shape, Date.now())), v.shape);
    assert.equal(await check('short-video', outcome.resource), null, v.shape);
  }
  assert.equal(VIDEOS.length, COMPETITORS.length);
});
test('oEmbed returns its fields, and null for the others', async () => {
  const ask = ports.opened(shortVideoOembed);
  for (const v of VIDEOS.slice(0, 8)) {
    const outcome = await ask('short-video', video(v.id));
    assert.ok(outcome.tag === 'found', told(outcome));
    assert.deepEqual(unsigned(outcome.resource), unsigned(expectedVideo(v, 'oembed', Date.now())));
    assert.equal(await check('short-video', outcome.resource), null);
  }
});
test('pages without a video have their outcomes, and none is found', async () => {
  const ask = ports.opened(shortVideoPage);
  const wanted: Record<keyof typeof SPECIAL_VIDEOS, string> = {
    deleted: 'absent',
    private: 'absent',
    privateAccount: 'absent',
    ambiguousGone: 'absent',
    ambiguousHidden: 'blocked',
    ambiguousSilent: 'unreachable',
    ageRestricted: 'blocked',
    region: 'blocked',
    shell: 'blocked',
    challenge: 'blocked',
    limited: 'limited',
    degraded: 'changed',
    login: 'blocked',
    transient: 'unreachable',
    captcha: 'blocked',
    noAuthor: 'absent',
  };
  for (const [name, id] of Object.entries(SPECIAL_VIDEOS)) {
    const outcome = await ask('short-video', video(id));
    assert.equal(outcome.tag, wanted[name as keyof typeof wanted], `${name}: ${told(outcome)}`);
    if (outcome.tag !== 'found') assert.doesNotMatch(outcome.what, PLATFORM);
  }
});
test('oEmbed replaces an empty page, but not a page on which the platform hides the video', async () => {
  const chain = (id: string) => ports.chain([shortVideoPage, shortVideoOembed], 'short-video', video(id));
  const shell = await chain(SPECIAL_VIDEOS.shell);
  assert.deepEqual([shell.outcome.tag, shell.outcome.source], ['found', 'shortvideo/oembed']);
  for (const id of [SPECIAL_VIDEOS.ambiguousHidden, SPECIAL_VIDEOS.ageRestricted, SPECIAL_VIDEOS.region]) {
    const { outcome, attempts } = await chain(id);
    assert.deepEqual([outcome.tag, outcome.source, attempts.length], ['blocked', 'shortvideo/page', 1]);
  }
  // oEmbed alone is no evidence that the video is absent
  const challenged = await chain(SPECIAL_VIDEOS.challenge);
  assert.equal(challenged.outcome.tag, 'blocked');
});
test('short links are followed hop by hop, and unknown ones are absent', async () => {
  const ask = ports.opened(shortVideoPage);
  const [first] = VIDEOS;
  assert.ok(first);
  for (const url of [
    `https://vm.tiktok.com/${first.code}/`,
    `https://vt.tiktok.com/${first.code}/`,
    `https://www.tiktok.com/t/${first.code}/`,
  ]) {
    const outcome = await ask('short-video', url);
    assert.equal(outcome.tag === 'found' && (outcome.resource as { videoId: string }).videoId, EXAMPLE_VIDEO, told(outcome));
  }
  for (const code of [DEAD_CODE, PROFILE_CODE]) {
    const outcome = await ask('short-video', `https://vm.tiktok.com/${code}/`);
    assert.equal(outcome.tag, 'absent', told(outcome));
  }
});
test('robots.txt is fetched before a page', async () => {
  const asked = ports.sandbox.requests.map((r) => r.url);
  const robots = asked.indexOf('https://www.tiktok.com/robots.txt');
  assert.ok(robots >= 0 && robots < asked.findIndex((u) => u.includes('/video/')), asked.slice(0, 5).join('\n'));
});

for (const [source, by] of [
  [microblogApi, 'api'],
  [microblogSyndication, 'syndication'],
  [microblogOembed, 'oembed'],
] as const) {
  test(`a lookup of every simulated post returns the expected resource, by ${source.id}`, async () => {
    const ask = ports.opened(source);
    for (const p of POSTS) {
      const outcome = await ask('microblog-post', post(p.id));
      assert.ok(outcome.tag === 'found', told(outcome));
      assert.deepEqual(outcome.resource, expectedPost(p, by), `${by} ${p.id}`);
      assert.equal(await check('microblog-post', outcome.resource), null);
    }
  });
}
test('missing posts have their outcomes at every source', async () => {
  const wanted: Record<keyof typeof SPECIAL_POSTS, [string, string, string]> = {
    deleted: ['absent', 'absent', 'changed'],
    suspended: ['absent', 'absent', 'changed'],
    protected: ['absent', 'absent', 'absent'],
    ageRestricted: ['absent', 'blocked', 'changed'],
    withheld: ['absent', 'absent', 'changed'],
    blank: ['absent', 'changed', 'changed'],
    hidden: ['absent', 'changed', 'found'],
    limited: ['limited', 'limited', 'limited'],
    orphan: ['found', 'found', 'found'],
  };
  const asks = [microblogApi, microblogSyndication, microblogOembed].map((s) => ports.opened(s));
  for (const [name, id] of Object.entries(SPECIAL_POSTS)) {
    const outcomes = await Promise.all(asks.map((ask) => ask('microblog-post', post(id))));
    assert.deepEqual(
      outcomes.map((o) => o.tag),
      wanted[name as keyof typeof wanted],
      `${name}: ${outcomes.map(told).join(' | ')}`,
    );
    for (const outcome of outcomes) if (outcome.tag !== 'found') assert.doesNotMatch(outcome.what, PLATFORM);
  }
});
test('a rate limit of the platform pauses all requests until its reset', async () => {
  const outcome = await ports.opened(microblogApi)('microblog-post', post(SPECIAL_POSTS.limited));
  assert.ok(
    outcome.tag === 'limited' && outcome.retryAfterMs !== null && outcome.retryAfterMs > 0 && outcome.retryAfterMs <= 900_000,
    told(outcome),
  );
  const [key, ms] = ports.rests.at(-1) ?? ['', 0];
  assert.equal(key, 'api.x.com/2/tweets');
  assert.ok(ms > 0 && ms <= 900_000);
});
test('after a 404 of the embed endpoint, oEmbed is requested', async () => {
  const { outcome } = await ports.chain([microblogSyndication, microblogOembed], 'microblog-post', post(SPECIAL_POSTS.hidden));
  assert.deepEqual([outcome.tag, outcome.source], ['found', 'microblog/oembed']);
});
test('a short link to a post is followed; one to another site is absent', async () => {
  const ask = ports.opened(microblogSyndication);
  const [first] = POSTS;
  assert.ok(first);
  const outcome = await ask('microblog-post', shortLinkTo(first));
  assert.equal(outcome.tag === 'found' && (outcome.resource as { postId: string }).postId, EXAMPLE_POST, told(outcome));
  assert.equal((await ask('microblog-post', 'https://t.co/away00')).tag, 'absent');
  assert.ok(!ports.sandbox.requests.some((r) => r.url.includes('elsewhere.example')));
});
test('a rejected token is refused, and appears in no outcome and no log line', async () => {
  const other = await openSocialPorts({ X_BEARER_TOKEN: 'wrong-secret-token' });
  try {
    const outcome = await other.opened(microblogApi)('microblog-post', post(EXAMPLE_POST));
    assert.equal(outcome.tag, 'refused');
    assert.doesNotMatch(JSON.stringify(outcome) + other.logged.join(), /wrong-secret/);
    const chained = await other.chain([microblogApi, microblogSyndication], 'microblog-post', post(EXAMPLE_POST));
    assert.equal(chained.outcome.source, 'microblog/syndication');
  } finally {
    await other.close();
  }
});
test('the daily cap of the paid source stops its requests, and the log names the setting', async () => {
  const other = await openSocialPorts({ SIGHTLINE_DAILY_CAPS: JSON.stringify({ x: { requests: 2 } }) });
  try {
    const ask = other.opened(microblogApi);
    const tags: string[] = [];
    for (const { id } of POSTS.slice(0, 4)) tags.push((await ask('microblog-post', post(id))).tag);
    assert.deepEqual(tags, ['found', 'found', 'limited', 'limited']);
    assert.equal(other.logged.filter((l) => /SIGHTLINE_DAILY_CAPS, x/.test(l)).length, 1);
    assert.equal(other.logged.filter((l) => /upstream cost/.test(l)).length, 2, 'each read is told with its cost');
  } finally {
    await other.close();
  }
});
test('a post that is read again on the same UTC day counts once against cap and cost, and again on the next day', async () => {
  const clock = createManualClock(Date.UTC(2026, 10, 22, 23));
  const other = await openSocialPorts({ SIGHTLINE_DAILY_CAPS: JSON.stringify({ x: { requests: 2 } }) });
  try {
    const ask = other.opened(microblogApi, { clock });
    const read = async (id: string | undefined) => (await ask('microblog-post', post(id ?? ''))).tag;
    const costs = () => other.logged.filter((l) => /upstream cost/.test(l)).length;
    const [first, second, third] = POSTS.map((p) => p.id);
    assert.deepEqual([await read(first), await read(first), await read(second), await read(first)], ['found', 'found', 'found', 'found']);
    assert.equal(costs(), 2);
    const capped = await ask('microblog-post', post(third ?? ''));
    assert.ok(capped.tag === 'limited' && capped.retryAfterMs === 3_600_000 && !capped.counts, told(capped)); // until 00:00 UTC
    assert.equal(await read(second), 'found', 'a read that costs nothing is not refused');
    await clock.advance(3_600_000);
    assert.deepEqual([await read(first), await read(third), await read(second)], ['found', 'found', 'limited']);
    assert.equal(costs(), 4);
  } finally {
    await other.close();
  }
});
test('the examples of the contract return resources', async () => {
  for (const [operation, source] of [
    ['short-video', shortVideoPage],
    ['microblog-post', microblogApi],
  ] as const) {
    const [parameter] = OPERATIONS[operation].parameters;
    const outcome = await ports.opened(source)(operation, String(parameter?.example));
    assert.equal(told(outcome), 'found');
  }
});
