import { formOf, type Guess, guessForm, lackingIn, repaired } from '../../bulk/columns.ts';
import { decoded, type Encoding, encodingOf } from '../../bulk/encoding.ts';
import { understanding } from '../../bulk/values.ts';
import { recordAt } from '../../contract/csv-records.ts';
import { type Plan, readInput } from '../../contract/lists/input.ts';
import { OPERATIONS, type Operation } from '../../contract/operations/index.ts';
import { VALUES } from '../parts/format.ts';
import type { Job } from './job.ts';

/** A line that cannot be read. */
export interface BadLine {
  readonly line: number;
  readonly why: string;
  /** As the file has it, or as it was repaired; null: it is too long to be repaired here. */
  readonly text: string | null;
}
/** A file as it is read with what was chosen for it. */
export interface Reading {
  readonly operation: Operation;
  readonly encoding: Encoding;
  readonly guess: Guess;
  readonly holds: readonly (string | null)[];
  /** Required parameters that no column holds. */
  readonly lacking: readonly string[];
  readonly plan: Plan;
  readonly bad: readonly BadLine[];
  readonly lines: number;
  /** Fields of the line as the file has them. */
  fieldsOf(line: number): readonly string[];
  /** What a value of a column is read as; null: as it stands. */
  meant(column: number, text: string): string | null;
}

const MAX_REPAIR = 2_000;
/** `google` → `engine_a`. */
const WORDS: ReadonlyMap<string, string> = new Map([...VALUES].map(([value, word]) => [word.toLowerCase(), value]));

export async function readFile(
  bytes: Uint8Array,
  job: Pick<Job, 'name' | 'operation' | 'chosen' | 'repairs' | 'languageOfCountry'>,
): Promise<Reading> {
  const operation: Operation = OPERATIONS[job.operation];
  const { chosen } = job;
  const encoding = chosen.encoding ?? encodingOf(bytes);
  const given = decoded(bytes, encoding);
  const guessed = guessForm(given, job.name, operation);
  const isChanged =
    (chosen.separator ?? guessed.separator) !== guessed.separator || (chosen.hasHeader ?? guessed.hasHeader) !== guessed.hasHeader;
  const guess: Guess = isChanged ? rearranged(given, guessed, chosen) : { ...guessed, decimal: chosen.decimal ?? guessed.decimal };
  const holds = chosen.holds?.length === guess.names.length ? chosen.holds : guess.holds;
  const lacking = lackingIn(operation, holds);
  const form = formOf(guess, holds, operation);
  const text = repaired(given, form.separator, new Map(job.repairs));
  const understand = understanding({ decimal: guess.decimal, words: WORDS, languageOfCountry: job.languageOfCountry });
  const isEmpty = text.trim() === '';
  const plan = await readInput(isEmpty ? ' ' : text, { name: job.name, operation, form, understand }, () => undefined);
  const starts = new Map(plan.lines.map(({ line, start }) => [line, start]));
  const bad = plan.unreadable.map(({ line, why }): BadLine => {
    const start = starts.get(line) ?? 0;
    const own = text.slice(start, recordAt(text, start, form.separator).end).replace(/\r$/, '');
    return { line, why, text: own.length > MAX_REPAIR || own.includes('\n') ? null : own };
  });
  return {
    ...{ operation, encoding, guess, holds, lacking, plan, bad, lines: plan.lines.length },
    fieldsOf(line) {
      const { fields } = recordAt(text, starts.get(line) ?? 0, form.separator);
      return fields.ok ? fields.value : [text.slice(starts.get(line) ?? 0).split('\n', 1)[0] ?? ''];
    },
    meant(column, value) {
      const name = holds[column];
      if (!name || value.trim() === '') return null;
      const meant = understand(operation.parameters, [[name, value]]).pairs[0]?.[1];
      return meant === value ? null : (meant ?? null);
    },
  };
}

/** The columns with another separator or header than was guessed; what they hold is asked for again. */
function rearranged(
  text: string,
  guessed: Guess,
  { separator = guessed.separator ?? ',', hasHeader = guessed.hasHeader, decimal }: Job['chosen'],
): Guess {
  const { fields } = recordAt(text, 0, separator);
  const head = fields.ok ? fields.value : [];
  const names = head.map((field, index) => (hasHeader && field.trim()) || `column ${index + 1}`);
  return {
    format: 'csv',
    separator,
    hasHeader,
    names,
    holds: names.map((name) => guessed.holds[guessed.names.indexOf(name)] ?? null),
    decimal: decimal ?? guessed.decimal,
  };
}

/** The reason beside its line, which says that it is of a parameter. */
export const shortWhy = (why: string): string => why.replace(/^Parameter /, '').replaceAll(/(\w)-(\d)/g, '$1\u2011$2');

/** Lines to show before a run: the first, one of each kind of fault, and the last, by their numbers. */
export function sampleOf({ plan, bad }: Pick<Reading, 'plan' | 'bad'>): readonly number[] {
  const kinds = new Map(bad.map(({ line, why }) => [why.replace(/"(?:[^"\\]|\\.)*"|\d+/g, ''), line] as const).reverse());
  const good = plan.lookups.map(({ line }) => line);
  const shown = new Set([...good.slice(0, 4), ...[...kinds.values()].slice(0, 5), ...good.slice(-1)]);
  return [...shown].sort((a, b) => a - b);
}
