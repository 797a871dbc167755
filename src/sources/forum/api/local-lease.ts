import type { Lease } from '../../../upstream/ports.ts';

/** Mutual exclusion within this process: one queue per key. */
export function createLocalLease(): Lease {
  const tails = new Map<string, Promise<void>>();
  return {
    async alone(key, work, signal) {
      const before = tails.get(key);
      let release = () => {};
      const done = new Promise<void>((resolve) => {
        release = resolve;
      });
      const tail = (before ?? Promise.resolve()).then(() => done);
      tails.set(key, tail);
      try {
        if (before) await turn(before, signal);
        return signal.aborted ? null : await work();
      } finally {
        release();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}

/** Resolves when the task before ends, or when the signal fires. */
function turn(before: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      signal.removeEventListener('abort', end);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
    void before.then(end);
  });
}
