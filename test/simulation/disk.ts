import { type Engine, openEngine, type StoreRequest } from '../../src/store/sqlite/engine.ts';
import type { StartEngine } from '../../src/store/sqlite/thread.ts';
import type { Random } from './random.ts';
import type { Owner, Timeline } from './timeline.ts';

/** What the disk does to writes. */
export interface DiskFaults {
  /** Until this simulated time each write fails with this chance. */
  badUntil: number;
  badChance: number;
  /** Until this simulated time an fsync takes up to three seconds. */
  slowUntil: number;
}
export interface Disk {
  readonly startEngine: StartEngine;
  readonly faults: DiskFaults;
  /** Reads what is committed, at once. */
  read(sql: string, parameters: readonly unknown[]): readonly Record<string, unknown>[];
  /** The process ends: the write that it waits for is committed or not, and its reply never comes. */
  kill(): void;
  /** Failed writes so far. */
  readonly failed: () => number;
}

const isWrite = ({ kind }: StoreRequest): boolean => kind === 'append' || kind === 'atomically';
/** A fault falls between batches, not inside the transaction of a command. */
const mayFail = (request: StoreRequest): boolean => request.kind === 'atomically' || (request.kind === 'append' && !request.within);
const diskError = (): Error => Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });

/** The real SQLite store on this thread. Requests are answered in order, each after the time that the disk takes. */
export function createDisk(timeline: Timeline, owner: Owner, random: Random): Disk {
  const faults: DiskFaults = { badUntil: 0, badChance: 0.5, slowUntil: 0 };
  let engine: Engine | null = null;
  let busyUntil = 0;
  let failed = 0;
  const waiting: StoreRequest[] = [];

  function timeOf(request: StoreRequest): number {
    if (!isWrite(request)) return 0.05 + random.next() * 0.3;
    return timeline.now() < faults.slowUntil ? 50 + random.next() * 3_000 : 0.3 + random.wait(1.5);
  }
  return {
    faults,
    failed: () => failed,
    startEngine: async (options) => {
      const opened = openEngine(options);
      engine = opened;
      return {
        run: (request) =>
          new Promise((resolve, reject) => {
            busyUntil = Math.max(busyUntil, timeline.now()) + timeOf(request);
            waiting.push(request);
            timeline.add(busyUntil - timeline.now(), owner, () => {
              waiting.shift();
              const isBad = timeline.now() < faults.badUntil && mayFail(request) && random.chance(faults.badChance);
              if (isBad) failed++;
              // of failed writes one half is committed, and only its reply is lost
              if (isBad && random.chance(0.5)) return reject(diskError());
              try {
                const result = opened.run(request);
                if (isBad) reject(diskError());
                else resolve(result);
              } catch (error) {
                reject(error);
              }
            });
          }),
        end: async () => {},
      };
    },
    read(sql, parameters) {
      if (!engine) return [];
      return (engine.run({ kind: 'query', sql, parameters }) as { rows: Record<string, unknown>[] }).rows;
    },
    kill() {
      const [next] = waiting;
      if (engine && next && mayFail(next) && random.chance(0.5)) engine.run(next);
      // an open transaction is rolled back
      engine?.run({ kind: 'close' });
      engine = null;
    },
  };
}
