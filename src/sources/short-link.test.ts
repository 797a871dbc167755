import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVideoHost, videoAddressOf } from '../contract/parameters/video-url.ts';
import type { Reply } from '../upstream/answer.ts';
import type { RobotsVerdict } from '../upstream/robots.ts';
import type { Evidence } from './evidence.ts';
import { absent } from './outcome.ts';
import { createAddressFinder, createAllowedAsk } from './short-link.ts';
import type { Ports } from './source.ts';

const SHORT = 'https://vm.tiktok.com/ZMabc123/';
const VIDEO = 'https://www.tiktok.com/@acme/video/7301234567890123456';
const to = (location: string, status = 301): Reply => ({
  tag: 'answer',
  answer: { status, headers: { location }, body: new Uint8Array(), url: '', atMs: 0 },
});
const plain = (status: number): Reply => ({ tag: 'answer', answer: { status, headers: {}, body: new Uint8Array(), url: '', atMs: 0 } });

const DEAD = 'dead' as Evidence;
const outcomeOf = ({ pathname }: URL) => (pathname === '/' ? absent(DEAD, 'The short link leads to no video.') : null);

function links(replies: Record<string, Reply>, verdict: RobotsVerdict = { tag: 'allowed' }) {
  const asked: string[] = [];
  const ask = async ({ url, redirects }: { url: string; redirects?: number }): Promise<Reply> => {
    assert.equal(redirects, 0);
    asked.push(url);
    return replies[url] ?? plain(404);
  };
  const ports = { http: { ask }, pace: { rest: async () => {} } } as unknown as Ports;
  const follow = createAddressFinder(ports, createAllowedAsk(ports, { mayFetch: async () => verdict }), {
    mayVisit: isVideoHost,
    addressOf: videoAddressOf,
    pace: { key: 'x', everyMs: 1, burst: 1 },
    outcomeOf,
  });
  return { asked, follow: (url = SHORT) => follow(url, { signal: new AbortController().signal, deadlineMs: 0 }) };
}

test('a link is followed over several hops, its target is not requested, and the result is cached', async () => {
  const { asked, follow } = links({ [SHORT]: to('/t/ZTxyz123/'), 'https://vm.tiktok.com/t/ZTxyz123/': to(`${VIDEO}?_r=1`) });
  assert.deepEqual(await follow(), { tag: 'address', address: { kind: 'thing', id: '7301234567890123456', handle: 'acme' } });
  assert.deepEqual(await follow(), { tag: 'address', address: { kind: 'thing', id: '7301234567890123456', handle: 'acme' } });
  assert.equal(asked.length, 2);
});
test('no host outside the platform is requested', async () => {
  for (const target of [
    'https://evil.example/x',
    'http://169.254.169.254/latest',
    'https://www.tiktok.com.evil.example/t/ZTxyz123/',
    'file:///etc/passwd',
  ]) {
    const { asked, follow } = links({ [SHORT]: to(target) });
    assert.notEqual((await follow()).tag, 'address', target);
    assert.deepEqual(asked, [SHORT]);
  }
});
test('a redirect loop ends after five hops', async () => {
  const { asked, follow } = links({ [SHORT]: to(SHORT) });
  assert.equal((await follow()).tag, 'changed');
  assert.equal(asked.length, 5);
});
test('dead links, block pages and rate limits have different outcomes', async () => {
  const wanted: [Reply, string][] = [
    [to('https://www.tiktok.com/?_r=1'), 'absent'],
    [to('https://www.tiktok.com/login?redirect_url=x'), 'blocked'],
    [plain(404), 'changed'],
    [plain(403), 'blocked'],
    [plain(429), 'limited'],
    [plain(502), 'unreachable'],
    [plain(200), 'changed'],
  ];
  for (const [reply, tag] of wanted) assert.equal((await links({ [SHORT]: reply }).follow()).tag, tag);
  // no update of ours cures a link that the platform has not
  for (const status of [404, 410]) assert.partialDeepStrictEqual(await links({ [SHORT]: plain(status) }).follow(), { cause: 'foreign' });
  assert.equal('cause' in (await links({ [SHORT]: plain(200) }).follow()), false);
});
test('a redirect whose target stands in its body alone is followed; any other page with a link is not', async () => {
  const page = (status: number, html: string): Reply => ({
    tag: 'answer',
    answer: { status, headers: {}, body: new TextEncoder().encode(html), url: '', atMs: 0 },
  });
  for (const status of [200, 301, 302])
    assert.deepEqual(await links({ [SHORT]: page(status, `<a href="${VIDEO}?a=1&amp;b=2">Moved Permanently</a>.\n\n`) }).follow(), {
      tag: 'address',
      address: { kind: 'thing', id: '7301234567890123456', handle: 'acme' },
    });
  for (const [status, html] of [
    [404, `<a href="${VIDEO}">Found</a>.`],
    [200, `<p>See <a href="${VIDEO}">Found</a>.</p>`],
    [200, `<a href="${VIDEO}">this video</a>`],
  ] as const)
    assert.equal((await links({ [SHORT]: page(status, html) }).follow()).tag, 'changed', html);
});
test('robots.txt that disallows the link prevents the request', async () => {
  const { asked, follow } = links({}, { tag: 'barred', what: 'Barred.', detail: '' });
  assert.equal((await follow()).tag, 'blocked');
  assert.deepEqual(asked, []);
});
