import type { Call } from './call.ts';
import { SightlineError } from './error.ts';
import type { CallOptions, PageOptions } from './options.ts';

type Page = Readonly<Record<string, unknown>>;

export interface Paging {
  /** Field with the entries. */
  readonly items: string;
  readonly next: 'after' | 'page';
}

const isPage = (value: unknown): value is Page => typeof value === 'object' && value !== null;
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The cursor of the next page; null on the last one. */
export function cursorOf(page: Page, paging: Paging, current: string): string | null {
  if (paging.next === 'after') return page.hasMore === true ? textOrNull(page.after) : null;
  const { pagination } = page;
  if (!isPage(pagination) || pagination.hasNextPage !== true) return null;
  const stated = pagination.currentPage;
  return String((typeof stated === 'number' ? stated : Number(current)) + 1);
}

/** The entries of all pages, one by one. `limit`: how many at most. Throws CURSOR_REPEATED where the cursor does not move. */
export async function* entriesOf<T>(
  paging: Paging,
  first: string,
  limit: number,
  ask: (cursor: string) => Promise<unknown>,
): AsyncGenerator<T, void, undefined> {
  const seen = new Set([first]);
  let left = limit;
  for (let cursor = first; left > 0; ) {
    const page = await ask(cursor);
    if (!isPage(page)) return;
    const items = page[paging.items];
    for (const item of Array.isArray(items) ? (items as T[]) : []) {
      if (left-- <= 0) return;
      yield item;
    }
    const next = cursorOf(page, paging, cursor);
    if (next === null) return;
    if (seen.has(next)) throw new SightlineError('CURSOR_REPEATED', `The page after ${cursor || 'the first one'} is ${next} again.`);
    seen.add(next);
    cursor = next;
  }
}

/** A call for one page, or with `all` the entries of all pages. `limit` of the query is the size of a page. */
export type Paged<Q, Page, Entry> = ((query?: Q, options?: CallOptions) => Call<Page>) & {
  all(query?: Q, options?: PageOptions): AsyncGenerator<Entry, void, undefined>;
};

/** Adds the iteration over all pages to the call for one. */
export function paged<Q extends object, P, Entry>(paging: Paging, ask: (query?: Q, options?: CallOptions) => Call<P>): Paged<Q, P, Entry> {
  const { next } = paging;
  return Object.assign(ask, {
    all(query?: Q, { limit = Number.POSITIVE_INFINITY, ...options }: PageOptions = {}) {
      const given = (query as { readonly [Name in typeof next]?: unknown } | undefined)?.[next];
      const first = String(given ?? (next === 'page' ? 1 : ''));
      return entriesOf<Entry>(paging, first, limit, (cursor) => ask(cursor ? ({ ...query, [next]: cursor } as Q) : query, options));
    },
  });
}
