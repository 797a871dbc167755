/** docs/comparison.md from the figures of a run. */
import { FIELDS, type Field, type Judged } from './judge.ts';
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

This page is written by \`npm run compare\` (\`npm ci --prefix compare\` installs the others). The same recorded answers of registries go through Sightline's reader
and through open libraries, each with a small adapter (\`compare/adapters.ts\`), and one table of rules judges all of them (\`compare/judge.ts\`).

| Column | Meaning |
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
`;
const OTHERS = `What the others do and Sightline does not: rdapper and whoiser are libraries without a service, an account or a store; rdapper returns the postal addresses of contacts, which
fields a registry withheld (RFC 9537), and asks the registrar's server after the registry's; whoiser looks up IP addresses, autonomous systems and top-level domains as well.
`;
const UNSEEN = `## Answers that Sightline was not developed against
`;
const SEEN = `## Answers that Sightline was developed against

These figures say how far the work on these recordings has come, not how the next answer will be read: faults that were found in them were corrected. The other
libraries were not developed against them.
`;
const NONE = `No such set was given to this run. Make one of your own captures (\`sightline captures export --case FOLDER\`, or
\`sightline captures case\`), write into each row what is right, and run \`npm run compare -- --set FOLDER\`.
`;

/** The page. `day`: when the figures were made. */
export function comparisonPage(all: readonly Figures[], day: string): string {
  const sections = (isDevelopedAgainst: boolean): string =>
    all
      .filter((figures) => figures.isDevelopedAgainst === isDevelopedAgainst)
      .map(section)
      .join('\n\n');
  const readers = new Map(all.flatMap((figures) => figures.readers).map((reader) => [reader.name, reader]));
  const notes = [...readers.values()].filter(({ note }) => note !== '').map(({ name, version, note }) => `- ${name} ${version} ${note}.`);
  return `${[START, `The readers, as of ${day}:`, '', ...notes, '', OTHERS, UNSEEN, sections(false) || NONE.trimEnd(), '', SEEN, sections(true)].join('\n').trimEnd()}\n`;
}
