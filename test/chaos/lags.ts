import type { Gap } from './evidence.ts';

const TICK_MS = 10;
const LATE_MS = 10;

/** Notes when this process itself runs late: the clients and the platforms live in it, and see no sooner than it does. */
export function watchLags(): { readonly lags: Gap[]; stop(): void } {
  const lags: Gap[] = [];
  let last = Date.now();
  const timer = setInterval(() => {
    const now = Date.now();
    if (now - last - TICK_MS > LATE_MS) lags.push({ from: last, until: now });
    last = now;
  }, TICK_MS);
  return { lags, stop: () => clearInterval(timer) };
}
