import type { Gap } from './evidence.ts';

const TICK_MS = 10;
const LATE_MS = 10;

/**
 * Records when this process runs late: clients and platforms run in it, and their recorded times are late by as much. Late turns of the event
 * loop that follow each other are one stall: a connection is accepted in one of them, and its request read in a later one.
 */
export function watchStalls(): { readonly stalls: Gap[]; stop(): void } {
  const stalls: Gap[] = [];
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last - TICK_MS > LATE_MS) {
      const before = stalls.at(-1)?.until === last ? stalls.pop() : undefined;
      stalls.push({ from: before?.from ?? last, until: now });
    }
    last = now;
  }, TICK_MS);
  return { stalls, stop: () => clearInterval(timer) };
}
