import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MicroblogPost } from '../../src/contract/operations/microblog-post/operation.ts';
import type { ShortVideo } from '../../src/contract/operations/short-video/operation.ts';
import { READERS } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { parseRelays } from '../../src/sources/relay/config.ts';
import { payloadOf } from '../../src/sources/relay/payload.ts';
import { readVideoPage } from '../../src/sources/shortvideo/page/parse.ts';
import { answerOf, type Case, haveRecordings, postCases, readRecording, recordingsOf, videoCases } from './recordings.ts';
import { check } from './simulated-sources.ts';

async function read(c: Case, body = c.wrap(c.json)): Promise<Outcome> {
  const reader = await READERS[c.reader]?.load();
  assert.ok(reader, c.reader);
  return reader(answerOf(body), { url: c.url });
}
const operationOf = (c: Case) => (c.reader.startsWith('shortvideo') ? 'short-video' : 'microblog-post');
const videoOf = async (name: string): Promise<ShortVideo> => {
  const c = videoCases().find((one) => one.name.startsWith(name));
  assert.ok(c, name);
  const outcome = await read(c);
  assert.ok(outcome.tag === 'found', name);
  return outcome.resource as ShortVideo;
};
const postOf = async (name: string): Promise<MicroblogPost> => {
  const c = postCases().find((one) => one.name.startsWith(name));
  assert.ok(c, name);
  const outcome = await read(c);
  assert.ok(outcome.tag === 'found', `${name} ${JSON.stringify(outcome)}`);
  return outcome.resource as MicroblogPost;
};

test('every recorded video is found and matches the schema', async (t) => {
  if (!haveRecordings(t)) return;
  const cases = videoCases();
  assert.ok(cases.length >= 12, `${cases.length} recordings`);
  for (const c of cases) {
    const outcome = await read(c);
    assert.ok(outcome.tag === 'found', `${c.name} ${JSON.stringify(outcome)}`);
    assert.equal(await check('short-video', outcome.resource), null, c.name);
  }
});
test('recorded pages without a video are neither found nor absent', (t) => {
  if (!haveRecordings(t)) return;
  const url = 'https://www.tiktok.com/@someone/video/7300000000000000001';
  for (const file of recordingsOf('shortvideo').filter((f) => /^(shell|waf|wrongtype)/.test(f))) {
    const body = readRecording('shortvideo', file);
    for (const status of [200, 403, 429]) {
      const outcome = readVideoPage(answerOf(body, { status, url }), { url });
      assert.match(outcome.tag, /^(blocked|changed|limited)$/, `${file} ${status}`);
    }
    assert.equal(file.startsWith('waf') ? readVideoPage(answerOf(body, { status: 429, url }), { url }).tag : 'blocked', 'blocked', file);
  }
  const ambiguous = readRecording('shortvideo', 'page_2025-11_status10204.html');
  assert.equal(readVideoPage(answerOf(ambiguous), { url }).tag, 'blocked');
});
test('recorded videos have exact counts, hashtags in the case of the caption, and picture posts without duration', async (t) => {
  if (!haveRecordings(t)) return;
  const page = await videoOf('page_2024-06');
  assert.deepEqual(page.hashtags, ['AplausoSanitario', 'QuédateEnCasa']);
  assert.equal(page.region, 'ES');
  const picture = await videoOf('mobile_2026-03');
  assert.equal(picture.durationMs, null);
  assert.match(picture.url ?? '', /\/photo\/\d+$/);
  assert.deepEqual(picture.metrics, { views: 1_700_000, likes: 86_500, comments: 262, shares: 17_200, saves: 49_505 });
});
test('every recorded post is found and matches the schema', async (t) => {
  if (!haveRecordings(t)) return;
  const gone = /tombstone|unavailable_suspended|error_400|abridged/;
  for (const c of postCases()) {
    const outcome = await read(c, c.wrap(c.json));
    if (gone.test(c.name)) {
      assert.notEqual(outcome.tag, 'found', c.name);
      continue;
    }
    assert.ok(outcome.tag === 'found', `${c.name} ${JSON.stringify(outcome)}`);
    assert.equal(await check(operationOf(c), outcome.resource), null, c.name);
  }
});
test('a repost has its own id and author, and the text of the original', async (t) => {
  if (!haveRecordings(t)) return;
  const repost = await postOf('v2_2021-05_retweet');
  assert.deepEqual([repost.text, repost.author.handle, repost.hashtags], ['#POIUYTREWQ', 'LachiVeronica', ['POIUYTREWQ']]);
  const views = await postOf('detail_retweet_views');
  assert.ok((views.metrics.views ?? 0) > 0);
  assert.doesNotMatch(views.text ?? '', /^RT @/);
});
test('long posts, edits and articles have their full text, links and case', async (t) => {
  if (!haveRecordings(t)) return;
  const note = await postOf('detail_note_5links');
  // one of its five links occurs both in the note and in the truncated text
  assert.equal(note.links.length, 4);
  for (const link of note.links) assert.ok(note.text?.includes(link), link);
  assert.ok([...(note.text ?? '')].length > 280);
  const article = await postOf('single_2026-06_article');
  assert.deepEqual([article.language, article.links], ['zxx', ['http://x.com/i/article/2055126803224883200']]);
  const edited = await postOf('single_2026-07_edited');
  assert.doesNotMatch(edited.text ?? '', /\/t\.co\/|&amp;/);
  const videos = await postOf('single_2026-06_three_videos');
  assert.deepEqual(
    videos.media.map((m) => /\.mp4/.test(m.url ?? '')),
    [true, true, true],
  );
});
test("a recording inside a provider's envelope is read through the JSON pointer", async (t) => {
  if (!haveRecordings(t)) return;
  const file = '{"relays":[{"name":"p","reader":"microblog/graphql","url":"https://p.example/{id}","pointer":"/result/raw"}]}';
  const [relay] = parseRelays(file, {});
  assert.ok(relay?.reading.by === 'reader');
  const c = postCases().find((one) => one.name.startsWith('single_2026-08_reply_gif'));
  assert.ok(c);
  const payload = payloadOf(relay.reading.pointer, JSON.stringify({ credits: 1, result: { raw: c.json } }));
  assert.deepEqual(await read(c, payload ?? ''), await read(c));
  assert.equal(payloadOf(relay.reading.pointer, '{"result":{}}'), null);
});
