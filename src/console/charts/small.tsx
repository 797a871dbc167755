import type { SourceState } from '../../contract/admin/schemas.ts';
import { number } from '../parts/format.ts';
import './chart.css';

export const Legend = ({ entries }: { entries: readonly (readonly string[])[] }) => (
  <ul class="legend">
    {entries.map(([shade, words]) => (
      <li key={words}>
        <i class={`swatch ${shade}`} />
        {words}
      </li>
    ))}
  </ul>
);

type Hour = SourceState['last24h']['hours'][number];
const SHAPES = { dot: 'M0 15h3v1h-3z', full: 'M0 0h3v16h-3z', half: 'M0 8h3v8h-3z', broken: 'M0 0h3v6h-3zM0 10h3v6h-3z' } as const;
const stateOf = ({ attempts, good }: Hour): keyof typeof SHAPES =>
  attempts === 0 ? 'dot' : good / attempts >= 0.9 ? 'full' : good / attempts >= 0.5 ? 'half' : 'broken';

/** 24 hours, oldest first: full = answered, half = often not, broken = mostly failed, dot = not asked. */
export function Health({ hours }: { hours: readonly Hour[] }) {
  const states = hours.map(stateOf);
  const count = (state: string): number => states.filter((each) => each === state).length;
  const words = `Last 24 hours: ${count('full')} good, ${count('half')} half, ${count('broken')} failed, ${count('dot')} not asked`;
  return (
    <svg class="health" width={hours.length * 4} height="16" role="img" aria-label={words}>
      {states.map((state, i) => (
        <path key={i} class={state} transform={`translate(${i * 4})`} d={SHAPES[state]} />
      ))}
    </svg>
  );
}

/** One for each place; null: not known, which is a gap. */
type Values = readonly (number | null)[];
type LineProps = Readonly<Record<'x' | 'y', (value: number) => number>> & { readonly values: Values; readonly shade: string };
/** A point stands for a value without a neighbour. */
export function Line({ values, shade: name, x, y }: LineProps) {
  const path = values
    .map((value, i) => (value === null ? '' : `${i > 0 && values[i - 1] !== null ? 'L' : 'M'}${x(i)} ${y(value)}`))
    .join('');
  return (
    <g class={`series ${name}`}>
      <path d={path} />
      {values.map((value, i) => {
        const isAlone = (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null;
        return value !== null && isAlone && <circle key={i} cx={x(i)} cy={y(value)} r="3" />;
      })}
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
