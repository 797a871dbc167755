import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type StoreRequest } from '../../src/store/sqlite/engine.ts';
import { openEmbedded } from '../../src/store/sqlite/sqlite.ts';
import { type Backend, silent } from '../ledger/backends.ts';
import type { Random } from '../simulation/random.ts';
import { createFate, type Machine, never, type Process } from './fates.ts';
import { openPostgresMachine } from './machine-postgres.ts';

/**
 * SQLite on this thread, shared by processes that are killed and frozen between any two statements. As with real processes, statements of one
 * wait while another has a transaction open, and the transaction of a killed one is rolled back.
 */
function openEmbeddedMachine(random: Random, now: () => number): Machine {
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
    const fate = createFate();
    const waits = (): Promise<void> | null =>
      fate.waits() ?? (inTransaction !== null && inTransaction !== owner ? new Promise<void>((resolve) => waiting.push(resolve)) : null);

    async function run(request: StoreRequest): Promise<unknown> {
      for (;;) {
        for (let wait = waits(); wait; wait = waits()) await wait;
        const met = fate.meets(inTransaction === owner);
        if (met === 'runs') return answer(owner, request);
        if (met === 'freeze') continue;
        fate.stop();
        // of the statements at which a process dies one half is executed
        if (random.chance(0.5)) answer(owner, request);
        if (inTransaction === owner) answer(owner, { kind: 'query', sql: 'rollback', parameters: [] });
        return never;
      }
    }
    const startEngine = async () => ({ run, end: async () => {} });
    return { store: await openEmbedded({ folder, now, log: silent, startEngine }), ...fate.shown, end: async () => {} };
  }
  return {
    openProcess,
    statements: () => statements,
    async close() {
      engine.run({ kind: 'close' });
      rmSync(folder, { recursive: true });
    },
  };
}

/** A machine on this store; its clock is `now`. */
export const openMachine = async (store: Backend['name'], random: Random, now: () => number): Promise<Machine> =>
  store === 'postgres' ? openPostgresMachine(random, now) : openEmbeddedMachine(random, now);
