import type { Operation } from '../../contract/operations/index.ts';
import { plural } from '../parts/format.ts';

/** The lists that answers are about, and what an entry is called. Other lists are parts of an answer. */
const ENTRIES: Readonly<Record<string, string>> = { organic: 'result', apps: 'app', reviews: 'review', comments: 'comment', posts: 'post' };
/** An answer in two words, as `10 results` or `free`; null: it has no such words. */
export function briefOf({ rows }: Operation, resource: Readonly<Record<string, unknown>>): string | null {
  if (typeof resource.available === 'boolean') return resource.available ? 'free' : 'registered';
  const list = rows?.entries ?? '';
  const [entries, word] = [resource[list], ENTRIES[list]];
  return word !== undefined && Array.isArray(entries) ? plural(entries.length, word) : null;
}
