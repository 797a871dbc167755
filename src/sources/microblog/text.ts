import type { JsonObject } from '../untyped-json.ts';
import { objectsOf, wordsIn } from '../untyped-json.ts';

/** One link entity: the short URL in the text, and its target. */
export interface Link {
  readonly short: string;
  readonly target: string;
}
export interface Body {
  /** Null if the post's text, or the long form of it, has a form that is not known. */
  readonly text: string | null;
  /** The platform escapes `&`, `<` and `>` in short texts, but not in long ones. */
  readonly escaped: boolean;
  readonly links: readonly Link[];
  /** Short URLs of the post's own pictures and videos. */
  readonly media: ReadonlySet<string>;
}

/** White space before the end of a line, matched from its first character: a match attempt at every character would take quadratic time. */
export const TRAILING_BLANKS = /(?<![^\S\n])[^\S\n]+$/gm;
const SHORT_LINK = /https?:\/\/t\.co\/\w+/g;
const OF_MEDIA = /^pic\.(?:twitter|x)\.com\//;
const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }),
);

/** The text with the characters that the platform escapes decoded once. */
export const decodeEscapes = (text: string): string => text.replace(/&(?:lt|gt|quot|amp|#39);/g, (e) => ESCAPES.get(e) ?? e);

/** Link entities of one or more `urls` lists. Links to media are recognised by `media_key` (API v2) or by the displayed URL. */
export function linksOf(...lists: readonly unknown[]): { links: Link[]; media: Set<string> } {
  const links = new Map<string, Link>();
  const media = new Set<string>();
  for (const url of lists.flatMap((list) => objectsOf(list))) {
    const short = wordsIn(url.url);
    if (!short) continue;
    if (url.media_key !== undefined || OF_MEDIA.test(String(url.display_url ?? ''))) media.add(short);
    else if (!links.has(short)) links.set(short, { short, target: wordsIn(url.expanded_url) ?? short });
  }
  return { links: [...links.values()], media };
}

/** Short URLs of v1 media lists. */
export const mediaLinks = (media: readonly JsonObject[]): string[] => media.flatMap((m) => wordsIn(m.url) ?? []);

/**
 * The text as displayed: short links expanded, links to own media removed, characters decoded once, NFC. Leading mentions remain. Links are
 * replaced by their text, not by offsets: offsets count code points of the text before decoding.
 */
export function readableText(body: Body): string | null {
  if (body.text === null) return null;
  const targets = new Map(body.links.map((l) => [l.short, l.target]));
  const plain = body.escaped ? decodeEscapes(body.text) : body.text;
  return plain
    .replace(SHORT_LINK, (short) => (body.media.has(short) ? '' : (targets.get(short) ?? short)))
    .normalize('NFC')
    .replace(TRAILING_BLANKS, '')
    .trim();
}

const CLICK_PARAMETERS: ReadonlySet<string> = new Set(['s', 't', 'ref_src', 'ref_url', 'cxt']);
const TRACKING = /^(?:utm_\w+|gclid|gad_source|srsltid|msclkid|fbclid|twclid)$/i;
const isTracking = (name: string, isOwn: boolean): boolean => TRACKING.test(name) || (isOwn && CLICK_PARAMETERS.has(name));
/** Expanded links without duplicates, tracking parameters and the post's link to itself. */
export function linkTargets(body: Body, ownId: string): string[] {
  const out = new Set<string>();
  for (const { short, target } of body.links) {
    if (body.media.has(short) || !URL.canParse(target)) continue;
    const url = new URL(target);
    if (!/^https?:$/.test(url.protocol)) continue;
    const isOwn = /(?:^|\.)(?:x|twitter)\.com$/.test(url.hostname);
    if (isOwn && new RegExp(`/status/${ownId}(?:/|$)`).test(url.pathname)) continue;
    const tracked = [...url.searchParams.keys()].filter((name) => isTracking(name, isOwn));
    for (const name of tracked) url.searchParams.delete(name);
    out.add(tracked.length ? url.href : target);
  }
  return [...out];
}

/** Hashtags without #, in the author's case, without duplicates. */
export const tagsOf = (list: unknown): string[] => [
  ...new Set(objectsOf(list).flatMap((h) => (wordsIn(h.text ?? h.tag) ?? '').normalize('NFC') || [])),
];
