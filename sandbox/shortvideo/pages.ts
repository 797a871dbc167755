import { SPECIAL_VIDEOS, type VideoFact } from './facts.ts';
import { desktopItem, firstItem, mobileItem, moduleItem, videoData } from './item.ts';

/** JSON with slashes and tags escaped, as the platform embeds it into a page. */
const inPage = (json: unknown): string => JSON.stringify(json).replace(/\//g, '\\u002F').replace(/</g, '\\u003C');
const script = (id: string, json: unknown): string => `<script id="${id}" type="application/json">${inPage(json)}</script>`;
const page = (title: string, ...scripts: readonly string[]): string =>
  [
    '<!DOCTYPE html><html lang="en"><head><meta charset="UTF-8"/>',
    `<title>${title}</title>`,
    '<script type="application/json" id="script-manager">{"scripts":[]}</script>',
    script('api-domains', { rootApi: 'www.tiktok.com', kind: ['web'] }),
    script('slardar-config', { bid: 'tiktok_webapp' }),
    '<script src="https://lf16-tiktok-web.tiktokcdn-us.com/obj/app/webapp/main.js" defer></script>',
    '</head><body><div id="app"></div>',
    ...scripts,
    '</body></html>',
  ].join('\n');

const scopes = (own: Record<string, unknown>) => ({
  __DEFAULT_SCOPE__: {
    'webapp.app-context': { language: 'en', region: 'US', appId: 1988, user: {}, nonce: 'x' },
    'webapp.biz-context': { os: 'linux', isMobile: false },
    'webapp.i18n-translation': {},
    'seo.abtest': { canonical: 'https://www.tiktok.com/', pageId: '1' },
    ...own,
  },
});
const UNIVERSAL = '__UNIVERSAL_DATA_FOR_REHYDRATION__';
const universal = (own: Record<string, unknown>): string => page('TikTok - Make Your Day', script(UNIVERSAL, scopes(own)));
const detail = (itemStruct: unknown) => ({ itemInfo: { itemStruct }, shareMeta: { title: '', desc: '' }, statusCode: 0, statusMsg: '' });
const mobileDetail = (itemStruct: unknown) => ({
  statusCode: 0,
  statusMessage: '',
  itemInfo: { itemStruct },
  shareMeta: {},
  extra_info: {},
});
const failed = (statusCode: number, statusMsg: string): string => universal({ 'webapp.video-detail': { statusCode, statusMsg } });

/** The page of a video, in the page format that its facts name. */
export function videoPage(v: VideoFact, at: number): string {
  switch (v.shape) {
    case 'desktop':
    case 'desktop-photo':
      return universal({ 'webapp.video-detail': detail(desktopItem(v, at)) });
    case 'reflow':
    case 'reflow-photo':
      return universal({ 'webapp.reflow.video.detail': mobileDetail(mobileItem(v, at)) });
    case 'api-data':
    case 'api-data-photo':
      return page(
        'TikTok - Make Your Day',
        script(UNIVERSAL, scopes({})),
        `<script id="api-data" type="application/json">\n   ${inPage({ videoDetail: mobileDetail(mobileItem(v, at)), commentList: { comments: [] } })}</script>`,
      );
    case 'sigi':
      return page(
        'TikTok',
        script('SIGI_STATE', { AppContext: {}, ItemModule: { [v.id]: moduleItem(v, at) }, UserModule: {} }),
        '<script id="SIGI_RETRY" type="application/json">{}</script>',
      );
    case 'next-item':
      return page(
        'TikTok',
        script('__NEXT_DATA__', { props: { pageProps: { statusCode: 0, itemInfo: { itemStruct: firstItem(v, at) } } } }),
      );
    case 'next-data':
      return page('TikTok', script('__NEXT_DATA__', { props: { pageProps: { statusCode: 0, videoData: videoData(v, at, false) } } }));
    case 'embed-only':
      return shellPage();
  }
}
/** The embed page; it exists for every video. */
export const embedPage = (v: VideoFact, at: number): string =>
  page(
    'TikTok',
    script('__FRONTITY_CONNECT_STATE__', {
      source: { data: { [`/embed/v2/${v.id}`]: { isReady: true, videoData: videoData(v, at, true) } } },
    }),
  );

/** The application shell without any data. */
export const shellPage = (): string => page('TikTok');
const challengePage = (): string =>
  [
    '<!DOCTYPE html><html lang="en"><head>',
    '<script id="slardar-config" type="application/json">{"bid": "slardar_us_waf"}</script>',
    '</head><body>Please wait...<p id="wci" class="_wafchallengeid"></p><p id="cs" class="eyJ2Ijp7fX0="></p>',
    '<p id="rci" class="waforiginalreid"></p><script src="https://example.invalid/obj/waf-aiso/abc.js"></script></body></html>',
  ].join('');

/** Pages without a video, by their fixed ids: HTML, a status, or a redirect target. */
export const SPECIAL_PAGES: Readonly<Record<string, { html?: string; status?: number; location?: string }>> = {
  [SPECIAL_VIDEOS.deleted]: { html: failed(10217, 'item is deleted') },
  [SPECIAL_VIDEOS.private]: { html: failed(10216, 'item is private') },
  [SPECIAL_VIDEOS.privateAccount]: { html: failed(10222, 'author is secret') },
  [SPECIAL_VIDEOS.ambiguousGone]: { html: failed(10204, "item doesn't exist") },
  [SPECIAL_VIDEOS.ambiguousHidden]: { html: failed(10204, "item doesn't exist") },
  [SPECIAL_VIDEOS.ambiguousSilent]: { html: failed(10204, "item doesn't exist") },
  [SPECIAL_VIDEOS.ageRestricted]: {
    html: universal({
      'webapp.video-detail': detail({
        id: SPECIAL_VIDEOS.ageRestricted,
        desc: '',
        createTime: '1700000000',
        isContentClassified: true,
        author: { uniqueId: 'nightowl' },
        stats: {},
      }),
    }),
  },
  [SPECIAL_VIDEOS.region]: { html: failed(10231, 'region locked') },
  [SPECIAL_VIDEOS.shell]: { html: shellPage() },
  [SPECIAL_VIDEOS.challenge]: { html: challengePage() },
  [SPECIAL_VIDEOS.limited]: { html: '', status: 429 },
  [SPECIAL_VIDEOS.degraded]: { html: universal({}) },
  [SPECIAL_VIDEOS.login]: { location: '/login?redirect_url=%2Fvideo' },
  [SPECIAL_VIDEOS.transient]: { html: failed(100004, '') },
  [SPECIAL_VIDEOS.captcha]: { html: failed(10000, '') },
  [SPECIAL_VIDEOS.noAuthor]: { html: failed(10221, 'user not exist') },
};
