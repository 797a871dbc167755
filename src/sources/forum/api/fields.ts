import { instantOf, type JsonObject } from '../../untyped-json.ts';
import { asUri, parseUrl, withoutTracking } from '../../web-address.ts';

/** The platform opened in 2005; an earlier time is invalid. */
const FIRST_SECONDS = 1_104_537_600;
/** Epoch seconds as RFC 3339. (`created_utc`; `created` was shifted by hours before 2023.) */
export const secondsIn = (value: unknown): string | null =>
  typeof value === 'number' && value >= FIRST_SECONDS ? instantOf(value * 1000) : null;

export type Text = (value: unknown) => string | null;

const asSent: Text = (value) => (typeof value === 'string' ? value : null);
/** Without `raw_json=1` the platform escapes these three characters. */
const decoded: Text = (value) =>
  asSent(value)?.replace(/&(lt|gt|amp);/g, (_, name: string) => (name === 'lt' ? '<' : name === 'gt' ? '>' : '&')) ?? null;

/** Strings are escaped if the answer comes from the platform without `raw_json=1`; answers of data providers are left unchanged. */
export const textFor = (url: string): Text =>
  /^https?:\/\/([a-z]+\.)?reddit\.com\//i.test(url) && !/[?&]raw_json=1\b/.test(url) ? decoded : asSent;

/** Base-36 id of a thing, stated as `id` and in its full name (`t1_abc`); null if both are missing, or if they differ. */
export function idOf(data: JsonObject, kind: 't1' | 't3'): string | null {
  const named = bareOf(data.name, kind);
  if (typeof data.id !== 'string' || !/^[a-z0-9]{1,13}$/.test(data.id)) return named;
  return named === null || named === data.id ? data.id : null;
}
/** `t3_abc` → `abc`. */
export const bareOf = (name: unknown, kind: 't1' | 't3'): string | null =>
  typeof name === 'string' && name.startsWith(`${kind}_`) && /^[a-z0-9]{1,13}$/.test(name.slice(3)) ? name.slice(3) : null;

export const SITE = 'https://www.reddit.com';

const OWN_TRACKING = /^(share_id|rdt|ref|ref_source)$/i;
const OWN_HOST = /(^|\.)(reddit\.com|redd\.it)$/;
/** A path that is part of a URL as it is written. */
const PLAIN_PATH = /^\/[\w~.-][\w/~.-]*$/;

/** A valid absolute http(s) URI; a path is resolved against the platform's site. Null if the text is neither. */
export function addressOf(text: string | null): string | null {
  if (!text || !/^(https?:)?\/\/|^\//i.test(text)) return null;
  const whole = text.startsWith('//') ? `https:${text}` : text.startsWith('/') ? SITE + text : text;
  const url = parseUrl(whole);
  return url && asUri(withoutTracking(whole, OWN_HOST.test(url.hostname) ? OWN_TRACKING : undefined));
}

export const permalinkOf = (path: string | null): string | null =>
  path && PLAIN_PATH.test(path) ? SITE + path : addressOf(path?.replace(/^(\/(?!\/)[^?]*)\?.*$/s, '$1') ?? null);
