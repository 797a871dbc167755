import type { Rankings } from '../../contract/account/ranking-schemas.ts';
import { courseOf, MARKS, spread, ticksOf } from '../../contract/chart.ts';
import { escaped } from '../http/html-page.ts';
import { percent, shortDay } from './words.ts';

const [HEIGHT, LEFT, TOP, BOTTOM] = [200, 40, 8, 22];
const LABEL_PX = 15;
/** Of a character of a label, rounded up. */
const CHARACTER_PX = 7.5;
const round = (value: number): number => Math.round(value * 10) / 10;

/** The visibility of each site by day, drawn for a width: with labels at the ends of the lines, or without. */
export function chartOf({ sites, visibility }: Rankings, width: number, hasLabels: boolean): string {
  const lines = sites.map((site, rank) => {
    const values = visibility.map((day) => day.sites[rank] ?? null);
    const lastIndex = values.findLastIndex((value) => value !== null);
    return { site, rank, values, lastIndex, last: values[lastIndex] ?? null };
  });
  const known = lines.flatMap((line) => (line.last === null ? [] : [{ ...line, last: line.last }]));
  const longest = Math.max(0, ...known.map(({ site, last }) => `${site} ${percent(last)}`.length));
  const right = hasLabels ? Math.min(width / 2, 16 + longest * CHARACTER_PX) : 10;
  const ticks = ticksOf(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))), false);
  const top = ticks.at(-1) ?? 1;
  const y = (value: number): number => round(HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP));
  const x = (index: number): number => round(LEFT + 4 + ((width - LEFT - right - 8) * index) / Math.max(1, visibility.length - 1));
  const last = visibility.length - 1;
  const days = [...new Set([0, Math.round(last / 3), Math.round((2 * last) / 3), last])].filter((index) => index >= 0 && index <= last);
  const heights = spread(
    known.map((line) => y(line.last)),
    LABEL_PX,
    TOP,
    HEIGHT - BOTTOM,
  );
  const anchorOf = (index: number): string => (index === 0 ? 'start' : index === last ? 'end' : 'middle');
  return `<svg width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="Visibility by day; the values stand in the list of sites">
${ticks.map((tick) => `<line class="line" x1="${LEFT}" x2="${width - right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${percent(tick)}</text>`).join('')}
${days.map((index) => `<text x="${x(index)}" y="${HEIGHT - 4}" text-anchor="${anchorOf(index)}">${shortDay(visibility[index]?.day ?? '')}</text>`).join('')}
${known.map(({ values, rank, lastIndex, last: value }) => `<g class="s${rank + 1}"><path class="course" d="${courseOf(values, x, y)}"/><path d="${MARKS[rank]}" transform="translate(${x(lastIndex)} ${y(value)})"/></g>`).join('')}
${hasLabels ? known.map(({ site, last: value, rank }, i) => `<text${rank === 0 ? ' class="own"' : ''} x="${width - right + 8}" y="${(heights[i] ?? 0) + 4}">${escaped(site)} <tspan class="value">${percent(value)}</tspan></text>`).join('') : ''}
</svg>`;
}
/** The mark of a site in its colour. */
export const markOf = (rank: number): string =>
  `<svg class="mark s${rank + 1}" width="12" height="12" viewBox="-6 -6 12 12" aria-hidden="true"><path d="${MARKS[rank] ?? MARKS[0]}"/></svg>`;
