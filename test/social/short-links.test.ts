/** What a short link of the short-video platform leads to, by the whole source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../src/settings.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { shortVideoPage } from '../../src/sources/shortvideo/page/source.ts';
import type { Ports } from '../../src/sources/source.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import { createManualClock } from '../support/manual-clock.ts';

const SHORT = 'https://vm.tiktok.com/ZMabc123/';
const ID = '7300000000000000001';

/** The outcome of a short link, and the pages that were asked for after it. */
async function follow(location: string): Promise<{ outcome: Outcome; pages: string[] }> {
  const pages: string[] = [];
  const reply = (status: number, headers: Record<string, string> = {}): Reply => ({
    tag: 'answer',
    answer: { status, headers, body: new Uint8Array(), url: '', atMs: 0 },
  });
  const ports = {
    settings: readSettings({}),
    clock: createManualClock(),
    http: {
      async ask({ url }: { url: string }) {
        if (url.endsWith('/robots.txt')) return reply(404);
        if (url === SHORT) return reply(301, { location });
        pages.push(url);
        return reply(503);
      },
    },
    whois: {},
    pace: { take: async () => 0, rest: async () => undefined, resting: async () => 0 },
    log: () => {},
  } as unknown as Ports;
  const ask = shortVideoPage.open(ports)['short-video'];
  const outcome = await ask?.({ url: SHORT }, { signal: new AbortController().signal, deadlineMs: 60_000 });
  return { outcome: outcome ?? assert.fail(), pages };
}

test('a regional page and an app shop say nothing of the video: it is blocked, and nothing more is asked', async () => {
  for (const target of [
    'https://www.tiktok.com/hk/notfound',
    'https://www.tiktok.com/en/hk/notfound',
    'https://www.tiktok.com/notfound',
    '/in/notfound?lang=en',
    'https://www.tiktok.com/zh-Hant/notfound/',
    'https://www.tiktok.com/zh-Hant-TW/notfound',
    'https://tiktok.onelink.me/abc',
    'https://apps.apple.com/us/app/tiktok/id835599320',
    'https://play.google.com/store/apps/details?id=com.zhiliaoapp.musically',
    'snssdk1233://aweme/detail/7300000000000000001',
  ]) {
    const { outcome, pages } = await follow(target);
    assert.equal(outcome.tag, 'blocked', target);
    assert.deepEqual(pages, []);
  }
});
test('the id of a video on any host of the platform is that video', async () => {
  for (const target of [
    `https://us.tiktok.com/@ann.example/video/${ID}`,
    `https://m.tiktok.com/v/${ID}.html?_r=1`,
    `https://t.tiktok.com/i18n/share/video/${ID}/`,
    `https://www.tiktok.com/login?redirect_url=${encodeURIComponent(`https://www.tiktok.com/@ann.example/video/${ID}`)}&lang=en`,
  ]) {
    const { outcome, pages } = await follow(target);
    assert.equal(outcome.tag, 'unreachable', `${target}: ${JSON.stringify(outcome)}`);
    assert.ok(
      pages.some((page) => page.includes(`/video/${ID}`)),
      target,
    );
  }
});
test('the front page and other things of the platform are no video; what is not known says nothing', async () => {
  for (const target of [
    'https://www.tiktok.com/?_r=1',
    'https://www.tiktok.com/@ann.example',
    'https://www.tiktok.com/music/song-123',
    'https://www.tiktok.com/share/user/123',
    'https://m.tiktok.com/h5/share/usr/123.html',
    'https://www.tiktok.com/view/product/123',
  ])
    assert.equal((await follow(target)).outcome.tag, 'absent', target);
  for (const target of ['https://somewhere.example/x', 'https://tiktok.com.evil.example/@ann/video/1'])
    assert.equal((await follow(target)).outcome.tag, 'changed', target);
});
