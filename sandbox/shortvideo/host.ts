import { html, json, redirect, type SandboxArea, type SandboxHost, type SandboxRequest, type SandboxResponse } from '../host.ts';
import { coverOf, DEAD_CODE, PROFILE_CODE, SPECIAL_VIDEOS, VIDEOS, type VideoFact, videoById } from './facts.ts';
import { embedPage, SPECIAL_PAGES, shellPage, videoPage } from './pages.ts';

const SITE = 'https://www.tiktok.com';
const ROBOTS = ['User-agent: *', 'Disallow: /inapp', 'Disallow: /auth', 'Disallow: /search?', 'Allow: /', ''].join('\n');
const NOT_EMBEDDABLE = { code: 400, message: 'Something went wrong' };
const FALLBACK: VideoFact | undefined = VIDEOS[1];

function oembed(v: VideoFact, at: number): SandboxResponse {
  const link = `${SITE}/@${v.handle}/${v.pictures ? 'photo' : 'video'}/${v.id}`;
  const words = v.caption
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/#(\w+)/g, (_, tag: string) => {
      return `<a title="${tag.toLowerCase()}" target="_blank" href="${SITE}/tag/${tag.toLowerCase()}?refer=embed">#${tag}</a>`;
    });
  const sound = `♬ ${v.music.title} - ${v.music.authorName}`.replace(/&/g, '&amp;');
  return json({
    version: '1.0',
    type: 'video',
    title: v.caption,
    author_url: `${SITE}/@${v.handle}`,
    author_name: v.name,
    width: '100%',
    height: '100%',
    html: `<blockquote class="tiktok-embed" cite="${link}" data-video-id="${v.id}" data-embed-from="oembed" style="max-width:605px; min-width:325px;"> <section> <a target="_blank" title="@${v.handle}" href="${SITE}/@${v.handle}?refer=embed">@${v.handle}</a> <p>${words}</p> <a target="_blank" title="${sound}" href="${SITE}/music/x-250824169968246784?refer=embed">${sound}</a> </section> </blockquote> <script async src="${SITE}/embed.js"></script>`,
    thumbnail_width: 576,
    thumbnail_height: 1024,
    thumbnail_url: coverOf(v, at),
    provider_url: SITE,
    provider_name: 'TikTok',
    author_unique_id: v.handle,
    embed_product_id: v.id,
    embed_type: v.pictures ? 'photo' : 'video',
  });
}
function answerOembed(target: string, at: number): SandboxResponse {
  const id = /(\d{15,20})/.exec(target)?.[1] ?? '';
  const known = videoById(id);
  if (known) return oembed(known, at);
  if (id === SPECIAL_VIDEOS.ambiguousSilent) return json({}, 503);
  const isThere = id === SPECIAL_VIDEOS.ambiguousHidden || id === SPECIAL_VIDEOS.shell;
  return isThere && FALLBACK ? oembed({ ...FALLBACK, id }, at) : json(NOT_EMBEDDABLE, 400);
}

function answerVideo(id: string, at: number): SandboxResponse {
  const known = videoById(id);
  if (known) return html(videoPage(known, at));
  const special = SPECIAL_PAGES[id];
  if (special?.location) return redirect(special.location);
  // an unknown id gets the same response as a removed video
  return special ? html(special.html ?? '', special.status) : html(SPECIAL_PAGES[SPECIAL_VIDEOS.ambiguousGone]?.html ?? '');
}

/** The site: video pages by id (the handle is ignored), embed pages, oEmbed, short links of the form `/t/CODE`. */
function answerSite({ url, at }: SandboxRequest): SandboxResponse {
  const path = decodeURIComponent(url.pathname);
  if (path === '/robots.txt') return { status: 200, headers: { 'content-type': 'text/plain' }, body: ROBOTS };
  if (path === '/oembed') return answerOembed(url.searchParams.get('url') ?? '', at);
  if (path.startsWith('/t/')) return answerCode(path.slice(3));
  const embedded = /^\/embed\/v2\/(\d+)/.exec(path)?.[1];
  if (embedded) {
    const known = videoById(embedded);
    return html(known ? embedPage(known, at) : shellPage());
  }
  const id = /^\/@[\w.-]*\/video\/(\d{15,20})\/?$/.exec(path)?.[1] ?? /^\/v\/(\d{15,20})\.html$/.exec(path)?.[1];
  // the desktop page at /photo/ contains no item: clients must request /video/
  return id ? answerVideo(id, at) : html(shellPage());
}

/** Short links: one redirect from `vm.` and `/t/`, two from `vt.`. */
function answerCode(raw: string): SandboxResponse {
  const code = raw.replace(/\/$/, '');
  const v = VIDEOS.find((one) => one.code === code);
  if (code === PROFILE_CODE) return redirect(`${SITE}/@acmewidgets?_t=8x&_r=1`, 301);
  if (!v || code === DEAD_CODE) return redirect(`${SITE}/?_r=1`, 301);
  return redirect(`${SITE}/@${v.handle}/${v.pictures ? 'photo' : 'video'}/${v.id}?_r=1&_t=ZT-8x&is_from_webapp=1`, 301);
}
const answerShort = ({ url }: SandboxRequest): SandboxResponse => {
  if (url.pathname === '/robots.txt') return { status: 404, body: '' };
  const code = url.pathname.replace(/^\/(?:t\/)?/, '');
  return url.hostname === 'vt.tiktok.com' ? redirect(`https://vm.tiktok.com/${code}`, 301) : answerCode(code);
};

/** The simulated short-video platform. */
export const shortVideoSite: SandboxHost = { origins: [SITE, 'https://m.tiktok.com', 'https://tiktok.com'], answer: answerSite };
export const shortVideoLinks: SandboxHost = { origins: ['https://vm.tiktok.com', 'https://vt.tiktok.com'], answer: answerShort };
export const shortVideoArea: SandboxArea = { hosts: [shortVideoSite, shortVideoLinks] };
