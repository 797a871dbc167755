const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export const say = {
  /** Writes a readable log line to standard error. At the threshold `info`, only warnings are written. */
  log(threshold: string, level: 'info' | 'warn', message: string, facts?: Record<string, unknown>): void {
    const wanted = threshold === 'info' ? 'warn' : threshold;
    if (LEVELS.indexOf(level) < LEVELS.indexOf(wanted)) return;
    process.stderr.write(`${level}: ${message}${facts ? ` ${JSON.stringify(facts)}` : ''}\n`);
  },
};

/** Text columns, each padded to its widest value; the last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
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
