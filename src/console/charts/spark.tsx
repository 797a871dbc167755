import { number } from '../parts/format.ts';
import './chart.css';

/** One for each place; null: not known, which is a gap. */
type Values = readonly (number | null)[];

/** A line with a gap where a value is not known, and a point where it has no neighbour. */
export function Line({
  values,
  shade: name,
  x,
  y,
}: { values: Values } & Readonly<Record<'x' | 'y', (value: number) => number>> & { shade: string }) {
  const path = values
    .map((value, i) => (value === null ? '' : `${i > 0 && values[i - 1] !== null ? 'L' : 'M'}${x(i)} ${y(value)}`))
    .join('');
  return (
    <g class={`series ${name}`}>
      <path d={path} />
      {values.map((value, i) =>
        value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? (
          <circle key={i} cx={x(i)} cy={y(value)} r="3" />
        ) : null,
      )}
    </g>
  );
}

const SPARK = { width: 80, height: 20 };
/** A line alone, for a cell of a table: as high as its values differ. */
export function Spark({ name, values, isRank = false }: { name: string; values: Values; isRank?: boolean }) {
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const step = (SPARK.width - 6) / Math.max(1, values.length - 1);
  const y = (value: number): number => SPARK.height / 2 + ((value - (low + high) / 2) / (high - low || 1)) * (isRank ? 14 : -14);
  const said = values.map((value) => (value === null ? '–' : number(value))).join(', ');
  return (
    <svg class="chart" {...SPARK} role="img" aria-label={`${name}, last checks: ${said || 'none'}`}>
      <Line values={values} shade="d1" x={(index) => 3 + index * step} y={y} />
    </svg>
  );
}
