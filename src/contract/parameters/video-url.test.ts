import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readVideoUrl, videoIdOf, videoUrlType } from './video-url.ts';

const ID = '7301234567890123456';
const NAMED = `https://www.tiktok.com/@acme.w-1/video/${ID}`;
const BARE = `https://www.tiktok.com/@_/video/${ID}`;

test('every URL form of a video that the platform uses is accepted and normalised', () => {
  const shapes: [string, string][] = [
    [NAMED, NAMED],
    [` https://WWW.TikTok.com/@acme.w-1/video/${ID}/?is_from_webapp=1&sender_device=pc#x `, NAMED],
    [`http://tiktok.com/@acme.w-1/photo/${ID}?_r=1`, NAMED],
    [`https://www.tiktok.com/%40acme.w-1/video/${ID}`, NAMED],
    [`https://www.tiktok.com/en/@acme.w-1/video/${ID}`, NAMED],
    [`https://m.tiktok.com/@/video/${ID}`, BARE],
    [`https://www.tiktok.com/@_/video/${ID}`, BARE],
    [`https://m.tiktok.com/v/${ID}.html?u_code=x`, BARE],
    [`https://m.tiktok.com/v/${ID}`, BARE],
    [`https://www.tiktok.com/video/${ID}`, BARE],
    [`https://www.tiktok.com/share/video/${ID}/`, BARE],
    [`https://www.tiktokv.com/share/video/${ID}/`, BARE],
    [`https://m.tiktokv.com/share/video/${ID}/`, BARE],
    ['https://pro.tiktok.com/t/ZG9js9GAC9k4A-fhmKc/', 'https://pro.tiktok.com/t/ZG9js9GAC9k4A-fhmKc/'],
    [`https://www.tiktok.com/embed/${ID}`, BARE],
    [`https://www.tiktok.com/embed/v2/${ID}?lang=en`, BARE],
    [`https://www.tiktok.com/player/v1/${ID}`, BARE],
    [`https://m.tiktok.com/foryou?item_id=${ID}`, BARE],
    [`https://www.tiktok.com/foryou?is_copy_url=1&is_from_webapp=v1&item_id=${ID}#/x`, BARE],
    [`https://www.tiktok.com/trending?lang=en&shareId=${ID}`, BARE],
    [`https://www.tiktok.com/@acme.w-1/video/is_copy_url=1&is_from_webapp=v1&item_id=${ID}`, NAMED],
    [`https://www.tiktok.com/login?lang=en&redirect_url=${encodeURIComponent(`${NAMED}?_r=1`)}&enter_method=mandatory`, NAMED],
    [`https://www.tiktok.com/login?redirect_url=/@acme.w-1/video/${ID}`, NAMED],
    ['https://vm.tiktok.com/ZMabc123/', 'https://vm.tiktok.com/ZMabc123/'],
    ['https://vt.tiktok.com/ZSabc?k=1', 'https://vt.tiktok.com/ZSabc/'],
    ['https://vm.tiktok.com/t/ZTabc1', 'https://vm.tiktok.com/t/ZTabc1/'],
    ['https://www.tiktok.com/t/ZTabc123/', 'https://www.tiktok.com/t/ZTabc123/'],
  ];
  for (const [given, value] of shapes)
    assert.deepEqual(
      [readVideoUrl(given), videoUrlType.read(given)],
      [
        { ok: true, value },
        { ok: true, value },
      ],
      given,
    );
});
test('a URL of anything but a video is refused', () => {
  const others = [
    '',
    'acme',
    ID,
    'https://www.tiktok.com/@acme',
    'https://www.tiktok.com/@acme/live',
    `https://www.tiktok.com/@acme/playlist/x-${ID}`,
    `https://www.tiktok.com/music/x-${ID}`,
    'https://www.tiktok.com/tag/x',
    'https://www.tiktok.com/discover/x',
    'https://www.tiktok.com/@acme/video/123',
    `https://www.tiktok.com/@acme?item_id=${ID}`,
    `https://vm.tiktok.com/${ID}`,
    'https://vm.tiktok.com/',
    `https://evil.example/@acme/video/${ID}`,
    `https://tiktokv.com.evil.example/share/video/${ID}`,
    `https://www.tiktok.com.evil.example/@acme/video/${ID}`,
    `https://www.tiktok.com:443/@acme/video/${ID}`,
    `https:///www.tiktok.com/@acme/video/${ID}`,
    `https://%77ww.tiktok.com/@acme/video/${ID}`,
    `https://user:pw@www.tiktok.com/@acme/video/${ID}`,
    `https://www.tiktok.com:8443/@acme/video/${ID}`,
    `ftp://www.tiktok.com/@acme/video/${ID}`,
    `https://vxtiktok.com/@acme/video/${ID}`,
    `https://www.tiktok.com/%ZZ@acme/video/${ID}`,
    `https://www.tiktok.com/@a b/video/${ID}`,
    `https://www.tiktok.com/@acme?shareId=${ID}`,
    'https://www.tiktok.com/login?redirect_url=https%3A%2F%2Fwww.tiktok.com%2F%40acme',
    `https://www.tiktok.com/login?redirect_url=${encodeURIComponent(`https://evil.example/@acme/video/${ID}`)}`,
  ];
  for (const given of others) assert.equal(readVideoUrl(given).ok, false, given);
});
test('the canonical URL is read as the same video, and any text is read without a throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
      const read = readVideoUrl(text);
      if (read.ok) assert.deepEqual(readVideoUrl(read.value), read);
    }),
  );
  const read = readVideoUrl(`https://m.tiktok.com/v/${ID}.html`);
  assert.equal(read.ok && videoIdOf(read.value), ID);
});
