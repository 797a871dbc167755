const STEPS = [1, 2, 2.5, 5, 10];

/** Four or five round ticks from 0 to at least the highest value; whole numbers for counts. */
export function ticksOf(highest: number, isCount: boolean): readonly number[] {
  if (highest <= 0) return isCount ? [0, 1] : [0, 0.5, 1];
  const rough = highest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const steps = STEPS.map((step) => step * power).filter((step) => !isCount || Number.isInteger(step));
  const step = steps.find((each) => each >= rough) ?? Math.ceil(rough);
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}
