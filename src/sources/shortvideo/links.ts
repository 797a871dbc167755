import { isVideoHost, videoAddressOf } from '../../contract/parameters/video-url.ts';
import { absent, changed, finallyBlocked, type NotFound } from '../outcome.ts';
import type { LinkRules } from '../short-link.ts';
import { evidence } from './status-codes.ts';

const DEAD = evidence('short link dead');
const ELSEWHERE = evidence('short link elsewhere');
/** Pages for regions that the platform does not serve (yt-dlp#11303, and checkers of regions that look for this path). */
const REGION_PAGE = /^\/(?:[a-z]{2}(?:-[a-z]{2,4}){0,2}\/){0,2}(?:notfound|not-available|about\/unavailable)\b/i;
const APP_SHOP = /(?:^|\.)(?:onelink\.me|apps\.apple\.com|itunes\.apple\.com|play\.google\.com|apkpure\.com|galaxystore\.samsung\.com)$/i;
/** A profile or one of its lists, a sound, a tag, an effect, a live stream, a product; also as the app shares them. */
const OTHER_THING =
  /^\/(?:[a-z]{2}(?:-[A-Za-z]{2})?\/)?(?:@[\w.-]+(?:\/(?:live|playlist|collection)\b.*)?|(?:music|tag|sticker|effect|discover|live|channel|place|question|view\/product|shop|(?:(?:i18n|h5)\/)?share\/(?:user|usr|music|tag|challenge|sticker|live))\/.+)\/?$/;

export const outcomeOfRegionPage = ({ pathname }: URL, detail: string): NotFound | null =>
  REGION_PAGE.test(pathname) ? finallyBlocked('The platform does not serve the region of this service.', detail) : null;

function outcomeOfTarget(target: URL): NotFound | null {
  const { protocol, hostname, pathname } = target;
  const detail = `led to ${protocol}//${hostname}${pathname.slice(0, 80)}`;
  if (!/^https?:$/.test(protocol) || APP_SHOP.test(hostname))
    return finallyBlocked('The platform leads this service to its app instead of to the video.', detail);
  if (!isVideoHost(hostname)) return changed('The short link leads to a host that is not of the platform.', detail);
  const region = outcomeOfRegionPage(target, detail);
  if (region) return region;
  if (/^\/?$/.test(pathname)) return absent(DEAD, 'The short link leads to no video.', detail);
  return OTHER_THING.test(pathname) ? absent(ELSEWHERE, 'The short link leads to something that is no video.', detail) : null;
}
/** Short links of the platform. */
export const LINKS: LinkRules = {
  mayVisit: isVideoHost,
  addressOf: videoAddressOf,
  pace: { key: 'short links of the short-video platform', everyMs: 500, burst: 4 },
  outcomeOf: outcomeOfTarget,
};
export const mayFollow = (to: URL): boolean => isVideoHost(to.hostname);
