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

/** Text columns, each padded to its widest value; the last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map(printable));
  const widths = head.map((_, i) => Math.max(...all.map((r) => (r[i] ?? '').length)));
  return all
    .map((r) =>
      r
        .map((c, i) => (i === r.length - 1 ? c : c.padEnd(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
