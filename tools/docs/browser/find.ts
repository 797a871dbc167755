/** Find of the docs: one index over guides, reference and what the console does, searched in the browser. It knows no DOM. */

/** `project`: a page about the project itself, which few searches are for. */
export type Kind = 'guide' | 'project' | 'endpoint' | 'field' | 'parameter' | 'header' | 'error' | 'act';
/** `to`: address from the top of the site. */
export type Entry = readonly [kind: Kind, title: string, place: string, to: string, text: string];
export interface Find {
  readonly entries: readonly Entry[];
  readonly guides: readonly (readonly [name: string, to: string])[];
}

const GROUPS = ['Guides', 'Reference', 'Do'] as const;
export type Group = (typeof GROUPS)[number];
const groupOf = (kind: Kind): Group => (kind === 'guide' || kind === 'project' ? 'Guides' : kind === 'act' ? 'Do' : 'Reference');

/** Other words for what the docs call by a name of their own. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  tiktok: ['shortvideo', 'video'],
  twitter: ['x', 'microblog'],
  tweet: ['microblog', 'post'],
  reddit: ['forum'],
  subreddit: ['community', 'forum'],
  shopify: ['appmarket', 'app'],
  whois: ['registration', 'rdap'],
  google: ['serp', 'searchengine'],
  bing: ['serp', 'searchengine'],
  csv: ['bulk', 'file'],
  excel: ['csv', 'bulk'],
  webhook: ['notify', 'watch'],
  slack: ['notify', 'target', 'webhook'],
  teams: ['notify', 'target'],
  discord: ['notify', 'target'],
  email: ['mail', 'notify'],
  docker: ['image', 'container', 'compose'],
  kubernetes: ['fleet', 'scaling'],
  price: ['credit', 'cost'],
  cost: ['credit', 'price'],
  money: ['credit'],
  token: ['key', 'oauth'],
  login: ['sign', 'session'],
  password: ['key', 'sign'],
  https: ['tls', 'proxy'],
  ssl: ['tls', 'proxy'],
  backup: ['back', 'restore'],
  move: ['back', 'restore'],
  uninstall: ['purge'],
  track: ['watch'],
  upgrade: ['update', 'version'],
  throttle: ['rate', 'limit'],
  ranking: ['rank', 'serp'],
  agent: ['mcp'],
  claude: ['mcp', 'agent'],
  chatgpt: ['mcp', 'agent'],
  cron: ['schedule', 'every', 'watch'],
  alert: ['watch', 'notify'],
  visits: ['traffic'],
  visitors: ['traffic', 'visits'],
  empty: ['null'],
  missing: ['null', 'unread'],
  remind: ['due', 'tell', 'notify'],
  domain: ['registration'],
  keyword: ['serp'],
  older: ['age', 'fresh', 'stale'],
  expire: ['due', 'expiry'],
  expiry: ['due', 'expires'],
  refund: ['charge', 'release'],
  signature: ['sign', 'secret'],
  null: ['unread'],
};

/** Words of a search that say nothing about what is sought. */
const STOP = new Set(
  'a about after an and any are as at be been before behind by can cannot do does for from get has have how i if in instead into is it its many me mean means much my need not of on one or our shall should so that the their them there these they this to up use was we what when where which who whom why will with you your'.split(
    ' ',
  ),
);

/** Words that are one for the search: `expires`, `expired` and `expire`. */
const stem = (word: string): string => {
  if (word.length < 4 || /\d/.test(word)) return word;
  const single = word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|s)$/, '');
  const stemmed = single.length >= 3 ? single : word;
  return stemmed.length > 3 ? stemmed.replace(/e$/, '').replace(/([^aeiouls])\1$/, '$1') : stemmed;
};

/** The parts of each word that was read: texts repeat their words. */
const partsOf = new Map<string, readonly string[]>();
const readParts = (word: string): readonly string[] => {
  const whole = word.toLowerCase();
  const parts = word
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  return parts.length > 1 ? [whole, ...parts] : [whole];
};

/** The words of a text, whole and in their parts: `UPSTREAM_BLOCKED`, `expiresOn` and `organic.rank` are found by each part. */
export const wordsOf = (text: string): readonly string[] =>
  (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = partsOf.get(word) ?? readParts(word);
    partsOf.set(word, parts);
    return parts;
  });

/** The place of a stem in an entry, and the weight of that place. */
interface Posting {
  readonly at: number;
  readonly weight: number;
}
export interface Index {
  readonly find: Find;
  /** The entries that have a stem. */
  readonly postings: ReadonlyMap<string, readonly Posting[]>;
  /** How often a word stands in the index. */
  readonly words: ReadonlyMap<string, number>;
}

const WEIGHT = { title: 10, place: 5, text: 3, synonym: 0.6, beginning: 0.7, project: 0.3 } as const;
/** The constants of BM25: how soon a repeated word adds nothing (k1), and how much the length of a text counts (b). */
const [SATURATION, LENGTH] = [1.2, 0.75] as const;
/** Entries of one step: a step is short on a slow machine, too. */
const STEP = 40;

/** Reads the index in steps, so that a browser can draw between them. */
export function* indexing(find: Find): Generator<undefined, Index> {
  const words = new Map<string, number>();
  const stems = new Map<string, string>();
  const postings = new Map<string, Posting[]>();
  const countsOf = (text: string): Map<string, number> => {
    const counts = new Map<string, number>();
    for (const word of wordsOf(text)) {
      words.set(word, (words.get(word) ?? 0) + 1);
      const own = stems.get(word) ?? stem(word);
      stems.set(word, own);
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    return counts;
  };
  const mean = find.entries.reduce((sum, [, , , , text]) => sum + text.length, 0) / find.entries.length;
  for (const [at, [kind, title, place, to, text]] of find.entries.entries()) {
    if (at % STEP === STEP - 1) yield;
    const weights = new Map<string, number>();
    const add = (own: string, weight: number) =>
      weights.set(own, (weights.get(own) ?? 0) + weight * (kind === 'project' ? WEIGHT.project : 1));
    const titled = countsOf(title);
    // a short title that equals the query is better than a long one that contains it
    for (const own of titled.keys()) add(own, WEIGHT.title / (1 + titled.size / 20));
    // the name of a page is as good as its title
    for (const own of countsOf(place).keys()) add(own, to.includes('#') ? WEIGHT.place : WEIGHT.title);
    const length = 1 - LENGTH + (LENGTH * text.length) / mean;
    for (const [own, count] of countsOf(text)) add(own, (WEIGHT.text * count * (SATURATION + 1)) / (count + SATURATION * length));
    for (const [own, weight] of weights) {
      const before = postings.get(own);
      if (before) before.push({ at, weight });
      else postings.set(own, [{ at, weight }]);
    }
  }
  return { find, postings, words };
}

/** The index at once. */
export function indexOf(find: Find): Index {
  const steps = indexing(find);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** How well each entry fits one word of a query: the word, words that begin with it, words for the same. */
function fitsOf({ postings }: Index, term: string, isLast: boolean): ReadonlyMap<number, number> {
  const own = stem(term);
  const stems = new Map([[own, 1]]);
  for (const other of SYNONYMS[term] ?? SYNONYMS[own] ?? []) stems.set(stem(other), WEIGHT.synonym);
  // the last word may not be typed to its end
  if (own.length >= (isLast ? 2 : 4))
    for (const other of postings.keys()) if (other.startsWith(own) && !stems.has(other)) stems.set(other, WEIGHT.beginning);
  const fits = new Map<number, number>();
  for (const [each, factor] of stems)
    for (const { at, weight } of postings.get(each) ?? []) fits.set(at, Math.max(fits.get(at) ?? 0, weight * factor));
  return fits;
}

export interface Result {
  readonly groups: readonly { readonly name: Group; readonly entries: readonly Entry[] }[];
  readonly count: number;
  /** Words of the query, as they are marked. */
  readonly terms: readonly string[];
  /** Words of the docs that look like the words of a query, to offer where nothing was found. */
  readonly nearest: readonly string[];
}

/** Share of the best entry's score that an entry needs to be shown. */
const LEAST_COVERAGE = 0.7;

/** The entries that match a query, the best first in each group. */
export function search(index: Index, query: string): Result {
  const { entries } = index.find;
  const typed = wordsOf(query);
  const asked = typed.filter((word) => !STOP.has(word));
  const terms = [...new Set(asked.length ? asked : typed)];
  const scores = new Map<number, { score: number; covered: number }>();
  for (const [place, term] of terms.entries()) {
    const fits = fitsOf(index, term, place === terms.length - 1);
    // a rare word says more; a word that nothing has says nothing
    const rarity = Math.log(1 + entries.length / (1 + fits.size));
    for (const [at, fit] of fits) {
      const { score = 0, covered = 0 } = scores.get(at) ?? {};
      scores.set(at, { score: score + fit * rarity, covered: covered + rarity });
    }
  }
  const most = [...scores.values()].reduce((all, { covered }) => Math.max(all, covered), 0);
  const found = [...scores]
    .filter(([, { covered }]) => covered >= most * LEAST_COVERAGE)
    .sort(([, a], [, b]) => b.covered * b.score - a.covered * a.score)
    .map(([at]) => entries[at])
    .filter((entry) => entry !== undefined);
  const groups = GROUPS.map((name) => ({ name, entries: found.filter(([kind]) => groupOf(kind) === name) }));
  return {
    groups: groups.filter((group) => group.entries.length > 0),
    count: found.length,
    terms,
    nearest: found.length || terms.length === 0 ? [] : nearestOf(index, terms),
  };
}

/** Changes that make one word of another: letters left out, added, replaced or exchanged with the next. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

const MOST_NEAREST = 3;
function nearestOf({ words }: Index, terms: readonly string[]): readonly string[] {
  const near = [...words].flatMap(([word, count]) => {
    if (word.length < 3) return [];
    const away = Math.min(...terms.map((term) => (Math.abs(term.length - word.length) > 3 ? 9 : distance(term, word))));
    return away <= 3 ? [{ word, away, count }] : [];
  });
  return near
    .sort((a, b) => a.away - b.away || b.count - a.count)
    .slice(0, MOST_NEAREST)
    .map(({ word }) => word);
}

/** An excerpt of a text around the words that were sought, at most `length` letters long. */
export function excerpt(text: string, terms: readonly string[], length = 120): string {
  const at = Math.min(
    ...terms.map((term) => text.toLowerCase().indexOf(stem(term))).map((place) => (place < 0 ? Number.POSITIVE_INFINITY : place)),
  );
  if (text.length <= length) return text;
  const from = !Number.isFinite(at) || at < length * 0.7 ? 0 : text.lastIndexOf(' ', at - 30) + 1;
  const end = text.lastIndexOf(' ', from + length);
  return `${from > 0 ? '… ' : ''}${text.slice(from, end > from ? end : from + length)}${end < text.length ? ' …' : ''}`;
}

/** Splits a text; every second part is a word that was sought. */
export function marked(text: string, terms: readonly string[]): readonly string[] {
  const patterns = terms.map((term) => stem(term).replace(/[^\p{L}\p{N}_]/gu, '')).filter((each) => each.length > 1);
  if (patterns.length === 0) return [text];
  return text.split(new RegExp(`((?:${patterns.join('|')})[\\p{Ll}\\p{N}]*)`, 'giu'));
}
