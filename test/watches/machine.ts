import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type StoreRequest } from '../../src/store/sqlite/engine.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { silent } from '../ledger/backends.ts';
import type { Random } from '../simulation/random.ts';

/** What happens to a process at one of its next statements: it never returns, or only after it is thawed. */
export type Fate = 'kill' | 'freeze';
export interface Process {
  readonly store: Store;
  /** It meets its fate after so many statements. */
  doom(fate: Fate, statements: number): void;
  readonly state: () => 'runs' | Fate;
  /** Resolves when its fate has come. */
  readonly stopped: () => Promise<void>;
  /** A frozen process goes on. */
  thaw(): void;
}
export type Machine = ReturnType<typeof createMachine>;

/**
 * SQLite on this thread, shared by processes that are killed and frozen between any two statements. As with real processes, statements of one
 * wait while another has a transaction open, and the transaction of a killed one is rolled back.
 */
export function createMachine(random: Random, now: () => number) {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-watches-'));
  const engine = openEngine({ folder, lockWaitMs: 0, commitDelayMs: 0 });
  // no process outlives this one: nothing is proved by an fsync
  engine.run({ kind: 'query', sql: 'pragma synchronous = off', parameters: [] });
  /** The process with an open transaction. */
  let inTransaction: object | null = null;
  let waiting: (() => void)[] = [];
  let statements = 0;

  function ended(): void {
    inTransaction = null;
    const resumed = waiting;
    waiting = [];
    for (const resume of resumed) resume();
  }
  function answer(owner: object, request: StoreRequest): unknown {
    const sql = request.kind === 'query' ? request.sql : '';
    try {
      statements++;
      return engine.run(request);
    } finally {
      if (sql === 'begin immediate') inTransaction = owner;
      if (sql === 'commit' || sql === 'rollback') ended();
    }
  }
  async function openProcess(): Promise<Process> {
    const owner = {};
    let fate: Fate = 'kill';
    let left = Number.POSITIVE_INFINITY;
    let state: 'runs' | Fate = 'runs';
    let stop = (): void => {};
    let stopped = new Promise<void>((resolve) => (stop = resolve));
    let thaw = (): void => {};
    let thawed = Promise.resolve();
    const never = new Promise<never>(() => {});

    async function run(request: StoreRequest): Promise<unknown> {
      for (;;) {
        if (state === 'kill') return never;
        if (state === 'freeze') await thawed;
        else if (inTransaction !== null && inTransaction !== owner) await new Promise<void>((resolve) => waiting.push(resolve));
        else break;
      }
      left--;
      // a frozen process with an open transaction would stop every other one on SQLite
      if (left > 0 || (fate === 'freeze' && inTransaction === owner)) return answer(owner, request);
      left = Number.POSITIVE_INFINITY;
      state = fate;
      stop();
      if (fate === 'freeze') {
        thawed = new Promise((resolve) => (thaw = resolve));
        return run(request);
      }
      // of the statements at which a process dies one half is executed
      if (random.chance(0.5)) answer(owner, request);
      if (inTransaction === owner) answer(owner, { kind: 'query', sql: 'rollback', parameters: [] });
      return never;
    }
    const startEngine = async () => ({ run, end: async () => {} });
    const store = await openEmbedded({ folder, now, log: silent, startEngine });
    return {
      store,
      doom(next, after) {
        [fate, left] = [next, after];
      },
      state: () => state,
      stopped: () => stopped,
      thaw() {
        if (state !== 'freeze') return;
        state = 'runs';
        stopped = new Promise<void>((resolve) => (stop = resolve));
        thaw();
      },
    };
  }
  return {
    openProcess,
    statements: () => statements,
    close(): void {
      engine.run({ kind: 'close' });
      rmSync(folder, { recursive: true });
    },
  };
}
