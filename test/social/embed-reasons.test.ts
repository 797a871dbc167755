/** Which page decides where the video's own page gives no reason, by the whole source. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings } from '../../src/settings.ts';
import { shortVideoPage } from '../../src/sources/shortvideo/page/source.ts';
import type { Ports } from '../../src/sources/source.ts';
import type { Reply } from '../../src/upstream/answer.ts';
import { createManualClock } from '../support/manual-clock.ts';

const ID = '7300000000000000001';
const SHELL = '<html><body><div id="app"></div><script src="a.js"></script></body></html>';
const stating = (statusCode: number, statusMsg: string): string =>
  `<html><body><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${JSON.stringify({
    __DEFAULT_SCOPE__: { 'webapp.video-detail': { statusCode, statusMsg } },
  })}</script></body></html>`;

async function tagOf(page: string, embed: string): Promise<string> {
  const reply = (status: number, body = ''): Reply => ({
    tag: 'answer',
    answer: { status, headers: {}, body: new TextEncoder().encode(body), url: '', atMs: 0 },
  });
  const ports = {
    settings: readSettings({}),
    clock: createManualClock(),
    http: {
      ask: async ({ url }: { url: string }) =>
        url.endsWith('/robots.txt') ? reply(404) : reply(200, url.includes('/embed/') ? embed : page),
    },
    whois: {},
    pace: { take: async () => 0, rest: async () => undefined, resting: async () => 0 },
    log: () => {},
  } as unknown as Ports; // a source asks no more of its ports
  const url = `https://www.tiktok.com/@ann.example/video/${ID}`;
  const outcome = await shortVideoPage.open(ports)['short-video']?.({ url }, { signal: new AbortController().signal, deadlineMs: 60_000 });
  return outcome?.tag === 'blocked' && outcome.final ? 'closed' : (outcome?.tag ?? 'none');
}

test('a reason that the embed page names outranks a page without one, and never one that the page names itself', async () => {
  for (const [embed, tag] of [
    [stating(10204, 'status_deleted'), 'absent'],
    [stating(10222, ''), 'absent'],
    [stating(10204, 'cross_border_violation'), 'closed'],
    [stating(10204, 'content_classification'), 'closed'],
    [stating(10204, "item doesn't exist"), 'blocked'],
    [stating(10204, 'something_new'), 'blocked'],
    [SHELL, 'blocked'],
  ] as const)
    assert.equal(await tagOf(SHELL, embed), tag, embed);
  assert.equal(await tagOf(stating(10204, 'status_reviewing'), stating(10204, 'status_deleted')), 'closed');
  assert.equal(await tagOf(stating(10204, 'something_new'), stating(10204, 'cross_border_violation')), 'closed');
});
