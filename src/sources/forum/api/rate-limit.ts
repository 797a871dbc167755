import type { PaceRule } from '../../../upstream/ports.ts';

/** One key, because the whole service shares one client id. */
export const PACE_KEY = 'forum/api';

const WINDOW_MS = 600_000;
/** Allowance of one client: 1,000 requests in 10 minutes (Data API wiki, recordings of 2026). */
const ALLOWANCE = 1_000;
const MAX_BURST = 100;
/** Requests of a window that are left unused, because other processes may be about to use them. */
const RESERVE = 2;

/**
 * The pace derived from the platform's rate headers (`x-ratelimit-used`, `-remaining`, `-reset` in seconds): the remaining allowance is
 * spread over the remaining window, with bursts of a fifth of it.
 */
export function createRate() {
  let everyMs = WINDOW_MS / ALLOWANCE;
  let burst = MAX_BURST;
  return {
    rule: (): PaceRule => ({ key: PACE_KEY, everyMs, burst }),
    /** Updates the pace from an answer. Returns the time until which requests must pause (epoch ms), or null. */
    note(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
      const [used, left, reset] = ['used', 'remaining', 'reset'].map((name) => amount(headers[`x-ratelimit-${name}`]));
      if (left === undefined || left === null || reset === undefined || reset === null) return null;
      const leftMs = Math.min(reset * 1000, WINDOW_MS);
      if (left < RESERVE) return nowMs + leftMs;
      const allowance = Math.max(left + (used ?? 0), 1);
      everyMs = Math.ceil(Math.max(WINDOW_MS / allowance, leftMs / left));
      burst = Math.max(1, Math.min(MAX_BURST, Math.floor(left / 5)));
      return null;
    },
  };
}

function amount(text: string | undefined): number | null {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return value >= 0 && Number.isFinite(value) ? value : null;
}
