import type { Watches } from './watch-schemas.ts';

/** Every page of the list of watches as one. */
export async function allWatches(
  list: (page: { readonly limit: number; readonly after?: number }) => PromiseLike<Watches>,
): Promise<Watches> {
  const page = await list({ limit: 1000 });
  const watches = [...page.watches];
  for (let { after, hasMore } = page; hasMore; ) {
    const next = await list({ limit: 1000, after: Number(after) });
    watches.push(...next.watches);
    ({ after, hasMore } = next);
  }
  return { ...page, watches };
}
