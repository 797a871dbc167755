const MAX_EDITS = 2;

/** Letters that are missing, too many, wrong, or swapped with the next one (Damerau–Levenshtein, optimal string alignment). */
function editsBetween(a: string, b: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = Number(a[i - 1] !== b[j - 1]);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + other, swapped);
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** Whether a name differs from a known one by at most so many edits: most likely it is that one, misspelt. */
export const isMisspelt = (name: string, known: string, maxEdits = MAX_EDITS): boolean =>
  name !== known && Math.abs(name.length - known.length) <= maxEdits && editsBetween(name, known) <= maxEdits;

/** Longest text of a caller that is compared. */
const MAX_LENGTH = 60;
/** `Post ID`, `post_id` and `postId` are one name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');

/** The known name that was most likely meant. */
export function nearest(given: unknown, known: readonly string[]): string | undefined {
  if (typeof given !== 'string' || given === '' || given.length > MAX_LENGTH) return undefined;
  const name = plainName(given);
  const near = known
    .map((one) => ({ one, edits: editsBetween(name, plainName(one)) }))
    .filter(({ one, edits }) => edits <= (one.length > 5 ? MAX_EDITS : 1))
    .sort((a, b) => a.edits - b.edits);
  // a beginning is no misspelling, but what is meant where nothing else begins so
  const begun = known.filter((one) => name.length > 1 && plainName(one).startsWith(name));
  return near[0]?.one ?? (begun.length === 1 ? begun[0] : undefined);
}

/** ` (did you mean serp?)` where one of the known names is near what was given, else nothing. */
export function didYouMean(given: unknown, known: readonly string[]): string {
  const meant = nearest(given, known);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

/** Of a name that is none: what was most likely meant, and all that there are. */
export const thereIsNo = (what: string, name: string, known: readonly string[]): string =>
  `There is no ${what} ${JSON.stringify(name.slice(0, 100))}${didYouMean(name, known)}: choose one of ${known.join(', ')}.`;
export const mustBeOneOf = (values: readonly string[], given: unknown): string =>
  `must be one of ${values.join(', ')}${didYouMean(given, values)}`;
