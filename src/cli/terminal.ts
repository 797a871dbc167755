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
export function sayFrom(threshold: string): (level: 'info' | 'warn', message: string, facts?: Record<string, unknown>) => void {
  const wanted = LEVELS.indexOf(threshold === 'info' ? 'warn' : threshold);
  return (level, message, facts) => {
    if (LEVELS.indexOf(level) < wanted) return;
    process.stderr.write(`${level}: ${forTerminal(message)}${facts ? ` ${visibleJson(facts)}` : ''}\n`);
  };
}

const GAP = '  ';
const MIN_WIDTH = 6;
export const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text);

/** The widest columns become narrower until the line fits; none below MIN_WIDTH. */
function fitted(widths: readonly number[], width: number): readonly number[] {
  const fit = [...widths];
  const tooWide = (): number => fit.reduce((sum, each) => sum + each, GAP.length * (fit.length - 1)) - width;
  for (let left = tooWide(); left > 0 && Math.max(...fit) > MIN_WIDTH; left--) fit[fit.indexOf(Math.max(...fit))] = Math.max(...fit) - 1;
  return fit;
}

/** Text columns, padded to their widest value. On a terminal cells are cut with `…`, so that no line is wider than it. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width = process.stdout.columns ?? Number.POSITIVE_INFINITY,
): string {
  const all = [head, ...rows].map((row) => row.map(printable));
  const widest = head.map((_, i) => Math.max(...all.map((r) => (r[i] ?? '').length)));
  const widths = fitted(widest, width);
  const line = (row: readonly string[]): string => row.map((cell, i) => cut(cell, widths[i] ?? 0).padEnd(widths[i] ?? 0)).join(GAP);
  return all.map((row) => cut(line(row).trimEnd(), width)).join('\n');
}

/** A table with a column for each name: a field of the row, or what the function makes of it. */
export function tableWith<Row>(columns: Readonly<Record<string, keyof Row | ((row: Row) => unknown)>>) {
  const cells = Object.values(columns);
  const textsOf = (row: Row) => cells.map((cell) => String((typeof cell === 'function' ? cell(row) : row[cell]) ?? ''));
  return (rows: readonly Row[]): string => table(Object.keys(columns), rows.map(textsOf));
}

export const briefJson = (value: unknown, maxLength: number): string => cut(JSON.stringify(value) ?? 'null', maxLength);

export async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(reply.trim());
}
