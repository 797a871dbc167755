/**
 * `npm run compare [-- --set FOLDER]… [--detail] [--json]`: recorded answers through our readers and through open ones, judged by one table an area. Writes
 * docs/comparison.md where the recordings beside the checkout are there and no other set is given; prints it otherwise.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Judged, judge } from './judge.ts';
import type { JudgedAnswer, ListFigures, ListReader, Made } from './lists.ts';
import { comparisonPage, type Figures, figuresOf } from './page.ts';
import { judgePost, postsIn, recordedPosts } from './posts.ts';
import { judgePage, pagesIn } from './search-pages.ts';
import { answerSets, nameOfSet, type Row } from './sets.ts';

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true, default: [] },
    detail: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const { ADAPTERS } = await import('./adapters.ts');
const { pageReaders } = await import('./search-readers.ts');
const { postReaders } = await import('./post-readers.ts');
const sets = answerSets(values.set);
const all: Figures[] = [];
for (const { name, isDevelopedAgainst, rows } of sets)
  for (const kind of ['whois', 'rdap'] as const) {
    const own = rows.filter((row) => row.kind === kind);
    if (own.length === 0) continue;
    const judged = new Map<string, readonly Judged[]>();
    const readers = ADAPTERS.filter(({ kinds }) => kinds.includes(kind));
    for (const adapter of readers) {
      const ofReader: Judged[] = [];
      for (const row of own) {
        const one = judge(row, await adapter.read(row));
        ofReader.push(one);
        if (values.detail && !one.isWhole) console.error(detailOf(adapter.name, row, one));
      }
      judged.set(adapter.name, ofReader);
    }
    const ours = judged.get('Sightline') ?? [];
    all.push({
      set: name,
      isDevelopedAgainst,
      kind,
      answers: own.length,
      readers: readers.map((reader) => figuresOf(reader, judged.get(reader.name) ?? [], ours)),
    });
  }

function detailOf(reader: string, { id }: Row, { verdicts, availability }: Judged): string {
  const faults = Object.entries(verdicts).flatMap(([field, verdict]) => (verdict === 'right' ? [] : [`${field} ${verdict}`]));
  return `${reader}: ${id}: ${[...(availability === 'right' ? [] : [availability]), ...faults].join(', ')}`;
}

interface ListSet<R> {
  readonly title: string;
  readonly isDevelopedAgainst: boolean;
  readonly rows: readonly R[];
}
const lists: ListFigures[] = [];
async function compareLists<R extends { readonly id: string }, T>(
  sets: readonly ListSet<R>[],
  counted: string,
  readers: readonly ListReader<R, T>[],
  judgeOne: (row: R, made: Made<T>) => JudgedAnswer,
): Promise<void> {
  for (const { title, isDevelopedAgainst, rows } of sets) {
    if (rows.length === 0) continue;
    const figures = [];
    for (const { name, version, note, readAll } of readers) {
      const made = await readAll(rows);
      const answers = rows.map((row, i) => judgeOne(row, made[i] ?? null));
      if (values.detail)
        for (const { id, isWhole, outcome, right, wrong, missing, invented } of answers)
          if (!isWhole)
            console.error(`${name}: ${id}: ${outcome}, ${right} right, ${wrong} wrong, ${missing} missing, ${invented} invented`);
      figures.push({ name, version, note, answers });
    }
    lists.push({ title, isDevelopedAgainst, answers: rows.length, counted, readers: figures });
  }
}
const PAGES: readonly (readonly [string, string])[] = [
  ['first recordings', '../shared/recordings/serp'],
  ['second recordings', '../shared/recordings/2026-11/serp'],
];
const ENGINES = [
  ['google', 'Google'],
  ['bing', 'Bing'],
] as const;
const pageSets = [
  ...PAGES.flatMap(([name, folder]) => (existsSync(folder) ? [{ name, isDevelopedAgainst: true, rows: pagesIn(folder) }] : [])),
  ...values.set.map((folder) => ({ name: nameOfSet(folder), isDevelopedAgainst: false, rows: pagesIn(folder) })),
].flatMap(({ name, isDevelopedAgainst, rows }) =>
  ENGINES.map(([engine, title]) => ({
    title: `Result pages of ${title}, ${name}`,
    isDevelopedAgainst,
    rows: rows.filter((row) => row.engine === engine),
  })),
);
await compareLists(pageSets, 'entries', pageReaders(), judgePage);
const POSTS = '../shared/recordings/social/microblog';
const postSets = [
  ...(existsSync(POSTS) ? [{ title: 'Embedded posts of X, recordings', isDevelopedAgainst: true, rows: recordedPosts(POSTS) }] : []),
  ...values.set.map((folder) => ({ title: `Embedded posts of X, ${nameOfSet(folder)}`, isDevelopedAgainst: false, rows: postsIn(folder) })),
];
await compareLists(postSets, 'fields', postReaders(), judgePost);
for (const folder of values.set) {
  const name = nameOfSet(folder);
  if (!all.some(({ set }) => set === name) && !lists.some(({ title }) => title.endsWith(`, ${name}`))) {
    console.error(`--set ${folder}: no line names a reader that is compared and says what is right.`);
    process.exit(2);
  }
}

const page = comparisonPage(all, lists, new Date().toISOString().slice(0, 10));
if (values.json) process.stdout.write(`${JSON.stringify({ registrations: all, lists })}\n`);
else if (values.set.length > 0 || sets.length === 0) process.stdout.write(page);
else {
  writeFileSync('docs/comparison.md', page);
  process.stdout.write('wrote docs/comparison.md\n');
}
