import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { MARKS, ticksOf, type Values } from '../../contract/chart.ts';
import { Status } from '../parts/controls.tsx';
import { number } from '../parts/format.ts';
import { DataTable } from '../parts/table.tsx';
import { EndLabels, fromTop, Line, labelRoom, Swatch } from './lines.tsx';
import './chart.css';

export interface Series {
  readonly name: string;
  /** One for each place on the axis; null: not known, which is a gap. */
  readonly values: readonly (number | null)[];
  readonly isError?: boolean;
}
interface ChartProps {
  /** The accessible name of the chart; its table is named by it, too. */
  readonly title: string;
  /** Places on the axis, such as days, and what they are called. */
  readonly places: readonly string[];
  readonly label?: (place: string) => string;
  /** A line each; else bars on top of each other. */
  readonly isLines?: boolean;
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
  readonly none?: string;
  readonly isCount?: boolean;
  readonly band?: { readonly name: string; readonly low: number; readonly high: number } | undefined;
  /** Vertical lines: what happened at a place, in words. */
  readonly marks?: ReadonlyMap<string, string> | undefined;
  /** 1 is the top. */
  readonly isRank?: boolean;
  /** Lines have their labels at their ends where there is room, else below as without it. */
  readonly isLabelled?: boolean;
}

const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [232, 48, 8, 8, 24];
const LABEL_PX = 84;
const LEAST_PX = 400;

/** The width of the box, measured: the chart is redrawn when it changes, so that its text is not scaled. */
export function useWidth<T extends HTMLElement>() {
  const box = useRef<T>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(200, Math.floor(entry?.target.clientWidth ?? 0))));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return { box, width };
}

const sumsOf = (places: readonly string[], series: readonly Series[]): readonly number[] =>
  places.map((_, i) => series.reduce((sum, { values }) => sum + (values[i] ?? 0), 0));

const shadeOf = (index: number, { isError }: Series, isLine: boolean): string =>
  isError ? 'hatched' : isLine ? `s${Math.min(index + 1, MARKS.length)}` : `d${Math.min(index + 1, 5)}`;

/** What a screen reader says of a chart: its title and the extremes of its sums, or of its first line. */
function inWords({ title, places, series: all, isLines, label = String, format = number }: ChartProps): string {
  const series = isLines ? all.slice(0, 1) : all;
  const sums = sumsOf(places, series).map((sum, index) => ({ sum, index }));
  const known = sums.filter(({ index }) => series.some(({ values }) => values[index] !== null)).sort((a, b) => b.sum - a.sum);
  const [most, least] = [known[0], known.at(-1)].map((each) => each && `${label(places[each.index] ?? '')} ${format(each.sum)}`);
  if (!most) return `${title}: no values`;
  return `${title}: ${known.length} places, most ${most}, least ${least}. Arrow keys read each place.`;
}

/** Bars or lines over places such as days: axes with round ticks, a tooltip by pointer and arrow keys, and the numbers in a table. */
export function Chart(props: ChartProps) {
  const { title, places, series, isLines, label = String, format = number, none = '–', isCount = true, band, marks, isRank } = props;
  const { isLabelled = false } = props;
  const { box, width } = useWidth<HTMLFieldSetElement>();
  const marked = useSignal<number | null>(null);
  const pattern = useId().replaceAll(':', '');
  const textOf = ({ values }: Series, index: number): string => {
    const value = values[index] ?? null;
    return value === null ? none : format(value);
  };
  const all = isLines ? series.flatMap(({ values }) => values.map((value) => value ?? 0)) : sumsOf(places, series);
  const shade = (rank: number, each: Series): string => shadeOf(rank, each, isLines === true);
  const round = ticksOf(Math.max(isRank ? 2 : 0, band?.high ?? 0, ...all), isCount);
  const ticks = isRank ? [1, ...round.filter((tick) => tick > 1)] : round;
  const low = isRank ? 1 : 0;
  const top = ticks.at(-1) ?? 1;
  const last = places.length - 1;
  const ends = series.map((each) => ({
    name: each.name,
    said: textOf(each, last),
    end: each.values.findLast((value) => value !== null) ?? null,
  }));
  const room = isLabelled ? labelRoom(ends.map(({ name, said }) => `${name} ${said}`)) : RIGHT;
  const hasEnds = isLabelled && width - LEFT - room >= LEAST_PX;
  const right = hasEnds ? room : RIGHT;
  const step = (width - LEFT - right) / Math.max(1, places.length);
  const y = (value: number): number => HEIGHT - BOTTOM - ((isRank ? top - value : value) / (top - low || 1)) * (HEIGHT - BOTTOM - TOP);
  const x = (index: number): number => LEFT + step * (index + 0.5);
  const labelPx = Math.max(LABEL_PX, ...places.map((place) => 12 + 7 * label(place).length));
  const every = Math.max(1, Math.ceil(labelPx / step));
  /** Where the label of the last place ends: what would reach into it is left out. */
  const endsAt = Math.min(x(last) + labelPx / 2, width - (hasEnds ? right - RIGHT : 0));
  const barWidth = Math.max(1, Math.min(40, step * 0.7));
  const move = (event: PointerEvent & { currentTarget: Element }): void => {
    const place = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / step);
    marked.value = place >= 0 && place < places.length ? place : null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const now = marked.value ?? (event.key === 'ArrowLeft' ? places.length : -1);
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') marked.value = null;
    if (next === undefined) return;
    event.preventDefault();
    marked.value = Math.min(last, Math.max(0, next));
  };
  const here = places[marked.value ?? -1] ?? '';
  const chosen = marked.value === null ? null : { index: marked.value, name: label(here), mark: marks?.get(here) };
  const nameWithLast = (each: Series): string => (isLines ? `${each.name} · ${textOf(each, last)}` : each.name);
  return (
    <figure class="chart">
      <fieldset
        ref={box}
        class="plot"
        aria-label={inWords(props)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the data points
        tabIndex={0}
        onPointerMove={move}
        onPointerLeave={() => (marked.value = null)}
        onBlur={() => (marked.value = null)}
        onKeyDown={onKeyDown}
      >
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
          <defs>
            <pattern id={pattern} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect width="5" height="5" class="hatch-ground" />
              <line y2="5" class="hatch" />
            </pattern>
          </defs>
          {chosen && <rect class="here" x={x(chosen.index) - step / 2} y={TOP} width={step} height={HEIGHT - TOP - BOTTOM} />}
          {band && (
            <rect class="band" x={LEFT} y={y(band.high)} width={width - LEFT - right} height={Math.max(2, y(band.low) - y(band.high))} />
          )}
          {ticks.map((tick) => (
            <g key={tick}>
              <line class={tick === 0 ? 'axis' : 'line'} x1={LEFT} x2={width - right} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} text-anchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          {places.map((place, index) => (
            <g key={place}>
              {marks?.has(place) && <line class="mark" x1={x(index)} x2={x(index)} y1={TOP} y2={HEIGHT - BOTTOM} />}
              {(index === 0 ||
                index === last ||
                ((last - index) % every === 0 && index >= every && x(index) + labelPx / 2 <= endsAt - labelPx)) && (
                <text
                  x={index > 0 && index === last ? endsAt : x(index)}
                  y={HEIGHT - 4}
                  text-anchor={index > 0 && index === last ? 'end' : 'middle'}
                >
                  {label(place)}
                </text>
              )}
            </g>
          ))}
          {series.map((each, rank) =>
            isLines ? (
              <Line key={each.name} values={each.values} shade={shade(rank, each)} mark={rank} x={x} y={y} />
            ) : (
              places.map((place, index) => {
                const value = each.values[index] ?? 0;
                const below = series.slice(0, rank).reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
                const height = Math.max(1.5, y(below) - y(below + value) - 1);
                const box = { x: x(index) - barWidth / 2, y: y(below + value), width: barWidth, height, rx: 2 };
                const fill = each.isError ? { fill: `url(#${pattern})` } : {};
                return value > 0 && <rect key={`${place} ${each.name}`} class={shade(rank, each)} {...fill} {...box} />;
              })
            ),
          )}
          {hasEnds && <EndLabels lines={ends} x={width - right + 4} y={y} top={TOP} bottom={HEIGHT - BOTTOM} />}
        </svg>
        {chosen && (
          <div class="tooltip" style={{ insetInlineStart: `${Math.max(0, Math.min(x(chosen.index) - 110, width - 220))}px` }}>
            <strong>{chosen.name}</strong>
            <dl>
              {(isLines ? fromTop(series, chosen.index, isRank === true) : [...series.entries()].reverse()).map(([rank, each]) => (
                <div key={each.name}>
                  <dt>
                    <Swatch shade={shade(rank, each)} />
                    {each.name}
                  </dt>
                  <dd>{textOf(each, chosen.index)}</dd>
                </div>
              ))}
            </dl>
            {chosen.mark}
          </div>
        )}
        <Status
          words={
            chosen &&
            `${chosen.name}: ${[...series.map((each) => `${each.name} ${textOf(each, chosen.index)}`), ...(chosen.mark ? [chosen.mark] : [])].join(', ')}`
          }
        />
      </fieldset>
      {!hasEnds && (series.length > 1 || band) && (
        <Legend
          entries={[...series.map((each, rank) => [shade(rank, each), nameWithLast(each)]), ...(band ? [['band', band.name]] : [])]}
        />
      )}
      <details>
        <summary>Table of {title}</summary>
        <DataTable
          caption={title}
          rows={[...places.entries()]}
          columns={[
            { name: title.split(' by ')[1] ?? 'Place', of: ([, place]) => label(place) },
            ...series.map((each) => ({ name: each.name, as: 'number' as const, of: ([index]: [number, string]) => textOf(each, index) })),
          ]}
        />
      </details>
    </figure>
  );
}

export const Legend = ({ entries }: { entries: readonly (readonly string[])[] }) => (
  <ul class="legend">
    {entries.map(([shade, words]) => (
      <li key={words}>
        <Swatch shade={shade ?? ''} />
        {words}
      </li>
    ))}
  </ul>
);

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
      <Line values={values} shade="s1" x={(index) => 3 + index * step} y={y} />
    </svg>
  );
}
