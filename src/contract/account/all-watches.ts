import type { Watch, Watches } from './watch-schemas.ts';

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

/** Watches with a date that lies ahead or is just over, the fewest days first. */
export const dueFirst = <W extends Pick<Watch, 'dueDate'>>(watches: readonly W[]): readonly W[] =>
  watches.filter(({ dueDate }) => dueDate !== null).sort((a, b) => Number(a.dueDate?.daysLeft) - Number(b.dueDate?.daysLeft));
