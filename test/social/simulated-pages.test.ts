// In the gate alone: it asks the simulated platforms for everything they have.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { POSTS } from '../../sandbox/microblog/facts.ts';
import { apiAnswer, embedAnswer, oembedAnswer, tombstone } from '../../sandbox/microblog/wire.ts';
import { type PageShape, SPECIAL_VIDEOS, VIDEOS } from '../../sandbox/shortvideo/facts.ts';
import { shortVideoSite } from '../../sandbox/shortvideo/host.ts';
import { embedPage, SPECIAL_PAGES, videoPage } from '../../sandbox/shortvideo/pages.ts';
import { haveRecordings, readRecording } from './recordings.ts';

type Named = readonly [name: string, mark: RegExp];

/** At least 90 % of the keys and markers that the parser reads occur both in the recordings and in the simulated page. */
function tied(kind: string, marks: readonly Named[], recorded: string, simulated: string): void {
  const lacking = marks
    .filter(([, mark]) => !mark.test(recorded) || !mark.test(simulated))
    .map(([name, mark]) => {
      return `${name} (${mark.test(recorded) ? '' : 'not recorded '}${mark.test(simulated) ? '' : 'not simulated'})`;
    });
  assert.ok(marks.length >= 3 && lacking.length <= marks.length * 0.1, `${kind}: ${lacking.join(', ')} of ${marks.length}`);
}
const keys = (...names: string[]): Named[] => names.map((n) => [n, new RegExp(`"${n}"\\s*:`)]);
const script = (id: string): Named => [
  `script ${id}`,
  new RegExp(`<script[^>]*id="${id}"[^>]*type="application/json"|<script[^>]*type="application/json"[^>]*id="${id}"`),
];
const ITEM = keys(
  ...'itemInfo itemStruct id desc createTime video cover originCover duration author uniqueId nickname avatarLarger avatarMedium avatarThumb verified'.split(
    ' ',
  ),
  ...'music title authorName challenges stats playCount diggCount commentCount shareCount collectCount textExtra hashtagName start end type'.split(
    ' ',
  ),
);
const pageOf = (shape: PageShape): string => {
  const video = VIDEOS.find((v) => v.shape === shape);
  assert.ok(video, shape);
  return videoPage(video, 0);
};
const rec = (file: string): string => readRecording('shortvideo', file);
const post = (file: string): string => readRecording('microblog', file);

test('each format of the simulated video page has the keys of its recording', (t) => {
  if (!haveRecordings(t)) return;
  const scopes = [script('__UNIVERSAL_DATA_FOR_REHYDRATION__'), ...keys('__DEFAULT_SCOPE__', 'webapp.app-context', 'statusCode')];
  const desktop = [...scopes, ...keys('webapp.video-detail', 'statusMsg', 'statsV2', 'locationCreated'), ...ITEM];
  tied('desktop', desktop, rec('page_2024-06_universal_videodetail.html'), pageOf('desktop'));
  const reflow = [...scopes, ...keys('webapp.reflow.video.detail', 'statusMessage', 'shareMeta', 'locationCreated'), ...ITEM];
  tied('reflow', reflow, rec('mobile_2026-02_reflow_video.html'), pageOf('reflow'));
  const picture = [...reflow, ...keys('imagePost', 'images', 'imageURL', 'urlList')];
  tied('reflow-photo', picture, rec('mobile_2026-03_reflow_photo.html'), pageOf('reflow-photo'));
  // there is no recording of this script: its item is that of the reflow page
  tied(
    'api-data',
    [...keys('statusMessage', 'shareMeta', 'locationCreated'), ...ITEM],
    rec('mobile_2026-02_reflow_video.html'),
    pageOf('api-data'),
  );
  tied(
    'desktop-photo',
    [...keys('imagePost', 'images', 'imageURL', 'urlList'), ...ITEM],
    rec('mobile_2026-03_reflow_photo.html'),
    pageOf('desktop-photo'),
  );
  const flat = [
    ...ITEM.filter(([n]) => !/itemInfo|itemStruct|uniqueId|avatar(Larger|Medium)|verified/.test(n)),
    ['author is a word', /"author"\s*:\s*"/] as const,
  ];
  tied('sigi', flat, rec('item_2023-10_sigi_itemmodule.json'), pageOf('sigi'));
  const first = ITEM.filter(([n]) => !/collectCount|challenges/.test(n) && !/hashtagName|start|end|type|textExtra/.test(n));
  tied(
    'next-item',
    [script('__NEXT_DATA__'), ...keys('props', 'pageProps'), ...first],
    rec('page_2020-10_nextdata_itemstruct.html'),
    pageOf('next-item'),
  );
  const data = keys(
    ...'videoData itemInfos id text createTime video videoMeta duration covers coversOrigin playCount diggCount commentCount shareCount'.split(
      ' ',
    ),
    ...'authorInfos uniqueId nickName verified musicInfos musicName authorName challengeInfoList challengeName textExtra HashtagName Start End Type'.split(
      ' ',
    ),
  );
  const old = rec('page_2020-09_nextdata_videodata.html');
  tied('next-data', [script('__NEXT_DATA__'), ...keys('props', 'pageProps'), ...data], old, pageOf('next-data'));
  const [video] = VIDEOS;
  assert.ok(video);
  tied('embed page', data, old, embedPage(video, 0));
});
test('simulated block pages and refusals match their recordings', (t) => {
  if (!haveRecordings(t)) return;
  const special = (id: string): string => SPECIAL_PAGES[id]?.html ?? '';
  const blockPages: Named[] = [
    ['bid', /"bid":\s*"slardar_us_waf"/],
    ['wait', /Please wait\.\.\./],
    ['wci', /<p id="wci" class="_wafchallengeid">/],
    ['script', /\/waf-aiso\//],
  ];
  tied('challenge', blockPages, rec('waf_challenge_trimmed.html'), special(SPECIAL_VIDEOS.challenge));
  const gone: Named[] = [
    script('__UNIVERSAL_DATA_FOR_REHYDRATION__'),
    ...keys('__DEFAULT_SCOPE__', 'webapp.video-detail', 'statusMsg'),
    ['10204', /"statusCode":10204/],
  ];
  tied('status 10204', gone, rec('page_2025-11_status10204.html'), special(SPECIAL_VIDEOS.ambiguousGone));
  const shell: Named[] = [
    script('api-domains'),
    ['doctype', /<!doctype html/i],
    ['no data', /^(?![\s\S]*__UNIVERSAL_DATA)/],
    ['scripts', /<script[^>]+src=/],
  ];
  tied('shell', shell, rec('shell_2026-03_nodata.html'), special(SPECIAL_VIDEOS.shell));
});
test('simulated embed answers match their recordings', async (t) => {
  if (!haveRecordings(t)) return;
  const [video] = VIDEOS;
  assert.ok(video);
  const url = new URL(`https://www.tiktok.com/oembed?url=https://www.tiktok.com/@_/video/${video.id}`);
  const answer = await shortVideoSite.answer({ method: 'GET', url, headers: {}, body: '', at: 0 });
  const marks: Named[] = [
    ...keys('title', 'author_url', 'author_name', 'author_unique_id', 'html', 'thumbnail_url', 'embed_product_id', 'embed_type'),
    ['id', /data-video-id=\\"\d+\\"/],
    ['tag', /href=\\"[^"]*\/tag\//],
    ['music', /href=\\"[^"]*\/music\/[^>]*>♬ /],
  ];
  tied('video oEmbed', marks, rec('oembed_2024-06.json'), String(answer.body));
  const [first] = POSTS;
  assert.ok(first);
  const own: Named[] = [
    ...keys('url', 'author_name', 'author_url', 'html'),
    ['paragraph', /[p]\s+lang=\\"\w+\\" dir=\\"ltr\\"/],
    ['pic', /pic\.twitter\.com/],
    ['t.co', /t\.co/],
  ];
  const photo = POSTS.find((p) => p.media.length === 1) ?? first;
  tied('post oEmbed', own, JSON.stringify(JSON.parse(post('oembed_2020-11_link_pic.json'))), JSON.stringify(oembedAnswer(photo)));
});
test('simulated posts have the keys of the recorded API and embed answers', (t) => {
  if (!haveRecordings(t)) return;
  const api = [
    'v2_2023-01_media.json',
    'v2_2023-01_verified_type.json',
    'v2_2021-05_retweet.json',
    'v2_2021-05_reply_parent_gone_errors.json',
  ]
    .map(post)
    .join('\n');
  const v2 = keys(
    ...'data includes errors users tweets media id text created_at author_id lang conversation_id public_metrics retweet_count reply_count'.split(
      ' ',
    ),
    ...'like_count quote_count impression_count entities urls url expanded_url display_url hashtags tag start end referenced_tweets attachments'.split(
      ' ',
    ),
    ...'media_keys media_key type variants content_type bit_rate preview_image_url name username profile_image_url verified verified_type'.split(
      ' ',
    ),
  );
  tied('API', v2, api, POSTS.map((p) => JSON.stringify(apiAnswer(p, true))).join('\n'));
  const embeds = [
    'synd_2024-08_3photos_7hashtags.json',
    'synd_2023-03_quote_hashtag.json',
    'synd_2026-02_video_abridged.json',
    'synd_2023-03_photo_link.json',
  ]
    .map(post)
    .join('\n');
  const s = keys(
    ...'__typename lang favorite_count created_at display_text_range entities hashtags urls media expanded_url display_url indices id_str text'.split(
      ' ',
    ),
    ...'user name screen_name profile_image_url_https is_blue_verified verified mediaDetails media_url_https type video_info variants bitrate'.split(
      ' ',
    ),
    ...'content_type conversation_count quoted_tweet'.split(' '),
  );
  tied('embed endpoint', s, embeds, POSTS.map((p) => JSON.stringify(embedAnswer(p))).join('\n'));
  tied(
    'tombstone',
    keys('__typename', 'tombstone', 'text', 'entities', 'rtl'),
    post('synd_tombstone_deleted.json'),
    JSON.stringify(tombstone('Gone.')),
  );
});
