/**
 * Quantile regression of a continuous piecewise-linear function with given knots, by iteratively reweighted least squares on the hat
 * basis (each knot's value is a coefficient). Gives the values at the knots. Koenker & Bassett 1978; the smoothing of the kink is 1e-4.
 */
export function fitQuantile(points: readonly { x: number; y: number }[], knots: readonly number[], quantile: number): number[] {
  const n = knots.length;
  let values = leastSquares(
    points,
    points.map(() => 1),
    knots,
  );
  for (let round = 0; round < 200; round++) {
    const weights = points.map(({ x, y }) => {
      const [i, t] = place(knots, x);
      const error = y - ((1 - t) * (values[i] as number) + t * (values[i + 1] as number));
      return (error > 0 ? quantile : 1 - quantile) / Math.max(Math.abs(error), 1e-4);
    });
    const next = leastSquares(points, weights, knots);
    const moved = Math.max(...next.map((v, i) => Math.abs(v - (values[i] as number))));
    values = next;
    if (moved < 1e-7) break;
  }
  return values.slice(0, n);
}

/** The piece that contains x, and the relative position in it (beyond 0…1 outside the knots). */
function place(knots: readonly number[], x: number): [piece: number, along: number] {
  let i = 0;
  while (i < knots.length - 2 && x > (knots[i + 1] as number)) i++;
  const [x0, x1] = [knots[i] as number, knots[i + 1] as number];
  return [i, (x - x0) / (x1 - x0)];
}

/** Weighted least squares on the hat basis, with weak smoothness regularisation so that a piece without data stays defined. */
function leastSquares(points: readonly { x: number; y: number }[], weights: readonly number[], knots: readonly number[]): number[] {
  const n = knots.length;
  const a = Array.from({ length: n }, () => new Float64Array(n + 1));
  const add = (i: number, j: number, v: number) => {
    const row = a[i];
    if (row) row[j] = (row[j] ?? 0) + v;
  };
  points.forEach(({ x, y }, k) => {
    const [i, t] = place(knots, x);
    const w = weights[k] as number;
    add(i, i, w * (1 - t) ** 2);
    add(i, i + 1, w * t * (1 - t));
    add(i + 1, i, w * t * (1 - t));
    add(i + 1, i + 1, w * t * t);
    add(i, n, w * (1 - t) * y);
    add(i + 1, n, w * t * y);
  });
  const pull = 1e-3 * points.length;
  for (let i = 1; i < n - 1; i++) {
    const [x0, x1, x2] = [knots[i - 1], knots[i], knots[i + 1]] as [number, number, number];
    const bend = [1 / (x1 - x0), -1 / (x1 - x0) - 1 / (x2 - x1), 1 / (x2 - x1)];
    for (let p = 0; p < 3; p++) for (let q = 0; q < 3; q++) add(i - 1 + p, i - 1 + q, pull * (bend[p] as number) * (bend[q] as number));
  }
  return solve(a);
}

/** Gaussian elimination with partial pivoting on an augmented matrix. */
function solve(a: Float64Array[]): number[] {
  const n = a.length;
  const at = (i: number, j: number): number => (a[i] as Float64Array)[j] as number;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(at(r, c)) > Math.abs(at(pivot, c))) pivot = r;
    [a[c], a[pivot]] = [a[pivot] as Float64Array, a[c] as Float64Array];
    for (let r = c + 1; r < n; r++) {
      const f = at(r, c) / at(c, c);
      for (let j = c; j <= n; j++) (a[r] as Float64Array)[j] = at(r, j) - f * at(c, j);
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    let s = at(i, n);
    for (let j = i + 1; j < n; j++) s -= at(i, j) * (x[j] as number);
    x[i] = s / at(i, i);
  }
  return x;
}
