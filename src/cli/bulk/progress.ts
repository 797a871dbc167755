/** Counts of a run so far. */
export interface Counts {
  readonly lines: number;
  readonly done: number;
  readonly failed: number;
  readonly credits: number;
  /** Lines answered by this run, and the time it has taken. */
  readonly answered: number;
  readonly elapsedMs: number;
}

const BAR_WIDTH = 24;

export const grouped = (n: number): string => n.toLocaleString('en-US');
export const plural = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`;

export function durationText(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Lines a second; 0 before the first one. */
export const rateOf = ({ answered, elapsedMs }: Counts): number => (elapsedMs > 0 ? (answered * 1000) / elapsedMs : 0);
/** Time left at the rate so far; null before the first line. */
export const leftMsOf = (counts: Counts): number | null => {
  const rate = rateOf(counts);
  return rate > 0 ? ((counts.lines - counts.done) * 1000) / rate : null;
};

export function progressText(counts: Counts): string {
  const rate = rateOf(counts);
  const leftMs = leftMsOf(counts);
  return [
    `${grouped(counts.done)}/${grouped(counts.lines)}`,
    `${grouped(counts.failed)} failed`,
    plural(counts.credits, 'credit'),
    `${rate < 10 ? rate.toFixed(1) : grouped(Math.round(rate))}/s`,
    leftMs === null ? '…' : `${durationText(leftMs)} left`,
  ].join(' · ');
}

export function progressBar(counts: Counts): string {
  const share = counts.lines ? counts.done / counts.lines : 1;
  const filled = Math.floor(share * BAR_WIDTH);
  const percent = `${Math.floor(share * 100)} %`.padStart(5);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${percent} · ${progressText(counts)}`;
}
