const DAY_MS = 86_400_000;

/** When a date begins as a day (UTC), and when it is over: a day without a time lasts until midnight. */
export function spanOf(on: string): { readonly dayMs: number; readonly endsMs: number } {
  const dayMs = Date.parse(on.slice(0, 10));
  return { dayMs, endsMs: on.length > 10 ? Date.parse(on) : dayMs + DAY_MS };
}

/** Whether a date was over at a time. `on`: of an entry of kind `due`, its `after`. */
export const wasOver = (on: unknown, ms: number): boolean => typeof on === 'string' && ms >= spanOf(on).endsMs;
