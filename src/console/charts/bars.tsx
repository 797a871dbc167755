export interface Bar {
  readonly name: string;
  /** Null: not stated. */
  readonly value: number | null;
}
interface ChartProps {
  /** Read by screen readers as the name of the chart; the table is named by it too. */
  readonly title: string;
  readonly bars: readonly Bar[];
  readonly format: (value: number) => string;
  /** Heads of the table. */
  readonly heads: readonly [name: string, value: string];
}

const top = (bars: readonly Bar[]): number => Math.max(0, ...bars.map((b) => b.value ?? 0)) || 1;

/** The numbers of a chart as a table behind a disclosure. */
function Numbers({ title, bars, format, heads }: ChartProps) {
  return (
    <details class="numbers">
      <summary>Table of {title}</summary>
      <table>
        <caption class="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{heads[0]}</th>
            <th scope="col" class="numeric">
              {heads[1]}
            </th>
          </tr>
        </thead>
        <tbody>
          {bars.map((b) => (
            <tr key={b.name}>
              <th scope="row">{b.name}</th>
              <td class="numeric">{b.value === null ? 'not stated by the source' : format(b.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** What a screen reader says of a chart: its title and its extremes. */
function inWords({ title, bars, format }: ChartProps): string {
  const known = bars.flatMap((b) => (b.value === null ? [] : [{ name: b.name, value: b.value }]));
  const sorted = [...known].sort((a, b) => b.value - a.value);
  const [most, least] = [sorted[0], sorted.at(-1)];
  if (!most || !least) return `${title}: no values`;
  return `${title}: ${known.length} values, most ${most.name} ${format(most.value)}, least ${least.name} ${format(least.value)}`;
}

/** Units of the drawing: about a pixel each where there is room. */
const WIDTH = 640;
const HEIGHT = 160;
const MAX_STEP = 64;
const MAX_LABELS = 5;

/** Values over time as columns. */
export function Columns(props: ChartProps) {
  const { bars, format } = props;
  const highest = top(bars);
  const step = Math.min(MAX_STEP, WIDTH / Math.max(bars.length, 1));
  const every = Math.ceil(bars.length / MAX_LABELS);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <svg viewBox={`0 -18 ${WIDTH} ${HEIGHT + 42}`} role="img" aria-label={inWords(props)} preserveAspectRatio="xMinYMid meet">
        {[0, 0.5, 1].map((part) => (
          <line key={part} class="grid" x1={0} x2={WIDTH} y1={HEIGHT * (1 - part)} y2={HEIGHT * (1 - part)} />
        ))}
        {bars.map((bar, at) => {
          const height = ((bar.value ?? 0) / highest) * HEIGHT;
          return (
            <g key={bar.name}>
              <title>{`${bar.name}: ${bar.value === null ? 'not stated' : format(bar.value)}`}</title>
              <rect
                class="bar"
                x={(at + 0.15) * step}
                y={HEIGHT - height}
                width={step * 0.7}
                height={Math.max(height, bar.value ? 1 : 0)}
                rx={2}
              />
              {at % every === 0 && (
                <text class="tick" x={(at + 0.15) * step} y={HEIGHT + 18}>
                  {bar.name}
                </text>
              )}
            </g>
          );
        })}
        <text class="tick" x={0} y={-5}>
          {format(highest)}
        </text>
      </svg>
      <Numbers {...props} />
    </figure>
  );
}

/** Shares or amounts by name as horizontal bars. */
export function Bars(props: ChartProps) {
  const highest = top(props.bars);
  return (
    <figure class="chart">
      <figcaption>{props.title}</figcaption>
      <div class="bars" role="img" aria-label={inWords(props)}>
        {props.bars.map((bar) => (
          <div key={bar.name} class="bar-row">
            <span>{bar.name}</span>
            <span class="track">
              <span class="fill" style={{ inlineSize: `${((bar.value ?? 0) / highest) * 100}%` }} />
            </span>
            <span class="numeric">{bar.value === null ? 'not stated' : props.format(bar.value)}</span>
          </div>
        ))}
      </div>
      <Numbers {...props} />
    </figure>
  );
}

interface IntervalProps {
  readonly title: string;
  readonly low: number;
  readonly value: number;
  readonly high: number;
  readonly format: (value: number) => string;
}

/** A value within its interval, on a logarithmic scale. */
export function Interval({ title, low, value, high, format }: IntervalProps) {
  const from = Math.log(Math.max(low, 1) / 1.5);
  const to = Math.log(Math.max(high, 2) * 1.5);
  const x = (n: number): number => ((Math.log(Math.max(n, 1)) - from) / (to - from)) * WIDTH;
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} 52`} role="img" aria-label={`${title}: ${format(value)}, between ${format(low)} and ${format(high)}`}>
        <line class="grid" x1={0} x2={WIDTH} y1={20} y2={20} />
        <rect class="range" x={x(low)} y={13} width={Math.max(x(high) - x(low), 2)} height={14} rx={7} />
        <circle class="dot" cx={x(value)} cy={20} r={7} />
        <text class="tick" x={x(low)} y={46} text-anchor="middle">
          {format(low)}
        </text>
        <text class="tick strong" x={x(value)} y={46} text-anchor="middle">
          {format(value)}
        </text>
        <text class="tick" x={x(high)} y={46} text-anchor="middle">
          {format(high)}
        </text>
      </svg>
      <Numbers
        title={title}
        bars={[
          { name: 'Lower end', value: low },
          { name: 'Estimate', value },
          { name: 'Upper end', value: high },
        ]}
        format={format}
        heads={['Of the interval', 'Value']}
      />
    </figure>
  );
}
