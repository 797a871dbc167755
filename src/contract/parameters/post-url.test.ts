import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { postUrlType, readPostUrl } from './post-url.ts';

const ID = '1801234567890123456';
const NAMED = `https://x.com/acme_w/status/${ID}`;
const BARE = `https://x.com/i/status/${ID}`;

test('every URL form of a post that the platform uses is accepted and normalised', () => {
  const shapes: [string, string][] = [
    [NAMED, NAMED],
    [`https://twitter.com/acme_w/status/${ID}?s=20&t=abc`, NAMED],
    [`http://www.twitter.com/acme_w/statuses/${ID}/`, NAMED],
    [`https://mobile.x.com/acme_w/status/${ID}/photo/1`, NAMED],
    [`https://m.twitter.com/acme_w/status/${ID}/retweets/with_comments`, NAMED],
    [`https://twitter.com/#!/acme_w/status/${ID}`, NAMED],
    [`https://x.com/i/status/${ID}`, BARE],
    [`https://x.com/i/web/status/${ID}`, BARE],
    [`https://twitter.com/statuses/${ID}`, BARE],
    [`https://twitter.com/intent/like?tweet_id=${ID}`, BARE],
    [`https://platform.twitter.com/embed/Tweet.html?dnt=false&id=${ID}`, BARE],
    [`https://publish.twitter.com/?url=${encodeURIComponent(NAMED)}`, NAMED],
    [`https://publish.x.com/?query=${encodeURIComponent(NAMED)}&widget=Tweet`, NAMED],
    [`https://twitter3e4tixl4xyajtrzo62zg5vztmjuricljdp2c5kshju4avyoid.onion/acme_w/status/${ID}`, NAMED],
    [`https://twitter.com/i/videos/tweet/${ID}?embed_source=facebook`, BARE],
    [`https://twitter.com/i/videos/${ID}`, BARE],
    [`https://twitter.com/i/cards/tfw/v1/${ID}?cardname=player&lang=en`, BARE],
    [`https://twitter.com/i/bookmarks?post_id=${ID}`, BARE],
    [`https://platform.twitter.com/embed/index.html?dnt=false&embedId=twitter-widget-0&id=${ID}&lang=en`, BARE],
    [`https://x.com/i/flow/login?redirect_after_login=%2Facme_w%2Fstatus%2F${ID}`, NAMED],
    [`https://twitter.com/login?lang=en&redirect_after_login=%2Facme_w%2Fstatus%2F${ID}%3Fs%3D20`, NAMED],
    [`https://x.com/i/jf/onboarding/web?redirect_after_login=/acme_w/status/${ID}&mode=login`, NAMED],
    ['https://x.com/jack/status/20', 'https://x.com/jack/status/20'],
    ['https://t.co/AbC123xyz0', 'https://t.co/AbC123xyz0'],
  ];
  for (const [given, value] of shapes)
    assert.deepEqual(
      [readPostUrl(given), postUrlType.read(given)],
      [
        { ok: true, value },
        { ok: true, value },
      ],
      given,
    );
});
test('a URL of anything but a post is refused', () => {
  const others = [
    '',
    ID,
    'https://x.com/acme_w',
    `https://x.com/i/spaces/${ID}`,
    `https://x.com/i/events/${ID}`,
    `https://x.com/i/lists/${ID}`,
    `https://x.com/i/article/${ID}`,
    'https://x.com/search?q=status',
    `https://x.com/acme_w/status/0${ID}`,
    'https://x.com/acme_w/status/abc',
    `https://x.com/acme_w/status/${ID}1234`,
    `https://evil.example/acme_w/status/${ID}`,
    `https://x.com.evil.example/acme_w/status/${ID}`,
    `https://x.com:443/acme_w/status/${ID}`,
    `https:///x.com/acme_w/status/${ID}`,
    `https://x%2Ecom/acme_w/status/${ID}`,
    `https://user@x.com/acme_w/status/${ID}`,
    `https://x.com:444/acme_w/status/${ID}`,
    `https://publish.twitter.com/?url=${encodeURIComponent(`https://evil.example/a/status/${ID}`)}`,
    'https://t.co/',
    'https://x.com/i/flow/login?redirect_after_login=%2Facme_w',
    `https://x.com/i/flow/login?redirect_after_login=%2F%2Fevil.example%2Facme_w%2Fstatus%2F${ID}`,
    `https://x.com/i/flow/login?redirect_after_login=https%3A%2F%2Fevil.example%2Facme_w%2Fstatus%2F${ID}`,
    `https://x.com/i/videos/list/${ID}`,
    'https://x.com/i/bookmarks',
  ];
  for (const given of others) assert.equal(readPostUrl(given).ok, false, given);
});
test('the canonical URL is read as the same post, and any text is read without a throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (text) => {
      const read = readPostUrl(text);
      if (read.ok) assert.deepEqual(readPostUrl(read.value), read);
    }),
  );
});
