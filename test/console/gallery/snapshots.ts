/** What the sections of the gallery look like, as text: one line for each section, width and theme. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'test/console/gallery/snapshots.txt';

export interface Look {
  readonly height: number;
  /** Thousandths of a full colour, by hue from red on. */
  readonly hues: readonly number[];
  /** Mean luminance of each cell, 0 to 63, row by row. */
  readonly cells: readonly number[];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HUE_NAMES = ['red', 'orange', 'yellow', 'lime', 'green', 'sea green', 'cyan', 'azure', 'blue', 'violet', 'magenta', 'rose'];

/** Cells that are alike and follow each other are written as `A{12}`. */
const textOf = ({ height, hues, cells }: Look): string =>
  `${height} ${hues.join(',').replace(/\b0\b/g, '')} ${cells
    .map((cell) => DIGITS[cell])
    .join('')
    .replace(/(.)\1{3,}/g, (run, digit: string) => `${digit}{${run.length}}`)}`;
function lookOf(text: string): Look {
  const [height, hues = '', cells = ''] = text.split(' ');
  const digits = cells.replace(/(.)\{(\d+)\}/g, (_, digit: string, count: string) => digit.repeat(Number(count)));
  return { height: Number(height), hues: hues.split(',').map(Number), cells: [...digits].map((digit) => DIGITS.indexOf(digit)) };
}

export function readLooks(): ReadonlyMap<string, Look> {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(
    lines.map((line) => /^(\S+ \d+ \S+) (.+)$/.exec(line)).flatMap((found) => (found ? [[found[1] ?? '', lookOf(found[2] ?? '')]] : [])),
  );
}
export const writeLooks = (looks: ReadonlyMap<string, Look>): void =>
  writeFileSync(
    FILE,
    [...looks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, look]) => `${key} ${textOf(look)}\n`)
      .join(''),
  );

/** Other fonts and other versions of the browser differ by less than these. */
const TOLERATED = { heightPx: 16, heightShare: 0.03, levels: 2, cells: 0.2, mean: 1.4, hue: 0.35, leastHue: 0.6 };

/** Heights beyond this are not compared: rows of long lists that were never in view have an estimated height. */
const MOST_PX = 2_000;

/** What is different, in words; null: no more than is tolerated. */
export function differenceOf(is: Look, was: Look, columns: number): string | null {
  const said: string[] = [];
  const [height, before] = [Math.min(MOST_PX, is.height), Math.min(MOST_PX, was.height)];
  if (Math.abs(height - before) > Math.max(TOLERATED.heightPx, TOLERATED.heightShare * before))
    said.push(`it is ${is.height} px high, not ${was.height}`);
  const [rows, rowsBefore] = [is.cells.length / columns, was.cells.length / columns];
  const steps = is.cells.map((level, at) => {
    const row = Math.floor((Math.floor(at / columns) * rowsBefore) / rows);
    return level - (was.cells[row * columns + (at % columns)] ?? 0);
  });
  const off = steps.flatMap((step, at) => (Math.abs(step) > TOLERATED.levels ? [at] : []));
  const mean = steps.reduce((sum, step) => sum + Math.abs(step), 0) / steps.length;
  if (off.length > Math.max(1, TOLERATED.cells * steps.length) || mean > TOLERATED.mean) {
    const [inRows, inColumns] = [off.map((at) => 1 + Math.floor(at / columns)), off.map((at) => 1 + (at % columns))];
    const span = (of: readonly number[]): string => `${Math.min(...of)} to ${Math.max(...of)}`;
    const where = off.length ? `, in rows ${span(inRows)} of ${rows} and columns ${span(inColumns)} of ${columns}` : '';
    said.push(`${off.length} of ${steps.length} cells differ${where}, by ${mean.toFixed(1)} of 63 in the mean`);
  }
  const most = Math.max(...[is, was].map(({ hues }) => hues.reduce((sum, hue) => sum + hue, 0)));
  const moved = is.hues.map((hue, at) => hue - (was.hues[at] ?? 0));
  const sum = moved.reduce((all, each) => all + Math.abs(each), 0);
  if (sum > Math.max(TOLERATED.leastHue, TOLERATED.hue * most)) {
    const named = moved.flatMap((each, at) => (Math.abs(each) > sum / 4 ? [`${each > 0 ? 'more' : 'less'} ${HUE_NAMES[at]}`] : []));
    said.push(`its colours have ${named.join(', ')}`);
  }
  return said.length ? said.join('; ') : null;
}
