import type { Clock } from '../../src/runtime/clock.ts';

/** A process on the timeline. What it waits for happens at its time unless it is frozen then, and never once it is dead. */
export interface Owner {
  dead: boolean;
  /** Simulated time until which it does nothing. */
  frozenUntil: number;
  /** How far its clock is ahead of the simulated time. */
  clockOffsetMs: number;
}
export const createOwner = (): Owner => ({ dead: false, frozenUntil: 0, clockOffsetMs: 0 });

/** Simulated time: events in the order of their times, and of their creation where these are equal. */
export interface Timeline {
  readonly now: () => number;
  /** Calls `run` after `ms`. Returns the function that cancels it. */
  add(ms: number, owner: Owner, run: () => void): () => void;
  /** The clock that a process reads. */
  clockOf(owner: Owner): Clock;
  /** Runs events until `done` or until there are none. */
  run(done: () => boolean): Promise<void>;
}

interface Event {
  at: number;
  readonly order: number;
  readonly owner: Owner;
  run: (() => void) | null;
}
const START = Date.UTC(2026, 10, 1, 12);
/** Turns of the event loop after each event: the work that it starts goes on until it waits for another event. */
const TURNS = 4;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createTimeline(): Timeline {
  const heap: Event[] = [];
  let nowMs = START;
  let order = 0;
  const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
  function push(event: Event): void {
    heap.push(event);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at] as Event, heap[parent] as Event)) break;
      [heap[at], heap[parent]] = [heap[parent] as Event, heap[at] as Event];
      at = parent;
    }
  }
  function pop(): Event | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || first === last) return first;
    heap[0] = last;
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      let least = at;
      for (const child of [left, left + 1]) if (child < heap.length && isBefore(heap[child] as Event, heap[least] as Event)) least = child;
      if (least === at) return first;
      [heap[at], heap[least]] = [heap[least] as Event, heap[at] as Event];
      at = least;
    }
  }
  const add: Timeline['add'] = (ms, owner, run) => {
    const event: Event = { at: nowMs + Math.max(0, ms), order: order++, owner, run };
    push(event);
    return () => {
      event.run = null;
    };
  };
  return {
    now: () => nowMs,
    add,
    clockOf: (owner) => ({
      now: () => Math.floor(nowMs + owner.clockOffsetMs),
      sleep(ms, signal) {
        if (signal?.aborted || !(ms > 0)) return Promise.resolve();
        return new Promise((resolve) => {
          const end = () => {
            cancel();
            signal?.removeEventListener('abort', end);
            resolve();
          };
          const cancel = add(ms, owner, end);
          signal?.addEventListener('abort', end, { once: true });
        });
      },
      after: (ms, run) => add(ms, owner, run),
    }),
    async run(done) {
      while (!done()) {
        const event = pop();
        if (!event) return;
        const { run, owner } = event;
        if (!run || owner.dead) continue;
        nowMs = Math.max(nowMs, event.at);
        if (owner.frozenUntil > nowMs) {
          push({ ...event, at: owner.frozenUntil, order: order++ });
          event.run = null;
          continue;
        }
        run();
        for (let left = TURNS; left > 0; left--) await turn();
      }
    },
  };
}
