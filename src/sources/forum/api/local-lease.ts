import type { Lease } from '../../../upstream/ports.ts';

/** A lease within this process: a queue per key. */
export function createLocalLease(): Lease {
  const tails = new Map<string, Promise<void>>();
  return {
    async alone(key, work, signal) {
      const before = tails.get(key);
      let leave = () => {};
      const done = new Promise<void>((resolve) => {
        leave = resolve;
      });
      const tail = (before ?? Promise.resolve()).then(() => done);
      tails.set(key, tail);
      try {
        if (before) await turn(before, signal);
        return signal.aborted ? null : await work();
      } finally {
        leave();
        if (tails.get(key) === tail) tails.delete(key);
      }
    },
  };
}

/** Ends with the one before, or with the signal. */
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
