/** The rules for answers that are lists or records of a page: what is right, wrong, missing and invented, and what was taken for what. */

/** `data`: there is something; `nothing`: the platform says that there is nothing; `no answer`: a block page, a limit, a shell, something else. */
export type Said = 'data' | 'nothing' | 'no answer';
export type Outcome =
  | 'right'
  | 'data from no answer'
  | 'nothing from no answer'
  | 'nothing that was there'
  | 'data that was not there'
  | 'not said';

/** What a reader made of an answer: its values, "there is nothing", or null for "I can't tell". */
export type Made<T> = { readonly values: T } | 'nothing' | null;

export const outcomeOf = (stated: Said, made: Made<unknown>): Outcome => {
  const said: Said = made === null ? 'no answer' : made === 'nothing' ? 'nothing' : 'data';
  if (said === stated) return 'right';
  if (said === 'no answer') return 'not said';
  if (stated === 'no answer') return `${said} from no answer`;
  return stated === 'data' ? 'nothing that was there' : 'data that was not there';
};

export interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missing: number;
  readonly invented: number;
}
export interface JudgedAnswer extends Counts {
  readonly id: string;
  readonly outcome: Outcome;
  readonly isWhole: boolean;
}
export const NO_COUNTS: Counts = { right: 0, wrong: 0, missing: 0, invented: 0 };
export const judged = (id: string, outcome: Outcome, counts: Counts): JudgedAnswer => ({
  ...counts,
  id,
  outcome,
  isWhole: outcome === 'right' && counts.wrong + counts.missing + counts.invented === 0,
});

export interface ListReader<R, T> {
  readonly name: string;
  readonly version: string;
  readonly note: string;
  /** Throws or gives null where it can't tell. */
  readAll(rows: readonly R[]): Promise<readonly Made<T>[]>;
}
export interface ListFigures {
  readonly title: string;
  readonly isDevelopedAgainst: boolean;
  readonly answers: number;
  /** What is counted: entries of a page, fields of a post. */
  readonly counted: string;
  readonly readers: readonly {
    readonly name: string;
    readonly version: string;
    readonly note: string;
    readonly answers: readonly JudgedAnswer[];
  }[];
}

const OUTCOMES: readonly Outcome[] = [
  'nothing that was there',
  'data that was not there',
  'nothing from no answer',
  'data from no answer',
  'not said',
];
const rowOf = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
const capital = (text: string): string => `${text[0]?.toUpperCase()}${text.slice(1)}`;

/** The section of the page, with the answers in which another reader is wholly right and ours is not. */
export function listSection({ title, answers, counted, readers }: ListFigures): string {
  const head = ['Reader', 'Wholly right', `${capital(counted)} right`, 'wrong', 'missing', 'invented', ...OUTCOMES.map(capital)];
  const sum = (of: readonly JudgedAnswer[], name: keyof Counts): number => of.reduce((total, one) => total + one[name], 0);
  const rows = readers.map(({ name, version, answers: all }) =>
    rowOf([
      `${name} ${version}`,
      `${all.filter(({ isWhole }) => isWhole).length} of ${answers}`,
      ...(['right', 'wrong', 'missing', 'invented'] as const).map((count) => sum(all, count)),
      ...OUTCOMES.map((outcome) => all.filter((one) => one.outcome === outcome).length),
    ]),
  );
  const [ours, ...others] = readers;
  const better = others.map(({ name, answers: all }) => {
    const count = all.filter(({ isWhole }, i) => isWhole && !ours?.answers[i]?.isWhole).length;
    return `- ${name}: ${count === 0 ? 'nowhere' : `in ${count} of ${answers}`}`;
  });
  return [
    `### ${title}: ${answers} ${answers === 1 ? 'answer' : 'answers'}`,
    '',
    rowOf(head),
    rowOf(head.map(() => '---')),
    ...rows,
    '',
    'Where another reader is wholly right and ours is not (answers):',
    '',
    ...(better.length > 0 ? better : ['- no other reader is installed']),
  ].join('\n');
}
