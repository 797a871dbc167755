/** A field whose value differs. */
export interface Difference {
  /** Dotted path; `[]` stands for every position of a list. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that say when the source was read. */
const TIMES = /(^|\.)(scrapedAt|checkedAt)$/;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs between two JSON values, leaf by leaf. Times of reading are left out; a missing field is `undefined`. */
export function differences(before: unknown, after: unknown, field = ''): readonly Difference[] {
  if (TIMES.test(field)) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, i) => differences(before[i], after[i], `${field}[]`)).flat();
  }
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], field === '' ? name : `${field}.${name}`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ field, before, after }];
}
