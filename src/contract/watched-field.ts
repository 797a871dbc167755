/** A difference from which a number counts. */
export type Threshold =
  /** Smallest difference. */
  | { readonly least: number }
  /** Smallest share of the earlier value. */
  | { readonly leastShare: number }
  /** The number is passed, up or down. */
  | { readonly crosses: number };

/** A field that counts, with all below it; `organic[example.com].rank`: of the entries with this text. */
export type WatchedField = string | (Threshold & { readonly path: string });

export const thresholdOf = (field: WatchedField): Threshold | null => {
  if (typeof field === 'string') return null;
  const { path, ...threshold } = field;
  return threshold;
};

const DECIMAL = /^-?\d+(\.\d+)?$/;
/** A number, also where the source writes it as text (`4.6`); null: it is none. */
export const decimalOf = (value: unknown): number | null => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : null;
};

/** 4.6 - 4.5 is a difference of 0.1. */
const ROUNDING = 1e-9;
const isLess = (difference: number, least: number): boolean => difference < least - ROUNDING * Math.max(1, least);

/** Whether the difference between two values is too small to count. A value that is no number differs always, but crosses nothing. */
export function isTooSmall(threshold: Threshold, before: unknown, after: unknown): boolean {
  const [was, is] = [decimalOf(before), decimalOf(after)];
  if ('crosses' in threshold) return was === null || is === null || was > threshold.crosses === is > threshold.crosses;
  if (was === null || is === null) return false;
  const least = 'least' in threshold ? threshold.least : threshold.leastShare * Math.abs(was);
  return isLess(Math.abs(is - was), least);
}

/** A field in one line: `organic.rank`, `organic.rank:2` (`least`), `visits:10%` (`leastShare`), `organic.rank>10` (`crosses`). */
export function fieldText(field: WatchedField): string {
  if (typeof field === 'string') return field;
  if ('crosses' in field) return `${field.path}>${field.crosses}`;
  return 'least' in field ? `${field.path}:${field.least}` : `${field.path}:${Number((field.leastShare * 100).toPrecision(12))}%`;
}
/** The field of a line. */
export function fieldOf(text: string): WatchedField {
  const [, path, sign, number, percent] = /^(.+?)([:>])(-?\d+(?:\.\d+)?)(%)?$/.exec(text) ?? [];
  if (path === undefined || (sign === '>' && percent)) return text;
  if (sign === '>') return { path, crosses: Number(number) };
  return percent ? { path, leastShare: Number(number) / 100 } : { path, least: Number(number) };
}
