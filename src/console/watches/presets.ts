import { isObject } from '../../contract/json-object.ts';
import { day, number, plural, short } from '../parts/format.ts';

/** What the answer says now, in words; null: nothing. `entries`: the chosen ones of the list. */
type Now = (answer: unknown, entries: readonly string[], value: number) => string | null;

/** A condition of a watch in words, and the fields that stand for it in the API. */
export interface Preset {
  readonly id: string;
  /** `{}` stands for the value. */
  readonly words: string;
  /** The same where no entry of the list is chosen. */
  readonly ofAny?: string;
  /** Fields; `@` stands for a chosen entry of the list. */
  readonly paths: readonly string[];
  /** What the value is: a threshold of the fields, or the days before a date. */
  readonly as?: 'least' | 'leastShare' | 'crosses' | 'due';
  readonly values?: readonly string[];
  /** Default: the first one. */
  readonly usual?: string;
  /** Ticked in a new watch. */
  readonly isUsual?: boolean;
  readonly now?: Now;
}
interface Entries {
  /** The list, and the field by which its entries are chosen. */
  readonly list: string;
  readonly field: string;
  /** What an entry is called. */
  readonly name: string;
  readonly whole: string;
}

const valueAt = (answer: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), answer);
const listIn = (answer: unknown, path: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = valueAt(answer, path);
  return Array.isArray(list) ? list.filter(isObject) : [];
};
const chosenIn = (answer: unknown, path: string, entries: readonly string[]) =>
  listIn(answer, path).filter((entry) => entries.some((one) => Object.values(entry).includes(one)));

const numberAt =
  (path: string): Now =>
  (answer) => {
    const value = valueAt(answer, path);
    return typeof value === 'number' ? `now ${value < 10_000 ? number(value) : short(value)}` : null;
  };
const textAt =
  (path: string): Now =>
  (answer) => {
    const value = valueAt(answer, path);
    return typeof value === 'string' ? `now ${value}` : null;
  };
const countOf =
  (path: string, one: string): Now =>
  (answer) =>
    Array.isArray(valueAt(answer, path))
      ? `now ${plural(listIn(answer, path).length || (valueAt(answer, path) as unknown[]).length, one)}`
      : null;

/** Places of a ranked list. */
const ranksOf = (list: string, rank: string): readonly [place: Now, first: Now] => {
  const ranks = (answer: unknown, entries: readonly string[]): readonly number[] =>
    chosenIn(answer, list, entries).flatMap((entry) => (typeof entry[rank] === 'number' ? [entry[rank]] : []));
  return [
    (answer, entries) => {
      if (entries.length === 0 || !isObject(answer)) return null;
      const found = ranks(answer, entries);
      return found.length > 0 ? `now ${found.join(' and ')}` : `now not in the first ${listIn(answer, list).length}`;
    },
    (answer, entries, most) => {
      if (entries.length === 0 || !isObject(answer)) return null;
      return ranks(answer, entries).some((one) => one <= most) ? 'now inside' : 'now outside';
    },
  ];
};
const [serpPlace, serpFirst] = ranksOf('organic', 'rank');
const [appPlace, appFirst] = ranksOf('apps', 'position');

const FIRST = ['3', '10', '20', '50', '100'];
const SHARES = ['5', '10', '20', '50'];
const rankPresets = (path: string, [place, first]: readonly [Now, Now]): readonly Preset[] => [
  {
    ...{ id: 'place', words: 'its place moves by {} or more', ofAny: 'a place moves by {} or more' },
    ...{ paths: [path], as: 'least', values: ['1', '2', '3', '5', '10'], usual: '2', isUsual: true, now: place },
  },
  {
    ...{ id: 'first', words: 'it leaves the first {}, or comes back', ofAny: 'one leaves or enters the first {}' },
    ...{ paths: [path], as: 'crosses', values: FIRST, usual: '10', isUsual: true, now: first },
  },
];
const views: Preset = {
  ...{ id: 'views', words: 'its views change by {} % or more', paths: ['metrics.views'], as: 'leastShare', values: SHARES, usual: '10' },
  now: numberAt('metrics.views'),
};
const changedText = (paths: readonly string[]): Preset => ({ id: 'text', words: 'its text changes', paths, isUsual: true });
const feed = (what: string, id: string, texts: readonly string[]): readonly Preset[] => [
  { id: 'new', words: `a new ${what} appears`, paths: [id], isUsual: true },
  { id: 'edited', words: `a ${what} that is known changes its text`, paths: texts },
];
const reviews = feed('review', 'reviews.reviewId', ['reviews.reviewContent', 'reviews.rating']);
const posts = feed('post', 'posts.postId', ['posts.title', 'posts.selftext']);

/** By operation; those that it states one by one follow in the dialog. */
export const PRESETS: Readonly<Record<string, readonly Preset[]>> = {
  serp: [
    ...rankPresets('organic@.rank', [serpPlace, serpFirst]),
    {
      ...{ id: 'cited', words: 'the AI overview starts or stops citing it', ofAny: 'the AI overview cites other pages' },
      paths: ['aiOverview.references@.url'],
      now: (answer, entries) => {
        if (!isObject(answer)) return null;
        if (!isObject(answer.aiOverview)) return 'none shown now';
        if (entries.length === 0) return countOf('aiOverview.references', 'page')(answer, entries, 0);
        return chosenIn(answer, 'aiOverview.references', entries).length > 0 ? 'now cited' : 'not cited now';
      },
    },
  ],
  'app-keywords': rankPresets('apps@.position', [appPlace, appFirst]),
  'appstore-category': rankPresets('apps@.position', [appPlace, appFirst]),
  app: [
    {
      id: 'price',
      words: 'a price changes',
      paths: ['pricing', 'pricings.price', 'pricings.period'],
      isUsual: true,
      now: countOf('pricings', 'plan'),
    },
    {
      id: 'rating',
      words: 'its rating changes by {} or more',
      paths: ['rating'],
      as: 'least',
      values: ['0.1', '0.2', '0.5'],
      isUsual: true,
      now: textAt('rating'),
    },
    {
      id: 'reviews',
      words: 'it has {} reviews more or fewer',
      paths: ['reviewCount'],
      as: 'least',
      values: ['1', '10', '50', '100'],
      usual: '10',
      now: numberAt('reviewCount'),
    },
  ],
  'app-reviews': reviews,
  'appstore-reviews': reviews,
  'app-developer': [
    { id: 'apps', words: 'an app comes or goes', paths: ['apps.handle'], isUsual: true, now: countOf('apps', 'app') },
    { id: 'price', words: 'the price of an app changes', paths: ['apps.pricing'], isUsual: true },
  ],
  'forum-community': posts,
  'forum-search': posts,
  'forum-comments': [
    { id: 'new', words: 'a comment comes or goes', paths: ['comments.commentId'], isUsual: true, now: countOf('comments', 'comment') },
    {
      id: 'score',
      words: 'the score of the post changes by {} % or more',
      paths: ['post.score'],
      as: 'leastShare',
      values: SHARES,
      usual: '10',
      now: numberAt('post.score'),
    },
  ],
  'short-video': [views, changedText(['description', 'hashtags'])],
  'microblog-post': [views, changedText(['text', 'links'])],
  traffic: [
    {
      id: 'visits',
      words: 'its visits change by {} % or more',
      paths: ['visits'],
      as: 'leastShare',
      values: SHARES,
      usual: '10',
      isUsual: true,
      now: numberAt('visits'),
    },
    { id: 'period', words: 'figures of another month are there', paths: ['period'], now: textAt('period') },
  ],
  registration: [
    {
      ...{ id: 'due', words: 'it expires in {} days, or that date moves', paths: ['expiresOn'], as: 'due', isUsual: true },
      values: ['30, 14, 7, 1', '60, 30, 14, 7, 1', '14, 7, 1', '7, 1', '1'],
      now: (answer) => {
        const date = valueAt(answer, 'expiresOn');
        return typeof date === 'string' ? `now ${day(date)}` : null;
      },
    },
    {
      ...{ id: 'available', words: 'it is taken, or becomes free', paths: ['available'], isUsual: true },
      now: (answer) => {
        const isFree = valueAt(answer, 'available');
        return typeof isFree === 'boolean' ? (isFree ? 'now free' : 'now taken') : null;
      },
    },
    {
      id: 'registrar',
      words: 'it moves to another registrar',
      paths: ['registrar.name', 'registrar.ianaId'],
      isUsual: true,
      now: textAt('registrar.name'),
    },
    { id: 'servers', words: 'its name servers change', paths: ['nameServers'], isUsual: true, now: countOf('nameServers', 'name server') },
    {
      id: 'status',
      words: 'it is locked or unlocked',
      paths: ['status'],
      now: (answer) =>
        ((valueAt(answer, 'status') ?? []) as readonly unknown[]).includes('clientTransferProhibited') ? 'now locked' : null,
    },
  ],
};

const SITES: Entries = { list: 'organic', field: 'domain', name: 'Site', whole: 'any site' };
const APPS: Entries = { list: 'apps', field: 'handle', name: 'App', whole: 'any app' };
/** Operations whose watch may be about one entry of a list. */
export const ENTRIES: Readonly<Record<string, Entries>> = { serp: SITES, 'app-keywords': APPS, 'appstore-category': APPS };

/** The entries of an answer to choose from, in its order. */
export const entriesIn = (answer: unknown, { list, field }: Entries): readonly string[] => [
  ...new Set(listIn(answer, list).flatMap((entry) => (typeof entry[field] === 'string' ? [entry[field]] : []))),
];
