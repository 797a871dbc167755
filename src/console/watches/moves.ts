interface Point {
  readonly field: string;
  readonly key: string | null;
  readonly value: number | null;
}

/** 1 is the top. */
export const isRank = (field: string): boolean => /rank$|position$/i.test(field);
const ENTRY = /\[(.+)\]/;
/** Without the entry that it names. */
export const baseOf = (field: string): string => field.replace(ENTRY, '');
const hostOf = (key: string): string => (URL.canParse(key) ? new URL(key).hostname : key);

export interface CourseLine {
  /** A site, or another entry of the list; null: the number stands outside of lists. */
  readonly name: string | null;
  /** `fields` names it, such as the site of `organic[example.com].rank`. */
  readonly isOwn: boolean;
  /** A value for each check; null: it has none. */
  readonly values: readonly (number | null)[];
  /** Sum of the steps between its values. */
  readonly moves: number;
}

function movesOf(values: readonly (number | null)[]): number {
  const known = values.filter((value) => value !== null);
  return known.reduce((sum, value, index) => sum + Math.abs(value - (known[index - 1] ?? value)), 0);
}

/**
 * The lines of a number over checks in order of time: those of the entries that `fields` names, then the others, the one that moved most first.
 * Of several pages of a site the first one counts, which has the best place.
 */
export function linesOf(checks: readonly { readonly series: readonly Point[] }[], field: string): readonly CourseLine[] {
  const lines = new Map<string, Omit<CourseLine, 'values' | 'moves'> & { readonly values: (number | null)[] }>();
  for (const [index, { series }] of checks.entries()) {
    const points = series.filter((point) => baseOf(point.field) === field);
    const own = new Set(points.flatMap((point) => ENTRY.exec(point.field)?.[1] ?? []));
    for (const { field: path, key, value } of points) {
      const isOwn = path !== field;
      if (!isOwn && key !== null && own.has(key)) continue;
      const name = isOwn ? (ENTRY.exec(path)?.[1] ?? null) : key && hostOf(key);
      const line = lines.get(name ?? '') ?? { name, isOwn, values: checks.map(() => null) };
      line.values[index] ??= value;
      lines.set(name ?? '', line);
    }
  }
  const all = [...lines.values()].map((line) => ({ ...line, moves: movesOf(line.values) }));
  return all.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || (a.isOwn ? 0 : b.moves - a.moves));
}

/** Six colours, six marks, no seventh. */
export const MOST_LINES = 6;
/** What a chart draws of them: those of its own, and those that are named, else all that moved; where it has none of its own, all. */
export function drawnOf(lines: readonly CourseLine[], named: readonly string[]): readonly CourseLine[] {
  const hasOwn = lines.some(({ isOwn }) => isOwn);
  const isNamed = ({ name }: CourseLine): boolean => name !== null && named.includes(name);
  const isDrawn = lines.some((line) => !line.isOwn && isNamed(line)) ? isNamed : ({ moves }: CourseLine) => moves > 0 || !hasOwn;
  return lines.filter((line) => line.isOwn || isDrawn(line)).slice(0, MOST_LINES);
}
