import { printable } from '../contract/errors.ts';

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Text for a terminal: lines and tabs stay, every other control and format character is escaped (CSI, OSC, U+009B, U+202E). */
export const forTerminal = (text: string): string => text.replace(/[^\n\t]+/g, printable);

/** JSON for a terminal: the same value, with control and format characters escaped as JSON has them. */
export const terminalJson = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/gu, (c) =>
    Array.from({ length: c.length }, (_, n) => `\\u${c.charCodeAt(n).toString(16).padStart(4, '0')}`).join(''),
  );

export const say = {
  /** Writes a readable log line to standard error. At the threshold `info`, only warnings are written. */
  log(threshold: string, level: 'info' | 'warn', message: string, facts?: Record<string, unknown>): void {
    const wanted = threshold === 'info' ? 'warn' : threshold;
    if (LEVELS.indexOf(level) < LEVELS.indexOf(wanted)) return;
    process.stderr.write(`${level}: ${forTerminal(message)}${facts ? ` ${terminalJson(facts)}` : ''}\n`);
  },
};

const GAP = '  ';
const MIN_WIDTH = 6;
const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text);

/** The widest columns become narrower until the line fits; none below MIN_WIDTH. */
function fitted(widths: readonly number[], width: number): readonly number[] {
  const fit = [...widths];
  const tooWide = (): number => fit.reduce((sum, each) => sum + each, GAP.length * (fit.length - 1)) - width;
  for (let left = tooWide(); left > 0 && Math.max(...fit) > MIN_WIDTH; left--) fit[fit.indexOf(Math.max(...fit))] = Math.max(...fit) - 1;
  return fit;
}

/**
 * Text columns, each padded to its widest value; the last one is not padded. On a terminal no line is wider than it: cells are cut, with `…`.
 * Elsewhere nothing is cut.
 */
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
