import type { Store } from '../../src/store/store.ts';

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
  /** Closes what a process that runs has open. */
  end(): Promise<void>;
}
/** A store that is shared by processes which are killed and frozen between any two statements. */
export interface Machine {
  openProcess(): Promise<Process>;
  readonly statements: () => number;
  close(): Promise<void>;
}
export const never = new Promise<never>(() => {});

/** The fate of one process. Each statement asks `waits` until it need not wait, and then at once what `meets` it. */
export function createFate() {
  let fate: Fate = 'kill';
  let left = Number.POSITIVE_INFINITY;
  let state: 'runs' | Fate = 'runs';
  let stop = (): void => {};
  let stopped = new Promise<void>((resolve) => (stop = resolve));
  let thaw = (): void => {};
  let thawed = Promise.resolve();
  return {
    /** What the process waits for; null: it runs. */
    waits: (): Promise<void> | null => (state === 'kill' ? never : state === 'freeze' ? thawed : null),
    /** Counts a statement. `freeze`: it waits again; `kill`: it is the last one, and `stop` follows. A process with a transaction is not frozen: others would wait for it. */
    meets(inTransaction: boolean): 'runs' | Fate {
      left--;
      if (left > 0 || (fate === 'freeze' && inTransaction)) return 'runs';
      left = Number.POSITIVE_INFINITY;
      state = fate;
      if (fate === 'freeze') {
        thawed = new Promise((resolve) => (thaw = resolve));
        stop();
      }
      return fate;
    },
    stop: (): void => stop(),
    /** What a test sees of it. */
    shown: {
      doom(next: Fate, after: number): void {
        [fate, left] = [next, after];
      },
      state: () => state,
      stopped: () => stopped,
      thaw(): void {
        if (state !== 'freeze') return;
        state = 'runs';
        stopped = new Promise<void>((resolve) => (stop = resolve));
        thaw();
      },
    },
  };
}
