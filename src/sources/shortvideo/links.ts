import type { ShortVideo } from '../../contract/operations/short-video/operation.ts';
import { isVideoHost, videoAddressOf, videoUrl } from '../../contract/parameters/video-url.ts';
import { absent, changed, finallyBlocked, type NotFound, type Outcome } from '../outcome.ts';
import { createAddressFinder, createAllowedAsk, type LinkRules } from '../short-link.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../source.ts';
import type { Verdict } from './page/parse.ts';
import { AMBIGUOUS_WORDS, evidence } from './status-codes.ts';

const inPage = parsersIn<typeof import('./page/parse.ts')>(new URL('./page/parse.ts', import.meta.url));
const inOembed = parsersIn<typeof import('./oembed/parse.ts')>(new URL('./oembed/parse.ts', import.meta.url));
const DEAD = evidence('short link dead');
const ELSEWHERE = evidence('short link elsewhere');
/** Pages for regions that the platform does not serve (yt-dlp#11303, and checkers of regions that look for this path). */
const REGION_PAGE = /^\/(?:[a-z]{2}(?:-[a-z]{2,4})?\/){0,2}(?:notfound|not-available|about\/unavailable)\b/i;
const APP_SHOP = /(?:^|\.)(?:onelink\.me|apps\.apple\.com|itunes\.apple\.com|play\.google\.com|apkpure\.com|galaxystore\.samsung\.com)$/i;
/** A profile or one of its lists, a sound, a tag, an effect, a live stream. */
const OTHER_THING =
  /^\/(?:[a-z]{2}(?:-[A-Za-z]{2})?\/)?(?:@[\w.-]+(?:\/(?:live|playlist|collection)\b.*)?|(?:music|tag|sticker|effect|discover|live|channel|place|question)\/.+)\/?$/;

function outcomeOfTarget({ protocol, hostname, pathname }: URL): NotFound | null {
  const detail = `led to ${protocol}//${hostname}${pathname.slice(0, 80)}`;
  if (!/^https?:$/.test(protocol) || APP_SHOP.test(hostname))
    return finallyBlocked('The platform leads this service to its app instead of to the video.', detail);
  if (!isVideoHost(hostname)) return changed('The short link leads to a host that is not of the platform.', detail);
  if (REGION_PAGE.test(pathname)) return finallyBlocked('The platform does not serve the region of this service.', detail);
  if (/^\/?$/.test(pathname)) return absent(DEAD, 'The short link leads to no video.', detail);
  return OTHER_THING.test(pathname) ? absent(ELSEWHERE, 'The short link leads to something that is no video.', detail) : null;
}
const LINKS: LinkRules = {
  mayVisit: isVideoHost,
  addressOf: videoAddressOf,
  pace: { key: 'short links of the short-video platform', everyMs: 500, burst: 4 },
  outcomeOf: outcomeOfTarget,
};
const mayFollow = (to: URL): boolean => isVideoHost(to.hostname);

async function askOembed(ports: Ports, url: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
  const reply = await ports.http.ask({
    url: `https://www.tiktok.com/oembed?url=${encodeURIComponent(url)}&format=json`,
    headers: { accept: 'application/json' },
    maxBytes: 1_000_000,
    redirects: 2,
    mayFollow,
    pace: { key: 'www.tiktok.com/oembed', everyMs: 500, burst: 4 },
    attempt,
  });
  return parse(ports, inOembed('readVideoOembed'), reply, { url }, attempt);
}

export function openOembed(ports: Ports): Asks {
  const find = createAddressFinder(ports, createAllowedAsk(ports), LINKS);
  return {
    async 'short-video'({ url }, attempt) {
      const named = await find(url, attempt);
      return named.tag === 'address' ? askOembed(ports, videoUrl(named.address.id, named.address.handle), attempt) : named;
    },
  };
}

export function openPage(ports: Ports): Asks {
  const ask = createAllowedAsk(ports);
  const find = createAddressFinder(ports, ask, LINKS);

  async function askPage(url: string, id: string, attempt: Attempt): Promise<Verdict> {
    const reply = await ask({
      url,
      headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' },
      // pages are 250 to 550 kB
      maxBytes: 4_000_000,
      redirects: 3,
      mayFollow,
      pace: { key: 'www.tiktok.com', everyMs: 1_000, burst: 3 },
      decodedByParser: true,
      attempt,
    });
    return parse(ports, inPage('judgeVideoPage'), reply, { id }, attempt);
  }

  async function confirmByOembed(url: string, detail: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
    const seen = await askOembed(ports, url, attempt);
    if (seen.tag === 'found')
      return finallyBlocked('The video exists, but the platform does not show it to this service.', `${detail}; oEmbed has it`);
    if (seen.tag === 'absent') return { ...seen, detail: `${detail}; oEmbed does not have it` };
    return { ...seen, what: `${AMBIGUOUS_WORDS} ${seen.what}`, detail: `${detail}; oEmbed: ${seen.detail ?? seen.tag}` };
  }

  return {
    async 'short-video'(input, attempt) {
      const named = await find(input.url, attempt);
      if (named.tag !== 'address') return named;
      const { id, handle } = named.address;
      const url = videoUrl(id, handle);
      const page = await askPage(url, id, attempt);
      if (page.tag === 'ambiguous') return confirmByOembed(url, page.detail, attempt);
      const isEmpty = (page.tag === 'blocked' && !page.final) || page.tag === 'changed';
      if (!isEmpty || attempt.signal.aborted) return page;
      const embed = await askPage(`https://www.tiktok.com/embed/v2/${id}`, id, attempt);
      // the failure of the main page is the more precise reason
      return embed.tag === 'found' ? embed : page;
    },
  };
}
