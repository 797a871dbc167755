import type { Gap } from './evidence.ts';

const TICK_MS = 10;
const LATE_MS = 10;

/** Records when this process runs late: clients and platforms run in it, and their recorded times are late by as much. */
export function watchStalls(): { readonly stalls: Gap[]; stop(): void } {
  const stalls: Gap[] = [];
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last - TICK_MS > LATE_MS) stalls.push({ from: last, until: now });
    last = now;
  }, TICK_MS);
  return { stalls, stop: () => clearInterval(timer) };
}
