import type { JsonObject } from '../../contract/json-object.ts';
import { objectOf, objectsOf, readable, urlIn, valueAt, wordsIn } from '../untyped-json.ts';
import { withoutTracking } from '../web-address.ts';

export interface Body {
  /** Null if the post's text, or the long form of it, has a form that is not known. */
  readonly text: string | null;
  /** The platform escapes `&`, `<` and `>` in short texts, but not in long ones. */
  readonly escaped: boolean;
  readonly links: ReadonlyMap<string, string>;
  readonly ownLinks: ReadonlySet<string>;
  /** `links`, if one has a form that is not known. */
  readonly unread: readonly string[];
  /** Whether the answer lists links: oEmbed does not. */
  readonly isListed: boolean;
}

/** White space before the end of a line, matched from its first character: a match attempt at every character would take quadratic time. */
const TRAILING_BLANKS = /(?<![^\S\n])[^\S\n]+$/gm;
export const OF_MEDIA = /^pic\.(?:twitter|x)\.com\//;
const ESCAPES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/**
 * By the `urls` lists. Links to media: of the v1 media list, with a `media_key` (API v2), or with the displayed URL of a picture. Videos may
 * have a button that leads to a page (`call_to_actions`, FxEmbed/FxEmbed#2408): that is a link of the post, too.
 */
export function linksOf(v1Media: readonly JsonObject[], ...lists: readonly unknown[]): Omit<Body, 'text' | 'escaped'> {
  const links = new Map<string, string>();
  const ownLinks = new Set<string>(v1Media.flatMap((m) => wordsIn(m.url) ?? []));
  for (const url of lists.flatMap(objectsOf)) {
    const short = wordsIn(url.url);
    if (!short) continue;
    if (url.media_key !== undefined || OF_MEDIA.test(String(url.display_url ?? ''))) ownLinks.add(short);
    else if (!links.has(short)) links.set(short, wordsIn(url.expanded_url) ?? short);
  }
  // a short link whose destination is not stated stays what it is
  const odd = [...links].filter(
    ([short, target]) => !/^https?:\/\//i.test(target) || !URL.canParse(target) || (target === short && WHOLE_SHORT_LINK.test(short)),
  );
  for (const [short] of odd) links.set(short, short);
  const actions = v1Media.map((m) => valueAt(m, 'additional_media_info', 'call_to_actions') ?? null).filter((action) => action !== null);
  const buttons = actions.flatMap((action) => Object.values(objectOf(action) ?? { action }));
  const targets = buttons.map((button) => urlIn([valueAt(button, 'url')]));
  for (const target of targets) if (target !== null) links.set(target, target);
  return { links, ownLinks, unread: targets.includes(null) || odd.length > 0 ? ['links'] : [], isListed: lists.length > 0 };
}

/** The text as displayed, NFC. Links are replaced by their text: offsets count code points of the text before decoding. */
export function readableText({ text, escaped, links, ownLinks }: Body): string | null {
  if (text === null) return null;
  const plain = escaped ? text.replace(/&(?:lt|gt|quot|amp|#39);/g, (e) => ESCAPES[e] ?? e) : text;
  const expanded = plain.replace(SHORT_LINK, (short) => (ownLinks.has(short) ? '' : (links.get(short) ?? short)));
  return readable(expanded).replace(TRAILING_BLANKS, '').trim();
}

/** Parameters of clicks: the platform's, and those of links to the platform itself. */
const CLICK = /^twclid$/i;
const OWN_CLICK = /^(?:s|t|ref_src|ref_url|cxt|twclid)$/;
/** Expanded links without duplicates, tracking parameters and the post's link to itself. */
export function linkTargets({ links, ownLinks }: Body, ownId: string): string[] {
  const out = new Set<string>();
  for (const [short, target] of links) {
    const url = ownLinks.has(short) ? null : URL.parse(target);
    if (!url) continue;
    const isOwn = /(?:^|\.)(?:x|twitter)\.com$/.test(url.hostname);
    if (isOwn && new RegExp(`/status/${ownId}(?:/|$)`).test(url.pathname)) continue;
    out.add(withoutTracking(target, isOwn ? OWN_CLICK : CLICK));
  }
  return [...out];
}

/**
 * Whether a text is the beginning of a longer one: it ends with "…" and a short link to the post itself, as old formats (`truncated`) and the
 * beginning of a long post have it.
 */
export const isBeginning = (text: unknown, { links }: Pick<Body, 'links'>, ownId: string, truncated: unknown): boolean => {
  if (truncated === true) return true;
  const [, short = ''] = (typeof text === 'string' && /…\s*(https?:\/\/t\.co\/\w+)\s*$/.exec(text)) || [];
  return new RegExp(`^https?://(?:\\w+\\.)?(?:x|twitter)\\.com/.+/status/${ownId}$`).test(links.get(short) ?? '');
};

/** What the platform makes a hashtag: with a letter, and behind no word and no `&`. */
const TAG = /(?<![\p{L}\p{M}\p{N}_&])[#＃][\p{L}\p{N}_]*\p{L}/gu;
/**
 * Whether a text has more hashtags than an answer that does not list them states: the platform leaves empty lists out, so without a list a
 * tag of the text is not known. Of a note without entities of its own, the tags of its beginning are known alone.
 */
export const lackedByText = (text: unknown, list: unknown, hashtags: readonly string[]): string[] =>
  !Array.isArray(list) && typeof text === 'string' && new Set(text.match(TAG)).size > hashtags.length ? ['hashtags'] : [];
const SHORT_LINK = /https?:\/\/t\.co\/\w+/g;
const WHOLE_SHORT_LINK = /^https?:\/\/t\.co\/\w+$/;
/** A short link in the text that no list of the answer explains stays as it is, and its target is not among the links. */
export const unreadOfLinks = ({ text, links, ownLinks, isListed }: Body): string[] =>
  isListed && text?.match(SHORT_LINK)?.some((short) => !links.has(short) && !ownLinks.has(short)) ? ['links'] : [];
