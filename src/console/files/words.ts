import { pageAt } from '../app/place.ts';
import { number, plural, unbroken } from '../parts/format.ts';

export const fileAt = (id: string): string => pageAt(`/console/files/${encodeURIComponent(id)}`);

/** Bytes in the units of SI, with a space that does not break. */
export function bytesText(bytes: number): string {
  const [unit, size] =
    bytes < 1_000 ? ['B', 1] : bytes < 1_000_000 ? ['kB', 1_000] : bytes < 1_000_000_000 ? ['MB', 1_000_000] : ['GB', 1e9];
  const value = bytes / Number(size);
  return `${value < 10 && size !== 1 ? value.toFixed(1) : number(Math.round(value))}\u00a0${unit}`;
}

/** Time in words for people: 40 s, 16 min, 2 h 5 min. */
export function timeText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}\u00a0s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}\u00a0min`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return rest === 0 ? `${hours}\u00a0h` : `${hours}\u00a0h ${rest}\u00a0min`;
}

const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const hourFormat = new Intl.DateTimeFormat('en', minutes);
const dayHourFormat = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', ...minutes });
/** A local time: of another day with the day. */
export function clockTime(ms: number, nowMs: number): string {
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return unbroken((isToday ? hourFormat : dayHourFormat).format(ms));
}

export const linesText = (count: number): string => plural(count, 'line').replace(' ', '\u00a0');

/** Lines that an estimate is made of, at least. */
export const MEASURED_LINES = 20;
export interface Pace {
  readonly perMinute: number;
  readonly leftMs: number;
}
/** How fast lines are answered, and how long the others take; null before enough of them are. */
export function paceOf({
  answered,
  elapsedMs,
  left,
}: {
  readonly answered: number;
  readonly elapsedMs: number;
  readonly left: number;
}): Pace | null {
  if (answered < MEASURED_LINES || elapsedMs <= 0) return null;
  return { perMinute: (answered * 60_000) / elapsedMs, leftMs: (left * elapsedMs) / answered };
}

/** The tenth of the lines that is done, in words that are said when they change. */
export const tenthText = (done: number, lines: number): string =>
  lines === 0 ? '' : `${Math.floor((done / lines) * 10) * 10} percent of the lines are done`;
