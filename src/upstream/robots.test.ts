import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createManualClock } from '../../test/support/manual-clock.ts';
import type { Reply } from './answer.ts';
import type { Http } from './ports.ts';
import { allows, createRobots, parseRobots } from './robots.ts';

const may = (text: string, path: string, agent = 'sightline') => allows(parseRobots(text), agent, path);
const attempt = { signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY };

test('the group of the agent is used, else the group for all agents', () => {
  const text = 'User-agent: *\nDisallow: /\n\nUser-Agent: Sightline/2.0\nDisallow: /private\n';
  assert.equal(may(text, '/open'), true);
  assert.equal(may(text, '/private/x'), false);
  assert.equal(may(text, '/open', 'other'), false);
});
test('consecutive User-agent lines share their rules, and groups of the same agent are merged', () => {
  const text = 'User-agent: a\nUser-agent: sightline\nDisallow: /x\nUser-agent: b\nDisallow: /y\nUser-agent: sightline\nDisallow: /z';
  assert.deepEqual(
    ['/x', '/y', '/z'].map((p) => may(text, p)),
    [false, true, false],
  );
});
test('the longest rule applies; on a tie, allow', () => {
  assert.equal(may('user-agent: *\ndisallow: /a\nallow: /a/b', '/a/b/c'), true);
  assert.equal(may('user-agent: *\ndisallow: /a/b\nallow: /a', '/a/b/c'), false);
  assert.equal(may('user-agent: *\ndisallow: /a\nallow: /a', '/a'), true);
});
test('wildcards and the end anchor are supported', () => {
  const text = 'user-agent: *\ndisallow: /*?sort=\ndisallow: /*.gif$\ndisallow: /end$';
  assert.deepEqual(
    ['/l?sort=1', '/l?page=1', '/a.gif', '/a.gif?x', '/end', '/ending'].map((p) => may(text, p)),
    [false, true, false, true, false, true],
  );
});
test('equivalent percent-encodings of a path match', () => {
  assert.equal(may('user-agent: *\ndisallow: /%7ejoe/caf\u00e9', '/~joe/caf%c3%a9'), false);
  assert.equal(may('user-agent: *\ndisallow: /a%2Fb', '/a/b'), true);
});
test('an empty Disallow, comments, a byte order mark and unknown lines disallow nothing', () => {
  assert.equal(may('\ufeffuser-agent: * # all\r\nDisallow:\r\nCrawl-delay: 5\rSitemap: https://x.example/s.xml', '/a'), true);
  assert.equal(may('disallow: /', '/a'), true);
  assert.equal(may('user-agent: *\ndisallow: /', '/robots.txt'), true);
});
test('any text is parsed without a throw and in bounded time', () => {
  fc.assert(fc.property(fc.string({ maxLength: 400, unit: 'binary' }), fc.webPath(), (text, path) => void may(text, path)));
  fc.assert(
    fc.property(fc.stringMatching(/^\/[a*$]{0,40}$/), fc.stringMatching(/^\/[ab]{0,200}$/), (rule, path) => {
      const expected = new RegExp(`^${rule.replace(/\$(?=.)/g, '\\$').replace(/\*/g, '.*')}`).test(path);
      assert.equal(may(`user-agent: *\ndisallow: ${rule}`, path), !expected);
    }),
  );
});

function fake(replies: Reply[]) {
  const asked: string[] = [];
  const http: Http = {
    ask: async ({ url }) => {
      asked.push(url);
      return replies.shift() ?? { tag: 'unreachable', what: 'Away.' };
    },
  };
  return { http, asked };
}
const text = (body: string, status = 200, headers = {}): Reply => ({
  tag: 'answer',
  answer: { status, headers, body: new TextEncoder().encode(body), url: '', atMs: 0 },
});

test('robots.txt is fetched once for concurrent requests, and again after it expires', async () => {
  const clock = createManualClock();
  const { http, asked } = fake([text('user-agent: *\ndisallow: /no', 200, { 'cache-control': 'public, max-age=3600' }), text('')]);
  const robots = createRobots(http, clock);
  const verdicts = await Promise.all(['/no', '/yes'].map((p) => robots.mayFetch(`https://a.example${p}`, 'sightline', attempt)));
  assert.deepEqual(
    verdicts.map((v) => v.tag),
    ['barred', 'allowed'],
  );
  await clock.advance(3_599_000);
  assert.equal((await robots.mayFetch('https://a.example/no', 'sightline', attempt)).tag, 'barred');
  await clock.advance(2_000);
  assert.equal((await robots.mayFetch('https://a.example/no', 'sightline', attempt)).tag, 'allowed');
  assert.deepEqual(asked, ['https://a.example/robots.txt', 'https://a.example/robots.txt']);
});
test('without a robots.txt every path is allowed; if it cannot be fetched none is', async () => {
  const clock = createManualClock();
  const missing = createRobots(fake([text('<html>', 404)]).http, clock);
  assert.equal((await missing.mayFetch('https://a.example/', 'sightline', attempt)).tag, 'allowed');
  const failing = createRobots(fake([text('', 503)]).http, clock);
  assert.equal((await failing.mayFetch('https://a.example/', 'sightline', attempt)).tag, 'unreachable');
});
test('if a newer robots.txt cannot be fetched, the old copy is used', async () => {
  const clock = createManualClock();
  const robots = createRobots(fake([text('user-agent: *\ndisallow: /no')]).http, clock);
  await robots.mayFetch('https://a.example/', 'sightline', attempt);
  await clock.advance(90_000_000);
  assert.equal((await robots.mayFetch('https://a.example/no', 'sightline', attempt)).tag, 'barred');
  assert.equal((await robots.mayFetch('https://a.example/yes', 'sightline', attempt)).tag, 'allowed');
});
test("the robots.txt of a host in the operator's exempt list is not fetched", async () => {
  const { http, asked } = fake([]);
  const robots = createRobots(http, createManualClock(), ['A.example']);
  assert.equal((await robots.mayFetch('https://a.example/', 'sightline', attempt)).tag, 'allowed');
  assert.deepEqual(asked, []);
});
