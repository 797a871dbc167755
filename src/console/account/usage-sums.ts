import type { AccountUsage } from '../../contract/account/schemas.ts';

const DAY_MS = 86_400_000;

export interface DayOfOperation {
  readonly day: string;
  readonly operation: string;
  readonly requests: number;
  readonly errors: number;
  readonly credits: number;
}

/** Sums over keys and statuses, newest day first. */
export function byDayAndOperation(days: AccountUsage['days']): readonly DayOfOperation[] {
  const sums = new Map<string, DayOfOperation>();
  for (const { day, operation, status, requests, credits } of days) {
    const before = sums.get(`${day} ${operation}`) ?? { day, operation, requests: 0, errors: 0, credits: 0 };
    sums.set(`${day} ${operation}`, {
      ...before,
      requests: before.requests + requests,
      errors: before.errors + (status >= 400 ? requests : 0),
      credits: before.credits + credits,
    });
  }
  return [...sums.values()].sort((a, b) => b.day.localeCompare(a.day) || a.operation.localeCompare(b.operation));
}

/** One value for each day, those without requests included. */
export function creditsByDay({ from, to, days }: Pick<AccountUsage, 'from' | 'to' | 'days'>): readonly { name: string; value: number }[] {
  const sums = new Map<string, number>();
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) sums.set(new Date(at).toISOString().slice(0, 10), 0);
  for (const { day, credits } of days) sums.set(day, (sums.get(day) ?? 0) + credits);
  return [...sums].map(([name, value]) => ({ name, value }));
}

/** Highest first; operations without charges are left out. */
export function creditsByOperation(rows: readonly DayOfOperation[]): readonly { name: string; value: number }[] {
  const sums = new Map<string, number>();
  for (const { operation, credits } of rows) if (credits > 0) sums.set(operation, (sums.get(operation) ?? 0) + credits);
  return [...sums].map(([name, value]) => ({ name, value })).sort((a, b) => b.value - a.value);
}
