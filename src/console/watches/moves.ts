interface Point {
  readonly field: string;
  readonly key: string | null;
  readonly value: number | null;
}

/** By key of a field: the sum of the steps between its values, in order of time. */
export function movesOf(checks: readonly { readonly series: readonly Point[] }[], field: string): ReadonlyMap<string | null, number> {
  const moves = new Map<string | null, number>();
  const before = new Map<string | null, number>();
  for (const { series } of checks)
    for (const point of series) {
      if (point.field !== field || point.value === null) continue;
      moves.set(point.key, (moves.get(point.key) ?? 0) + Math.abs(point.value - (before.get(point.key) ?? point.value)));
      before.set(point.key, point.value);
    }
  return moves;
}

/** Six colours, six marks, no seventh. */
const MOST_LINES = 6;
const ENTRY = /\[(.+)\]/;
/** Without the entry that it names. */
export const baseOf = (field: string): string => field.replace(ENTRY, '');
export const hostOf = (key: string): string => (URL.canParse(key) ? new URL(key).hostname : key);

interface CourseLine {
  readonly path: string;
  readonly key: string | null;
  /** Null: that of the field. */
  readonly name: string | null;
}
/**
 * The lines of a number, from the first check on: of each entry that `fields` names, such as the site of `organic[example.com].rank`, and of
 * those that moved most.
 */
export function linesOf(checks: readonly { readonly series: readonly Point[] }[], field: string): readonly CourseLine[] {
  const points = checks.flatMap(({ series }) => series);
  const named = new Map<string, CourseLine>();
  for (const { field: path } of points)
    if (path !== field && baseOf(path) === field) named.set(path, { path, key: null, name: ENTRY.exec(path)?.[1] ?? null });
  const names = [...named.values()].map(({ name }) => name);
  const moves = movesOf(checks, field);
  const keys = new Set(points.flatMap((point) => (point.field === field ? [point.key] : [])));
  const others = [...keys].filter((key) => {
    if (named.size === 0) return true;
    return (moves.get(key) ?? 0) > 0 && key !== null && !names.includes(key) && !names.includes(hostOf(key));
  });
  const movers = others.sort((a, b) => (moves.get(b) ?? 0) - (moves.get(a) ?? 0)).map((key) => ({ path: field, key, name: key }));
  return [...named.values(), ...movers].slice(0, MOST_LINES);
}
