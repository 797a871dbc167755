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
