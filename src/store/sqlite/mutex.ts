/** One at a time, in order of arrival. `acquire` is taken at once, without a turn of the event loop, where nobody holds it. */
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
