import './chart.css';
import { Card, Meter } from '../parts/card.tsx';
import { DataTable } from '../parts/table.tsx';

interface BarsProps {
  readonly card: string;
  readonly title: string;
  /** A null is not stated. */
  readonly bars: readonly (readonly [name: string, value: number | null])[];
  readonly format: (value: number) => string;
  readonly heads: readonly [name: string, value: string];
}

/** Shares or amounts by name: a table with a bar in each row; nothing where there are none. */
export function Bars({ card, title, bars, format, heads }: BarsProps) {
  const highest = Math.max(0, ...bars.map(([, value]) => value ?? 0)) || 1;
  if (bars.length === 0) return null;
  return (
    <Card title={card}>
      <DataTable
        caption={title}
        class="bars"
        rows={bars}
        keyOf={([name]) => name}
        columns={[
          { name: heads[0], of: ([name]) => name },
          { name: 'Compared', of: ([, value]) => <Meter share={(value ?? 0) / highest} /> },
          { name: heads[1], numeric: true, of: ([, value]) => (value === null ? 'not stated by the source' : format(value)) },
        ]}
      />
    </Card>
  );
}

/** Units of the drawing: about a pixel each where there is room. */
const WIDTH = 640;

interface IntervalProps extends Pick<BarsProps, 'card' | 'title' | 'format'> {
  readonly low: number;
  readonly value: number;
  readonly high: number;
}
export function Interval({ card, title, format, low, value, high }: IntervalProps) {
  const from = Math.log(Math.max(low, 1) / 1.5);
  const to = Math.log(Math.max(high, 2) * 1.5);
  const x = (n: number): number => ((Math.log(Math.max(n, 1)) - from) / (to - from)) * WIDTH;
  return (
    <Card title={card}>
      <figure class="chart">
        <figcaption>{title}</figcaption>
        <svg viewBox={`0 0 ${WIDTH} 52`} role="img" aria-label={`${title}: ${format(value)}, between ${format(low)} and ${format(high)}`}>
          <line class="line" x1={0} x2={WIDTH} y1={20} y2={20} />
          <rect class="range" x={x(low)} y={13} width={Math.max(x(high) - x(low), 2)} height={14} rx={7} />
          <circle class="dot" cx={x(value)} cy={20} r={7} />
          {[low, value, high].map((each, index) => (
            <text key={index} class={index === 1 ? 'strong' : undefined} x={x(each)} y={46} text-anchor="middle">
              {format(each)}
            </text>
          ))}
        </svg>
      </figure>
    </Card>
  );
}
