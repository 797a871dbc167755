import { courseOf, MARKS, spread, type Values } from '../../contract/chart.ts';

const rankOf = (shade: string): number | null => (/^s[1-6]$/.test(shade) ? Number(shade.slice(1)) - 1 : null);

/** The colour of a series in a legend: of a line with its mark. */
export function Swatch({ shade }: { shade: string }) {
  const rank = rankOf(shade);
  if (rank === null) return <i class={`swatch ${shade}`} />;
  return (
    <svg class="swatch-mark" width="12" height="12" aria-hidden="true">
      <path class={`series ${shade}`} d={MARKS[rank]} transform="translate(6 6)" />
    </svg>
  );
}

/** Lines with their ranks as they lie at a place, the top one first; those without a value last. */
export function fromTop<T extends { readonly values: Values }>(series: readonly T[], index: number, isRank: boolean) {
  const height = ({ values }: T): number => (values[index] == null ? Number.NEGATIVE_INFINITY : (isRank ? -1 : 1) * values[index]);
  return [...series.entries()].sort(([, a], [, b]) => height(b) - height(a) || 0);
}

type LineProps = Readonly<Record<'x' | 'y', (value: number) => number>> & {
  readonly values: Values;
  readonly shade: string;
  /** Index of the mark at its last value; none without it. */
  readonly mark?: number;
};
/** A point stands for a value without a neighbour. */
export function Line({ values, shade, mark, x, y }: LineProps) {
  const end = values.findLastIndex((value) => value !== null);
  const atEnd = values[end];
  return (
    <g class={`series ${shade}`}>
      <path class="course" d={courseOf(values, x, y)} />
      {values.map((value, i) => {
        const isAlone = (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null;
        return value !== null && isAlone && <circle key={i} cx={x(i)} cy={y(value)} r="3" />;
      })}
      {mark !== undefined && atEnd != null && <path d={MARKS[mark]} transform={`translate(${x(end)} ${y(atEnd)})`} />}
    </g>
  );
}

/** Room of a label at the end of a line: its mark, its text and a gap. */
export const labelRoom = (texts: readonly string[]): number => 20 + 7 * Math.max(...texts.map(({ length }) => length));
const LABEL_PX = 16;

interface EndLabelsProps {
  readonly x: number;
  readonly y: (value: number) => number;
  readonly top: number;
  readonly bottom: number;
  readonly lines: readonly { readonly name: string; readonly said: string; readonly end: number | null }[];
}
/** Name and last value of each line where it ends, apart from each other. */
export function EndLabels({ x, y, top, bottom, lines }: EndLabelsProps) {
  const known = lines.flatMap((line, rank) => (line.end === null ? [] : [{ ...line, rank, height: y(line.end) }]));
  const heights = spread(
    known.map(({ height }) => height),
    LABEL_PX,
    top,
    bottom,
  );
  return (
    <>
      {known.map(({ name, said, rank }, index) => (
        <text key={name} class={rank === 0 ? 'end-label strong' : 'end-label'} x={x} y={(heights[index] ?? 0) + 4}>
          {name} <tspan class="value">{said}</tspan>
        </text>
      ))}
    </>
  );
}
