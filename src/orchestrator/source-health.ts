import type { Clock } from '../runtime/clock.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Durations kept of each hour, a random sample of them. */
const SAMPLES = 64;

interface Hour {
  readonly hour: number;
  readonly byTag: Map<string, number>;
  readonly durationsMs: number[];
  attempts: number;
}
/** Attempts at one source in the last 24 hours, counted by this process. */
export interface HealthOfSource {
  readonly attempts: number;
  readonly found: number;
  readonly absent: number;
  /** Number of attempts by the tag of their failure. */
  readonly failures: Readonly<Record<string, number>>;
  /** Share of attempts that found the thing or proved that it is not there, 0 to 1; null: no attempts. */
  readonly successShare: number | null;
  readonly medianMs: number | null;
}
export interface SourceHealth {
  /** Counts the end of an attempt (null, its start, is not counted). */
  watch(source: string, ended: { readonly tag: string; readonly ms: number } | null): void;
  of(source: string): HealthOfSource;
}

/** Counts attempts by source and hour. Kept in memory: a restart begins anew. */
export function createSourceHealth(clock: Clock, random: () => number): SourceHealth {
  const bySource = new Map<string, Hour[]>();
  const hourNow = (): number => Math.floor(clock.now() / HOUR_MS);
  const recent = (source: string): Hour[] => {
    const hours = (bySource.get(source) ?? []).filter(({ hour }) => hour > hourNow() - HOURS);
    bySource.set(source, hours);
    return hours;
  };

  return {
    watch(source, ended) {
      if (!ended) return;
      const hours = recent(source);
      let last = hours.at(-1);
      if (last?.hour !== hourNow()) {
        last = { hour: hourNow(), byTag: new Map(), durationsMs: [], attempts: 0 };
        hours.push(last);
      }
      last.attempts++;
      last.byTag.set(ended.tag, (last.byTag.get(ended.tag) ?? 0) + 1);
      // reservoir sampling: every attempt of the hour is kept with the same probability
      const place = last.durationsMs.length < SAMPLES ? last.durationsMs.length : Math.floor(random() * last.attempts);
      if (place < SAMPLES) last.durationsMs[place] = ended.ms;
    },
    of(source) {
      const hours = recent(source);
      const byTag: Record<string, number> = {};
      for (const hour of hours) for (const [tag, n] of hour.byTag) byTag[tag] = (byTag[tag] ?? 0) + n;
      const { found = 0, absent = 0, ...failures } = byTag;
      const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
      const durationsMs = hours.flatMap((hour) => hour.durationsMs).sort((a, b) => a - b);
      return {
        attempts,
        found,
        absent,
        failures,
        successShare: attempts ? (found + absent) / attempts : null,
        medianMs: durationsMs[Math.floor(durationsMs.length / 2)] ?? null,
      };
    },
  };
}
