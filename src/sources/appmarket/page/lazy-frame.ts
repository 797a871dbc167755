import { type Answer, textOf } from '../../../upstream/answer.ts';
import { openPage } from './html-page.ts';
import { address, ORIGIN } from './links.ts';

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
export function readLazyFrame(answer: Answer, pageNumber: number): LazyFrame | null {
  const page = openPage(textOf(answer));
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
