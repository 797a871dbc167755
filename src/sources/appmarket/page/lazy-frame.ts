import { openPage } from './html-page.ts';
import { address, ORIGIN } from './links.ts';

const FRAME_TAG = /<turbo-frame\b[^<>]*>/gi;

export interface LazyFrame {
  /** Path and query of the content. */
  readonly path: string;
  /** For the header `turbo-frame`. */
  readonly id: string;
}

/**
 * The first `<turbo-frame>` of a page whose content has to be fetched from the marketplace; null if the page has none. `pageNumber` is put
 * into its address.
 */
export function lazyFrameOf(html: string, pageNumber: number): LazyFrame | null {
  const page = openPage(html);
  if (page === null) return null;
  for (const frame of page.all('frame', page.first('main') ?? undefined)) {
    const src = page.attribute(frame, 'src');
    const url = src === null ? null : address(src);
    if (!url || url.origin !== ORIGIN || page.first('card', frame)) continue;
    if (pageNumber > 1 || url.searchParams.has('page')) url.searchParams.set('page', String(pageNumber));
    return { path: url.pathname + url.search, id: page.attribute(frame, 'id') ?? 'frame' };
  }
  return null;
}

/** The page with `content` in place of its first lazy frame. */
export function withFrame(html: string, content: string): string {
  for (const { 0: tag, index } of html.matchAll(FRAME_TAG)) {
    if (!/\ssrc=/i.test(tag)) continue;
    const end = html.slice(index).search(/<\/turbo-frame\s*>/i);
    if (end < 0) return html;
    const after = html.indexOf('>', index + end) + 1;
    return html.slice(0, index) + content + html.slice(after);
  }
  return html;
}
