import { UsageError } from './usage-error.ts';

/** Items of a list separated by commas. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((t) => t.trim())
    .filter(Boolean);
/** A whole number, with a sign or without. Throws a UsageError for other text. */
export const whole = (text: string): number =>
  /^-?\d{1,15}$/.test(text) ? Number(text) : fail(`${JSON.stringify(text)} is not a whole number`);
/** Ends the command as wrong usage. */
export const fail = (message: string): never => {
  throw new UsageError(message);
};

/** `30m`, `24h`, `7d` or seconds, as ms. */
export function duration(text: string): number {
  const m = /^(\d{1,9})(s|m|h|d)?$/.exec(text);
  if (!m) return fail(`${JSON.stringify(text)} is not a duration: write 45s, 30m, 24h or 7d`);
  return Number(m[1]) * ({ s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[m[2] ?? 's'] ?? 1_000);
}
