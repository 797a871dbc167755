/** Result pages of Google and Bing: what they say, and how a reader is judged by it. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, type JudgedAnswer, judged, type Made, NO_COUNTS, outcomeOf, type Said } from './lists.ts';
import { jsonLines } from './sets.ts';

export interface Entry {
  readonly title: string;
  readonly url: string;
}
export interface PageRow {
  readonly id: string;
  readonly engine: 'google' | 'bing';
  readonly url: string;
  readonly status: number;
  readonly input: object;
  readonly body: Buffer;
  readonly said: Said;
  readonly organic: readonly Entry[];
  /** Addresses that may be given or left out. */
  readonly may: readonly string[];
}

interface PageOfFirst {
  readonly pageType: string;
  readonly notes?: string;
  readonly organic: readonly Entry[];
}
interface MetaOfFirst {
  readonly engine: string;
  readonly device: string;
  readonly status: number;
  readonly url: string;
  readonly finalUrl?: string;
  readonly params: Record<string, string>;
}
/** Bing's words for "nothing found" on a page whose recorder knows that there were results: a refusal in disguise. */
const isFalse = (notes = ''): boolean => /^false no-results\b/.test(notes);
const saidBy = ({ pageType, notes }: PageOfFirst): Said =>
  pageType === 'results' ? 'data' : pageType === 'no_results' && !isFalse(notes) ? 'nothing' : 'no answer';

const json = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8'));

/** A page, its `.meta.json` and its `.expected.json`. */
const firstForm = (folder: string): readonly PageRow[] =>
  globSync('*.html', { cwd: folder })
    .sort()
    .map((file) => {
      const name = file.slice(0, -'.html'.length);
      const { engine, device, status, url, finalUrl, params } = json<MetaOfFirst>(join(folder, `${name}.meta.json`));
      const expected = json<PageOfFirst>(join(folder, `${name}.expected.json`));
      return {
        id: name,
        engine: engine === 'engine_b' ? 'bing' : 'google',
        url: finalUrl ?? `${url}?${new URLSearchParams(params)}`,
        status,
        input: { keyword: params.q, location: 'US', language: 'en', device, depth: 10, engine },
        body: readFileSync(join(folder, file)),
        said: saidBy(expected),
        organic: expected.organic,
        may: [],
      };
    });

interface PageLine {
  readonly id: string;
  readonly reader?: string;
  readonly file: string;
  readonly url: string;
  readonly status?: number;
  readonly input: object;
  /** Other outcomes that are right, too. */
  readonly accept?: readonly string[];
  readonly expected: {
    readonly outcome?: string;
    readonly organic?: readonly Entry[];
    readonly may?: readonly string[];
    readonly fields?: Readonly<Record<string, unknown>>;
  };
}
/** `organic.0.url`, `organic.1.url`, … of a row that states its fields by path. */
function entriesByPath(fields: Readonly<Record<string, unknown>>): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  for (let i = 0; typeof fields[`organic.${i}.url`] === 'string'; i++)
    entries.push({ url: String(fields[`organic.${i}.url`]), title: String(fields[`organic.${i}.title`] ?? '') });
  return entries.length > 0 ? entries : undefined;
}
/** A line is a row where it names a reader of result pages and states the entries of the page, or that it is no answer. */
export const pageRowsOf = (folder: string, file: string): readonly PageRow[] =>
  jsonLines<PageLine>(join(folder, file)).flatMap(({ id, reader, file: body, url, status = 200, input, accept = [], expected }) => {
    const engine = reader === 'serp/google-page' ? 'google' : reader === 'serp/bing-page' ? 'bing' : null;
    const { outcome, may = [], fields = {} } = expected;
    const organic = outcome === 'found' ? (expected.organic ?? entriesByPath(fields)) : [];
    if (engine === null || outcome === undefined || organic === undefined) return [];
    // a page of which both readings are right judges nobody
    if (outcome !== 'found' && accept.includes('found')) return [];
    const said: Said = outcome !== 'found' ? 'no answer' : organic.length > 0 ? 'data' : 'nothing';
    return [{ id, engine, url, status, input, body: readFileSync(join(folder, body)), said, organic, may }];
  });
export const pagesIn = (folder: string): readonly PageRow[] => {
  const lines = ['expected.ndjson', 'cases.ndjson'].find((name) => existsSync(join(folder, name)));
  return lines === undefined ? firstForm(folder) : pageRowsOf(folder, lines);
};

/** Recordings whose addresses were all replaced by one are compared by their titles. */
const REPLACED = /^https?:\/\/test\.test\/?$/;
const titleOf = ({ title }: Entry): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 40);
function addressOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname, search } = new URL(url);
  return `${host.replace(/^www\./, '')}${decodeURI(pathname.replace(/%(?![0-9a-f]{2})/gi, '%25')).replace(/\/+$/, '')}${search}`;
}

/** An entry is right if its address is there and in its place among the others, and wrong in another place or with another address. */
export function judgePage(
  { id, said, organic, may }: Pick<PageRow, 'id' | 'said' | 'organic' | 'may'>,
  made: Made<readonly Entry[]>,
): JudgedAnswer {
  const outcome = outcomeOf(said, made);
  const values = made === null || made === 'nothing' ? [] : made.values;
  if (said !== 'data') return judged(id, outcome, { ...NO_COUNTS, invented: values.length });
  const isReplaced = organic.every(({ url }) => REPLACED.test(url));
  const keyOf = (entry: Entry): string => (isReplaced ? titleOf(entry) : addressOf(entry.url));
  const optional = new Set(may.map(addressOf));
  const wanted = [...new Set(organic.map(keyOf))];
  const given = [...new Set(values.map(keyOf))];
  const common = given.filter((key) => wanted.includes(key));
  const order = wanted.filter((key) => common.includes(key));
  const placed = common.filter((key, i) => order[i] === key).length;
  const elsewhere = values.filter(
    (entry) => !wanted.includes(keyOf(entry)) && organic.some((one) => !common.includes(keyOf(one)) && titleOf(one) === titleOf(entry)),
  );
  const others = values.filter((entry) => !wanted.includes(keyOf(entry)) && !elsewhere.includes(entry) && !optional.has(keyOf(entry)));
  const counts: Counts = {
    right: placed,
    wrong: common.length - placed + elsewhere.length,
    missing: Math.max(0, wanted.length - common.length - elsewhere.length),
    invented: others.length,
  };
  return judged(id, outcome, counts);
}
