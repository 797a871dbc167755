import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '../../../upstream/answer.ts';
import { readVideoPage } from './parse.ts';

const ID = '7301234567890123456';
const url = `https://www.tiktok.com/@acme/video/${ID}`;
const read = (body: string, more: Partial<Answer> = {}) =>
  readVideoPage({ status: 200, headers: {}, body: new TextEncoder().encode(body), url, atMs: 0, ...more }, { url });
const item = (more: object = {}) => ({
  id: ID,
  desc: 'Neu #Käse &amp; #BROT',
  createTime: '1699951150',
  author: { uniqueId: 'acme', nickname: 'Acme', verified: false },
  stats: { playCount: 12, diggCount: '3', commentCount: -5, shareCount: 1, collectCount: '7' },
  video: { duration: 12, cover: 'https://p.example/c.jpeg' },
  textExtra: [
    { start: 4, end: 9, hashtagName: 'käse', type: 1 },
    { start: 0, end: 3, hashtagName: '', type: 0 },
  ],
  challenges: [{ title: 'brot' }],
  ...more,
});
const page = (id: string, json: unknown): string =>
  `<html><body><script id="${id}" type="application/json">${JSON.stringify(json)}</script></body></html>`;
const scope = (detail: unknown, name = 'webapp.video-detail'): string =>
  page('__UNIVERSAL_DATA_FOR_REHYDRATION__', { __DEFAULT_SCOPE__: { [name]: detail } });
const shown = (struct: object = {}, name?: string): string => scope({ statusCode: 0, itemInfo: { itemStruct: item(struct) } }, name);
function video(body: string) {
  const outcome = read(body);
  assert.ok(outcome.tag === 'found', JSON.stringify(outcome));
  return outcome.resource;
}

test('hashtags keep the case of the caption, text is not decoded twice, counts may be strings, a negative count is null', () => {
  const v = video(shown());
  assert.deepEqual(v.hashtags, ['Käse', 'BROT']);
  assert.equal(v.description, 'Neu #Käse &amp; #BROT');
  assert.deepEqual(v.metrics, { views: 12, likes: 3, comments: null, shares: 1, saves: 7 });
});
test('a counter that overflowed, or is written in another form, is unread; one of 0 or -1 states nothing', () => {
  const unreadOf = (commentCount: unknown) => {
    const outcome = read(shown({ stats: { playCount: 12, diggCount: 3, commentCount, shareCount: 1, collectCount: 7 } }));
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.metrics.comments, outcome.unread ?? []];
  };
  for (const stated of [-5, -2_147_480_000, '-5', '1.2M', 1.5, { value: 1 }])
    assert.deepEqual(unreadOf(stated), [null, ['metrics.comments']]);
  for (const nothing of [-1, '-1', null, '']) assert.deepEqual(unreadOf(nothing), [null, []]);
  assert.deepEqual(unreadOf(0), [0, []]);
});

test('paragraphs of a caption are separated by line feeds, whether listed or separated by U+2028', () => {
  const contents = [{ desc: 'Eins #a' }, { desc: '' }, { desc: 'Zwei' }];
  assert.equal(video(shown({ desc: 'Eins #a Zwei', contents })).description, 'Eins #a\n\nZwei');
  assert.equal(video(shown({ desc: 'Eins\u2028Zwei' })).description, 'Eins\nZwei');
  for (const none of [[], [{}], [{ desc: '' }], 'x', null])
    assert.equal(video(shown({ desc: 'Eins', contents: none })).description, 'Eins');
});
test('in the embed page a picture post has no length, though its data states the length of its sound', () => {
  const itemInfos = { id: ID, text: 'x', covers: ['https://p.example/c.jpeg'], playCount: 1, video: { videoMeta: { duration: 9 } } };
  const embed = (more: object) =>
    video(
      page('__FRONTITY_CONNECT_STATE__', {
        source: { data: { a: { videoData: { itemInfos, authorInfos: { uniqueId: 'acme' }, ...more } } } },
      }),
    );
  assert.deepEqual([embed({}).durationMs, embed({}).url], [9_000, `https://www.tiktok.com/@acme/video/${ID}`]);
  const picture = embed({ imagePostInfo: { images: [] } });
  assert.deepEqual([picture.durationMs, picture.url], [null, `https://www.tiktok.com/@acme/photo/${ID}`]);
});
test('a video that only signed-in visitors see is gated whether its object is missing or empty; an empty object alone states no video', () => {
  for (const video of [undefined, null, {}]) {
    const gated = read(shown({ video, isContentClassified: true }));
    assert.ok(gated.tag === 'blocked' && gated.final && /signed-in/.test(gated.what), JSON.stringify(gated));
    assert.equal(read(shown({ video })).tag, 'changed');
  }
  const pictures = { imagePost: { images: [] }, video: {} };
  assert.equal(read(shown({ ...pictures, isContentClassified: true })).tag, 'blocked');
  assert.equal(read(shown({ imagePost: { images: [{}] }, video: {} })).tag, 'found');
});
test("the platform's page for regions that it does not serve is no shell, with data or without", () => {
  for (const url of ['https://www.tiktok.com/hk/notfound', 'https://www.tiktok.com/in/about/unavailable'])
    for (const body of [scope({}, 'webapp.app-context'), '<html><div id="app"></div></html>']) {
      const outcome = read(body, { url });
      assert.ok(outcome.tag === 'blocked' && outcome.final && /region/.test(outcome.what), JSON.stringify(outcome));
    }
});
test('a length of more than a day is none, and unread; a length or time of 0 as text states nothing', () => {
  const lengthOf = (duration: unknown) => {
    const outcome = read(shown({ video: { duration, cover: 'https://p.example/c.jpeg' }, stats: { playCount: 1 } }));
    assert.ok(outcome.tag === 'found');
    return [outcome.resource.durationMs, outcome.unread ?? []];
  };
  assert.deepEqual(lengthOf(3_600), [3_600_000, []]);
  for (const odd of [1e21, '9007199254740993', 100_000]) assert.deepEqual(lengthOf(odd), [null, ['durationMs']]);
  for (const none of [0, '0', -1, '']) assert.deepEqual(lengthOf(none), [null, []]);
  const timeless = read(shown({ createTime: '0', stats: { playCount: 1 } }));
  assert.ok(timeless.tag === 'found' && timeless.resource.createdAt === null && timeless.unread === undefined);
});
test('a caption has line feeds alone, and half of a pair of surrogates is the replacement character', () => {
  assert.equal(video(shown({ desc: 'Eins\r\nZwei\rDrei' })).description, 'Eins\nZwei\nDrei');
  const cut = video(shown({ desc: '\u{1f600} \ud83d', author: { uniqueId: 'acme', nickname: '\udc00A' } }));
  assert.deepEqual([cut.description, cut.author.name], ['\u{1f600} \ufffd', '\ufffdA']);
});
test('without entities of the caption, its own hashtags complete those of the list of challenges', () => {
  const tags = (textExtra: unknown) => video(shown({ textExtra })).hashtags;
  for (const none of [undefined, null, []]) assert.deepEqual(tags(none), ['BROT', 'Käse']);
  assert.deepEqual(tags([{ hashtagName: 'brot', type: 1 }]), ['BROT']);
});
test('each exact count replaces the rounded one', () => {
  const v = video(shown({ statsV2: { playCount: '12345', collectCount: 'x' } }));
  assert.deepEqual([v.metrics.views, v.metrics.saves, v.metrics.likes], [12345, 7, 3]);
});
test('the video is found in every known location, and in a scope with an unknown name', () => {
  for (const name of ['webapp.video-detail', 'webapp.reflow.video.detail', 'webapp.new.video.thing'])
    assert.equal(video(shown({}, name)).videoId, ID);
  assert.equal(video(page('api-data', { videoDetail: { statusCode: 0, itemInfo: { itemStruct: item() } } })).videoId, ID);
  assert.equal(video(page('__NEXT_DATA__', { props: { pageProps: { itemInfo: { itemStruct: item() } } } })).videoId, ID);
  const module = { ItemModule: { [ID]: { ...item(), author: 'acme', nickname: 'Acme' } } };
  assert.equal(video(page('SIGI_STATE', module)).author.name, 'Acme');
  const assigned = `<script id="sigi-persisted-data">window['SIGI_STATE']=${JSON.stringify(module)};window['SIGI_RETRY']={"a":"}"};</script>`;
  assert.equal(video(assigned).videoId, ID);
  assert.equal(video(scope({ deeper: { still: [{ videoItem: item() }] } }, 'webapp.other')).videoId, ID);
});
test('an id in the form of a number keeps all digits', () => {
  assert.equal(video(shown().replace(`"id":"${ID}"`, `"id":${ID}`)).videoId, ID);
  assert.equal(read(shown().replace(`"id":"${ID}"`, `"id":${ID.slice(0, -1)}7`)).tag, 'changed');
});
test('JSON of a data provider is parsed without a page', () => {
  assert.equal(video(JSON.stringify({ itemInfo: { itemStruct: item() }, statusCode: 0 })).videoId, ID);
  assert.equal(video(JSON.stringify(item())).videoId, ID);
  const aweme = {
    aweme_id: ID,
    desc: '#Käse',
    create_time: 1699951150,
    region: 'DE',
    author: { unique_id: 'acme', nickname: 'Acme' },
    statistics: { play_count: 5, collect_count: 2 },
    video: { duration: 12345, cover: { url_list: ['https://p.example/c.jpeg'] } },
    text_extra: [{ hashtag_name: 'käse' }],
  };
  const v = video(JSON.stringify({ aweme_detail: aweme }));
  assert.deepEqual([v.durationMs, v.region, v.metrics.saves, v.hashtags], [12345, 'DE', 2, ['Käse']]);
});
test('picture posts have no duration and a /photo/ URL', () => {
  const v = video(shown({ imagePost: { images: [{ imageURL: { urlList: ['https://p.example/1.jpeg'] } }] }, video: { duration: 0 } }));
  assert.deepEqual([v.durationMs, v.url, v.coverUrl], [null, `https://www.tiktok.com/@acme/photo/${ID}`, 'https://p.example/1.jpeg']);
});
test('each status code has its outcome; a page alone never makes a removed or hidden video absent', () => {
  const codes: [number, string][] = [
    [10204, 'blocked'],
    [10216, 'absent'],
    [10217, 'absent'],
    [10222, 'absent'],
    [10221, 'absent'],
    [10202, 'absent'],
    [10231, 'blocked'],
    [10219, 'blocked'],
    [10201, 'refused'],
    [10000, 'blocked'],
    [10102, 'blocked'],
    [100004, 'unreachable'],
    [10999, 'changed'],
  ]; // prettier-ignore
  for (const [code, tag] of codes) assert.equal(read(scope({ statusCode: code, statusMsg: '' })).tag, tag, String(code));
  const gated = read(shown({ video: undefined, isContentClassified: true }));
  assert.ok(gated.tag === 'blocked' && gated.final && /signed-in/.test(gated.what));
});
test('the reason beside a status code is read, under every code; only a sentence without a reason leaves it to oEmbed', () => {
  const reasons: [string, string, RegExp][] = [
    ['status_deleted', 'absent', /deleted/],
    ['author_status,status_deleted,copyright_geo_filter', 'absent', /deleted/],
    ['status_self_see', 'absent', /private/],
    ['status_self_see,content_classification', 'absent', /private/],
    ['author_status,status_reviewing', 'blocked', /review/],
    ['status_audit_not_pass', 'blocked', /review/],
    ['content_classification', 'blocked', /age gate/],
    ['person_geo_fencing', 'blocked', /region/],
    ['copyright_geo_filter', 'blocked', /copyright/],
    ['cross_border_violation', 'blocked', /region/],
    ['cross_border_violation_ur', 'blocked', /region/],
    ['item_privacy_authorization&status_deleted', 'absent', /deleted/],
    ['author_level_ban&status_audit_self_see', 'blocked', /review/],
    ['status_under_review', 'blocked', /review/],
    ['item is storypost', 'blocked', /story/],
    ['content_classification_18', 'blocked', /age gate/],
    ['This video is age-restricted', 'blocked', /age gate/],
    ['Video is under review', 'blocked', /review/],
    ['music_copyright', 'blocked', /copyright/],
    ["This video isn't available in your country or region", 'blocked', /region/],
    ['not_available_in_your_region', 'blocked', /region/],
    ['status_age_restricted', 'blocked', /age gate/],
    ['item is geo fenced', 'blocked', /region/],
    ['video_geo_blocked', 'blocked', /region/],
    ['item deleted', 'absent', /deleted/],
    ['video_under_review', 'blocked', /review/],
    ['STATUS_DELETED', 'absent', /deleted/],
    ['status_something_new', 'changed', /not known/],
  ];
  for (const code of [10204, 10999])
    for (const [statusMsg, tag, words] of reasons) {
      const outcome = read(scope({ statusCode: code, statusMsg }));
      assert.ok(
        outcome.tag === tag && outcome.tag !== 'found' && words.test(outcome.what),
        `${code} ${statusMsg}: ${JSON.stringify(outcome)}`,
      );
      if (tag === 'blocked') assert.ok('final' in outcome && outcome.final, statusMsg);
    }
  for (const plain of ['', "item doesn't exist", 'item is not exist', 'Video currently unavailable'])
    assert.match(JSON.stringify(read(scope({ statusCode: 10204, statusMsg: plain }))), /not which of the two/, plain);
});
test('words of a failure of the platform, and of an id that it does not accept, are no reason of the video', () => {
  for (const [statusMsg, tag] of [
    ['ErrSysPanic', 'unreachable'],
    ['RPCError: get item', 'unreachable'],
    ['invalid item id', 'refused'],
  ])
    for (const statusCode of [10101, 10204, 100_002])
      assert.equal(read(scope({ statusCode, statusMsg })).tag, tag, `${statusCode} ${statusMsg}`);
});
test('the reason is read in every field that states one, of the page and of the app', () => {
  for (const detail of [
    { statusCode: 10204, statusMsg: '', statusMessage: 'status_deleted' },
    { statusCode: '10204', statusMessage: 'status_deleted' },
    { status_code: 10204, status_msg: 'status_deleted' },
  ])
    assert.equal(read(scope(detail)).tag, 'absent', JSON.stringify(detail));
  assert.equal(read(JSON.stringify({ status_code: 10204, status_msg: 'person_geo_fencing' })).tag, 'blocked');
});
test('block pages take precedence over the HTTP status', () => {
  const challenge =
    '<html><script id="slardar-config">{"bid":"slardar_us_waf"}</script>Please wait...<p id="wci" class="_wafchallengeid"></p></html>';
  for (const status of [200, 403, 404, 429, 503]) assert.equal(read(challenge, { status }).tag, 'blocked');
  assert.equal(read('<html><div id="app"></div><script src="a.js"></script></html>', { status: 429 }).tag, 'blocked');
  assert.equal(read(shown(), { url: 'https://www.tiktok.com/login?redirect_url=x' }).tag, 'blocked');
  assert.equal(read(shown(), { headers: { 'x-vc-bdturing-parameters': 'x' } }).tag, 'blocked');
  for (const [status, tag] of [
    [429, 'limited'],
    [403, 'blocked'],
    [404, 'changed'],
    [451, 'changed'],
    [400, 'refused'],
    [502, 'unreachable'],
  ] as const) {
    assert.equal(read('', { status }).tag, tag);
  }
  assert.equal(read('').tag, 'blocked');
  assert.equal(read(shown({ id: '7301234567890120000' })).tag, 'changed');
});
