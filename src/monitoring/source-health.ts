import type { SourceState } from '../contract/admin/schemas.ts';
import { type Clock, HOUR_MS } from '../runtime/clock.ts';
import type { AttemptEnd } from '../telemetry/metrics.ts';

const HOURS = 24;
/** Durations stored of each hour, a random sample of them. */
const SAMPLES = 64;

interface Hour {
  readonly hour: number;
  readonly byTag: Map<string, number>;
  good: number;
  readonly durationsMs: number[];
  attempts: number;
}
export type SourceHealth = ReturnType<typeof createSourceHealth>;

/** Counts attempts by source and hour. In memory: a restart resets the counts. */
export function createSourceHealth(clock: Clock, random: () => number) {
  const bySource = new Map<string, Hour[]>();
  const hourNow = (): number => Math.floor(clock.now() / HOUR_MS);
  const recent = (source: string): Hour[] => {
    const hours = (bySource.get(source) ?? []).filter(({ hour }) => hour > hourNow() - HOURS);
    bySource.set(source, hours);
    return hours;
  };

  return {
    onAttempt(source: string, ended: AttemptEnd | null): void {
      if (!ended) return;
      const hours = recent(source);
      let last = hours.at(-1);
      if (last?.hour !== hourNow()) {
        last = { hour: hourNow(), byTag: new Map(), good: 0, durationsMs: [], attempts: 0 };
        hours.push(last);
      }
      last.attempts++;
      if (ended.tag === 'absent' || (ended.tag === 'found' && !ended.unread?.length)) last.good++;
      last.byTag.set(ended.tag, (last.byTag.get(ended.tag) ?? 0) + 1);
      // reservoir sampling: every attempt of the hour is stored with the same probability
      const place = last.durationsMs.length < SAMPLES ? last.durationsMs.length : Math.floor(random() * last.attempts);
      if (place < SAMPLES) last.durationsMs[place] = ended.ms;
    },
    of(source: string): SourceState['last24h'] {
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
        hours: Array.from({ length: HOURS }, (_, i) => {
          const { attempts: all = 0, good = 0 } = hours.find(({ hour }) => hour === hourNow() - HOURS + 1 + i) ?? {};
          return { attempts: all, good };
        }),
      };
    },
  };
}
