import { SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';
import { type AppFacts, appOf, reviewCountOf } from './apps.ts';

export interface ReviewFacts {
  readonly id: string;
  readonly stars: number;
  /** `YYYY-MM-DD`; the date of the edit if edited. */
  readonly day: string;
  readonly isEdited: boolean;
  readonly reviewer: string;
  readonly country: string | null;
  readonly tenure: string | null;
  /** Empty: a rating without text. A line break within a paragraph is `\n`. */
  readonly paragraphs: readonly string[];
  readonly reply: { readonly day: string; readonly text: string } | null;
}

const SHOPS = [
  'Loom & Thread',
  'Café Zoë',
  'The "Good" Shop',
  'Bark <Side>',
  'FERAL',
  'Mugs & More',
  '日本茶店',
  'Olive’s',
  'Sole Mates',
  'Nordlys',
];
const COUNTRIES = ['United States', 'Canada', 'Colombia', 'Germany', 'United Kingdom', 'Japan', 'Spain'];
const TENURES = ['About 2 months', '12 months', 'Almost 5 years', 'Over 2 years', '9 days', '23 minutes'];
const WORDS = [
  'Does what it says.',
  'Set up in a minute & never looked back.',
  'Support <b>answered</b> at once.',
  'It broke our theme — twice.',
  'Worth the money.',
];

const ordinal = (stars: AppFacts['stars'], i: number): number => {
  let left = i;
  for (const [row, count] of stars.entries()) {
    if (left < count) return 5 - row;
    left -= count;
  }
  return 5;
};

/** Review number i in order of creation, from 0. `total`: the number of reviews on day 0; each later review was written on a day of its own. */
function makeReview(app: AppFacts, i: number, total: number): ReviewFacts {
  const r = random(`review ${app.handle} ${i}`);
  const at = SANDBOX_NOW - (total - i) * 86_400_000;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const said = r.chance(0.4) ? [] : Array.from({ length: r.int(1, 3) }, () => r.pick(WORDS) + (r.chance(0.2) ? `\n${r.pick(WORDS)}` : ''));
  return {
    id: String(1_000_000 + app.handle.length * 1000 + i),
    // a fixed permutation, so that the ratings on a page differ; 7919 is a prime, so every index occurs once
    stars: i < total ? ordinal(app.stars, (i * 7919) % total) : 5,
    day: day(at),
    isEdited: r.chance(0.1),
    reviewer: `${r.pick(SHOPS)} ${i}`,
    country: r.chance(0.05) ? null : r.pick(COUNTRIES),
    tenure: r.chance(0.05) ? null : `${r.pick(TENURES)} using the app`,
    paragraphs: said,
    reply: r.chance(0.3) ? { day: day(at + 86_400_000), text: 'Thank you! 5 out of 5 stars to you. 9 years using the app' } : null,
  };
}

const made = new Map<string, ReviewFacts[]>();
/** All reviews of an app, newest first. */
export function reviewsOf(app: AppFacts): readonly ReviewFacts[] {
  const first = appOf(app.handle) ?? app;
  const total = reviewCountOf(first);
  const known = made.get(app.handle) ?? Array.from({ length: total }, (_, i) => makeReview(first, total - 1 - i, total));
  made.set(app.handle, known);
  const count = reviewCountOf(app);
  return [...Array.from({ length: count - total }, (_, i) => makeReview(first, count - 1 - i, total)), ...known];
}
/** One page in the requested order: newest first, or reviews with text first. */
export function reviewPageOf(app: AppFacts, page: number, sort: string): readonly ReviewFacts[] {
  const all = reviewsOf(app);
  const ordered = sort === 'newest' ? all : [...all].sort((a, b) => b.paragraphs.length - a.paragraphs.length);
  return ordered.slice((page - 1) * 10, page * 10);
}
