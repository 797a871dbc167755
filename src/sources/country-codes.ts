import { readTable } from '../runtime/table.ts';

const CODES = new Map(readTable(new URL('./country-codes.tsv', import.meta.url)).map(([number, alpha = '']) => [Number(number), alpha]));
const NUMBERS = new Map([...CODES].map(([number, alpha]) => [alpha, number]));

/** The alpha-2 code of a country given as number (840), digits ("840") or alpha-2 itself; null for any other value. Kosovo has no number. */
export function countryOf(value: unknown): string | null {
  if (typeof value === 'number') return CODES.get(value) ?? null;
  if (typeof value !== 'string') return null;
  if (/^\d+$/.test(value)) return CODES.get(Number(value)) ?? null;
  const alpha = value.toUpperCase();
  return NUMBERS.has(alpha) || alpha === 'XK' ? alpha : null;
}
export const numericCodeOf = (alpha: string): number | null => NUMBERS.get(alpha) ?? null;
