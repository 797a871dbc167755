import { createInterface } from 'node:readline/promises';
import { printable, visibleJson } from '../contract/errors.ts';

export const grouped = (n: number): string => n.toLocaleString('en-US');
export const plural = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

export function durationText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Text for a terminal: lines and tabs stay, every other control and format character is escaped (CSI, OSC, U+009B, U+202E). */
export const forTerminal = (text: string): string => text.replace(/[^\n\t]+/g, printable);

/** Prints the result of a command: with `--json` as one line of JSON, else as text. */
export const printResult = (json: boolean | undefined, result: unknown, text: () => string): void =>
  void process.stdout.write(`${json ? visibleJson(result) : forTerminal(text())}\n`);

/** Writes readable log lines to standard error. At the threshold `info`, only warnings are written. */
export function sayFrom(threshold: string): (level: 'info' | 'warn' | 'error', message: string, facts?: Record<string, unknown>) => void {
  const wanted = LEVELS.indexOf(threshold === 'info' ? 'warn' : threshold);
  return (level, message, facts) => {
    if (LEVELS.indexOf(level) < wanted) return;
    process.stderr.write(`${level}: ${forTerminal(message)}${facts ? ` ${visibleJson(facts)}` : ''}\n`);
  };
}

const GAP = '  ';
const MIN_WIDTH = 6;
/** Characters of two columns, as terminals draw them: ideographs, kana, hangul, their full-width forms, and emoji. */
const WIDE = /[\u3000-\u30ff\uff01-\uff60\uffe0-\uffe6\p{Script=Han}\p{Script=Hangul}\p{Script=Bopomofo}\p{Emoji_Presentation}]/u;
/** Columns of a terminal that a text takes. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) columns += WIDE.test(character) ? 2 : /[\p{Mn}\p{Me}]/u.test(character) ? 0 : 1;
  return columns;
}
/** The beginning of a text that takes so many columns at most; no character is cut. */
function beginningOf(text: string, width: number): string {
  let [end, columns] = [0, 0];
  for (const character of text) {
    columns += columnsOf(character);
    if (columns > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}
export const cut = (text: string, width: number): string =>
  columnsOf(text) > width ? `${beginningOf(text, Math.max(0, width - 1))}…` : text;
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - columnsOf(text)));

/** The widest columns become narrower until the line fits; none below MIN_WIDTH, and below what it needs at least only where that is not enough. */
function fitted(widths: readonly number[], width: number, least: readonly number[] = []): readonly number[] {
  const fit = [...widths];
  let left = fit.reduce((sum, each) => sum + each, GAP.length * (fit.length - 1)) - width;
  for (const floors of [least, []]) {
    const spare = (n: number): number => (fit[n] ?? 0) - Math.max(MIN_WIDTH, floors[n] ?? 0);
    while (left > 0 && fit.some((_, n) => spare(n) > 0)) {
      const able = fit.map((each, n) => (spare(n) > 0 ? each : 0));
      const widest = able.indexOf(Math.max(...able));
      fit[widest] = (fit[widest] ?? 0) - 1;
      left--;
    }
  }
  return fit;
}

/** A text as lines of at most so many characters, broken at spaces. A longer word, such as an address, stays whole unless `breaksWords`. */
export function wrapped(text: string, width: number, breaksWords = false): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && columnsOf(last) + 1 + columnsOf(word) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else {
      if (last === '') lines.pop();
      let rest = word;
      do {
        const part = breaksWords ? beginningOf(rest, width) || String.fromCodePoint(rest.codePointAt(0) ?? 32) : rest;
        lines.push(part);
        rest = rest.slice(part.length);
      } while (rest !== '');
    }
  }
  return lines;
}

/** Columns of the terminal that standard output is; without end where it is none, or a terminal that does not know its size (0). */
export const terminalWidth = (columns = process.stdout.columns): number => columns || Number.POSITIVE_INFINITY;

/**
 * Text columns, padded to their widest value. No line is wider than the terminal: cells are cut with `…`, or with `wrap` go on in further lines, so that
 * nothing is lost.
 */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { width = terminalWidth(), wrap = false }: { readonly width?: number; readonly wrap?: boolean } = {},
): string {
  const all = [head, ...rows].map((row) => row.map(printable));
  const most = (lengthOf: (cell: string) => number) => head.map((_, i) => Math.max(...all.map((row) => lengthOf(row[i] ?? ''))));
  const longestWord = (cell: string): number => Math.max(...cell.split(' ').map(columnsOf));
  const widths = fitted(most(columnsOf), width, wrap ? most(longestWord) : []);
  const line = (row: readonly string[]): string => row.map((cell, i) => padded(cut(cell, widths[i] ?? 0), widths[i] ?? 0)).join(GAP);
  const linesOf = (row: readonly string[]): string[] => {
    if (!wrap) return [line(row)];
    const cells = row.map((cell, i) => wrapped(cell, widths[i] ?? 0, true));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, n) => line(cells.map((lines) => lines[n] ?? '')));
  };
  return all
    .flatMap(linesOf)
    .map((text) => cut(text.trimEnd(), width))
    .join('\n');
}

/** A table with a column for each name: a field of the row, or what the function makes of it. */
export function tableWith<Row>(
  columns: Readonly<Record<string, keyof Row | ((row: Row) => unknown)>>,
  options: Parameters<typeof table>[2] = {},
) {
  const cells = Object.values(columns);
  const textsOf = (row: Row) => cells.map((cell) => String((typeof cell === 'function' ? cell(row) : row[cell]) ?? ''));
  return (rows: readonly Row[]): string => table(Object.keys(columns), rows.map(textsOf), options);
}

export const briefJson = (value: unknown, maxLength: number): string => cut(JSON.stringify(value) ?? 'null', maxLength);

export async function isConfirmed(prompt: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await terminal.question(prompt);
  terminal.close();
  return /^y(es)?$/i.test(reply.trim());
}
