/** docs/comparison.md from the figures of a run. */
import { FIELDS, type Field, type Judged } from './judge.ts';
import { type ListFigures, listSection } from './lists.ts';
import type { Row } from './sets.ts';

export interface Figures {
  readonly set: string;
  readonly isDevelopedAgainst: boolean;
  readonly kind: Row['kind'];
  readonly answers: number;
  readonly readers: readonly ReaderFigures[];
}
export interface ReaderFigures {
  readonly name: string;
  readonly version: string;
  readonly note: string;
  readonly whole: number;
  /** Answers that state a field, and of these those in which every field is right, whatever the reader says of availability. */
  readonly withFields: number;
  readonly everyField: number;
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
  readonly invented: number;
  readonly freeThatWasTaken: number;
  readonly takenThatWasFree: number;
  readonly dataFromNoAnswer: number;
  readonly notSaid: number;
  /** Fields that this reader has right and ours has not, and the other way round. */
  readonly better: Readonly<Partial<Record<Field, number>>>;
  readonly worse: Readonly<Partial<Record<Field, number>>>;
}

const countOf = (judged: readonly Judged[], verdict: string): number =>
  judged.reduce((sum, { verdicts }) => sum + Object.values(verdicts).filter((one) => one === verdict).length, 0);

/** `ours`: what our reader made of the same answers, in the same order. */
export function figuresOf(
  reader: Pick<ReaderFigures, 'name' | 'version' | 'note'>,
  judged: readonly Judged[],
  ours: readonly Judged[],
): ReaderFigures {
  const isBetter = (one: Judged | undefined, other: Judged | undefined, field: Field): boolean => {
    const [a, b] = [one?.verdicts[field], other?.verdicts[field]];
    return (a === 'right' && b !== 'right') || (a === undefined && b === 'invented');
  };
  const differing = (better: boolean): Partial<Record<Field, number>> =>
    Object.fromEntries(
      FIELDS.flatMap((field) => {
        const count = judged.filter((one, i) => (better ? isBetter(one, ours[i], field) : isBetter(ours[i], one, field))).length;
        return count > 0 ? [[field, count]] : [];
      }),
    );
  const stating = judged.filter(({ verdicts }) => Object.values(verdicts).some((verdict) => verdict !== 'invented'));
  const said = (availability: Judged['availability']): number => judged.filter((one) => one.availability === availability).length;
  return {
    ...reader,
    whole: judged.filter(({ isWhole }) => isWhole).length,
    withFields: stating.length,
    everyField: stating.filter(({ verdicts }) => Object.values(verdicts).every((verdict) => verdict === 'right')).length,
    right: countOf(judged, 'right'),
    wrong: countOf(judged, 'wrong'),
    missing: countOf(judged, 'missing'),
    invented: countOf(judged, 'invented'),
    freeThatWasTaken: said('free that was taken'),
    takenThatWasFree: said('taken that was free'),
    dataFromNoAnswer: said('data from no answer'),
    notSaid: said('not said'),
    better: differing(true),
    worse: differing(false),
  };
}

const HEAD = [
  ...['Reader', 'Wholly right', 'Every field right', 'Fields right', 'wrong', 'missing', 'invented'],
  ...['Free that was taken', 'Taken that was free', 'Data from no answer', 'Not said'],
];
const rowOf = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const tableOf = ({ readers, answers }: Figures): readonly string[] => [
  rowOf(HEAD),
  rowOf(HEAD.map(() => '---')),
  ...readers.map((r) =>
    rowOf([
      ...[
        `${r.name} ${r.version}`,
        `${r.whole} of ${answers}`,
        `${r.everyField} of ${r.withFields}`,
        r.right,
        r.wrong,
        r.missing,
        r.invented,
      ],
      ...[r.freeThatWasTaken, r.takenThatWasFree, r.dataFromNoAnswer, r.notSaid],
    ]),
  ),
];
const listed = (counts: ReaderFigures['better']): string =>
  Object.entries(counts)
    .map(([field, count]) => `\`${field}\` in ${count}`)
    .join(', ');
const betterOf = ({ readers }: Figures): readonly string[] =>
  readers.slice(1).map(({ name, better }) => {
    const fields = listed(better);
    return `- ${name}: ${fields === '' ? 'nowhere' : fields}`;
  });

function section(figures: Figures): string {
  const { set, kind, answers } = figures;
  return [
    `### ${kind === 'whois' ? 'WHOIS' : 'RDAP'}, ${set}: ${answers} ${answers === 1 ? 'answer' : 'answers'}`,
    '',
    ...tableOf(figures),
    '',
    'Where another reader is right and ours is not (answers, by field):',
    '',
    ...betterOf(figures),
  ].join('\n');
}

const START = `# Comparison of readers

This page is written by \`npm run compare\` (\`npm ci --prefix compare\` installs the others; the engines of SearXNG are those of the Debian package searx).
The same recorded answers go through Sightline's readers and through open ones that people use, each with a small adapter, and one table of rules for each
kind of answer judges all of them: registrations (\`compare/judge.ts\`), result pages and posts (\`compare/lists.ts\`).
`;
const OTHERS = `## What the others do and Sightline does not

- rdapper and whoiser are libraries: no service, account or store. rdapper returns the postal addresses of contacts, which fields a registry withheld
  (RFC 9537), and asks the registrar's server after the registry's. whoiser looks up IP addresses, autonomous systems and top-level domains as well.
- react-tweet draws a post, and hands on everything that the endpoint sends: quoted posts, edits, every variant of a video, the beginning of a long post.
- An instance of SearXNG asks many engines at once. Its engine for Bing believes "no results"; Sightline takes that for a refusal and so misses the times when
  it is true: of the two recorded pages that say so in the same words at the same place, one answers a crawler that asked for an everyday thing of which there
  were results. The table of Bing judges the first as nothing found and the second as no answer.
`;
const UNSEEN = `## Answers that Sightline was not developed against
`;
const SEEN = `## Answers that Sightline was developed against

These figures say how far the work on these recordings has come, not how the next answer will be read: faults that were found in them were corrected. The other
readers were not developed against them.
`;
const NONE = `No such set was given to this run; nobody has recorded one yet. [Make one](#make-a-set-of-your-own) of your own captures.
`;
const RULES = `## How it is judged

| Column, of registrations | Meaning |
|---|---|
| wholly right | every field that the answer states is right, none is invented, and whether the name is free is right |
| every field right | the same without availability, of the answers that state a field |
| wrong, missing | the answer states the field, and the reader gives another value, or none |
| invented | the answer does not state the field, and the reader gives a value |
| free that was taken | the reader calls a registered name free |
| data from no answer | a limit, a refusal or an empty answer is taken for a registration, or for a free name |
| not said | the reader does not state whether the name is free |

Judged are registrar, days of registration, expiry and change, name servers, status and DNSSEC. Dates may be a day apart, so that nobody loses by time zones; texts of dates are
read with favour; names are compared by letters and digits. A reader that refuses an answer misses its fields and is wrong in none.

| Column, of result pages and posts | Meaning |
|---|---|
| entries, fields right | the entry has the right address in the right order (a page whose addresses were replaced: its title); the field has the value that the answer states |
| wrong | another place or another address; another value |
| nothing that was there | results, or a post, are taken for "nothing found" or "deleted" |
| data that was not there | the platform says that there is nothing, and the reader gives something |
| nothing from no answer | a wall, a limit or a shell is taken for "nothing found" or "deleted" |
| data from no answer | a wall, a limit or a shell is taken for data |
| not said | there is an answer, and the reader refuses it |

## Make a set of your own

A set is a folder with the answers and one file, \`expected.ndjson\` or \`cases.ndjson\`, with a JSON object a line:

| Member | Meaning |
|---|---|
| \`id\` | unique in the folder |
| \`reader\` | \`registration/whois\`, \`registration/rdap\`, \`serp/google-page\`, \`serp/bing-page\` or \`microblog/syndication\`; lines of other readers are passed over |
| \`file\`, \`url\`, \`status\`, \`input\` | the answer's file, its address and status, and the parameters of the lookup |
| \`expected.outcome\` | what is right: \`found\`, or another outcome (\`absent\`, \`blocked\`, \`limited\`, \`changed\` …) |
| \`expected.fields\` | what the answer states, by path: \`registrar.name\`, \`nameServers\`, \`organic.0.url\`, \`organic.0.title\`, \`text\`, \`metrics.likes\` … null: it does not state the field. What is left out is not judged |

\`sightline captures export ID… --case FOLDER\` writes such a folder of your [captures](evidence.md), with the outcome of then; \`sightline captures case\` one of an answer that
fails. Write into each line what is right, as a person reads it, not as a reader gave it; then:

\`\`\`sh not-run: it needs a set
npm ci --prefix compare
npm run compare -- --set FOLDER --detail
\`\`\`
`;

/** The page. `day`: when the figures were made. */
export function comparisonPage(all: readonly Figures[], lists: readonly ListFigures[], day: string): string {
  const sections = (isDevelopedAgainst: boolean): string =>
    [
      ...all.filter((figures) => figures.isDevelopedAgainst === isDevelopedAgainst).map(section),
      ...lists.filter((figures) => figures.isDevelopedAgainst === isDevelopedAgainst).map(listSection),
    ].join('\n\n');
  const readers = new Map([...all, ...lists].flatMap((figures) => figures.readers.map((reader) => [reader.name, reader])));
  const notes = [...readers.values()].filter(({ note }) => note !== '').map(({ name, version, note }) => `- ${name} ${version} ${note}.`);
  const parts = [
    `The readers, as of ${day}:`,
    '',
    ...notes,
    '',
    OTHERS,
    UNSEEN,
    sections(false) || NONE.trimEnd(),
    '',
    SEEN,
    sections(true),
    '',
    RULES,
  ];
  return `${[START, ...parts].join('\n').trimEnd()}\n`;
}
