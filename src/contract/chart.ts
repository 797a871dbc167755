/** What charts of the console and of the printed report have in common. */

/** One for each place; null: not known, which is a gap. */
export type Values = readonly (number | null)[];

/** By rank of the line: disc, square, triangle, diamond, triangle down, bar; each around 0, 0. */
export const MARKS = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  'M-3.5-3.5h7v7h-7z',
  'M0-4.5l4.5 8h-9z',
  'M0-5l5 5-5 5-5-5z',
  'M0 4.5l-4.5-8h9z',
  'M-5-2h10v4h-10z',
] as const;

type Scale = (value: number) => number;
/** The path of a line with its gaps. */
export const courseOf = (values: Values, x: Scale, y: Scale): string =>
  values.map((value, i) => (value === null ? '' : `${i > 0 && values[i - 1] !== null ? 'L' : 'M'}${x(i)} ${y(value)}`)).join('');

/** Heights of labels that are at least `gapPx` apart and between `top` and `bottom`, each as near to its own as the others allow. */
export function spread(heights: readonly number[], gapPx: number, top: number, bottom: number): readonly number[] {
  const order = heights.map((height, i) => ({ height, i })).sort((a, b) => a.height - b.height);
  const placed: number[] = [];
  for (const { height } of order) placed.push(Math.max(height, (placed.at(-1) ?? top - gapPx) + gapPx));
  let limit = bottom;
  for (let index = placed.length - 1; index >= 0; index--) {
    placed[index] = Math.min(placed[index] ?? 0, limit);
    limit = (placed[index] ?? 0) - gapPx;
  }
  const found: number[] = heights.map(() => 0);
  for (const [index, { i }] of order.entries()) found[i] = placed[index] ?? 0;
  return found;
}

const STEPS = [1, 2, 2.5, 5, 10];

/** Four or five round ticks from 0 to at least the highest value; whole numbers for counts. */
export function ticksOf(highest: number, isCount: boolean): readonly number[] {
  if (highest <= 0) return isCount ? [0, 1] : [0, 0.5, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = STEPS.map((step) => step * power).filter((step) => !isCount || Number.isInteger(step));
  const step = steps.find((each) => each >= rough) ?? Math.ceil(rough);
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}
