/** A mutex in order of arrival. `acquire` takes a free mutex synchronously, without a turn of the event loop. */
export interface Mutex {
  readonly held: boolean;
  acquire(): Promise<void>;
  release(): void;
}

export function createMutex(): Mutex {
  let held = false;
  const waiting: (() => void)[] = [];
  return {
    get held() {
      return held;
    },
    acquire() {
      if (!held) {
        held = true;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release() {
      const next = waiting.shift();
      if (next) next();
      else held = false;
    },
  };
}
