import { ServiceError } from '../contract/errors.ts';
import type { Outcome } from './rules.ts';

/** Message of a 402: the credits used or left, the price, and the reset time of the key's cap. */
export function creditMessage({ code, amount: left, cap }: Outcome, price: number, atMs: number): string {
  const costs = `this lookup costs ${credits(price)}`;
  if (!cap) return `The account has ${credits(left)} left, and ${costs}. Add credits, or ask for less.`;
  const period = code === 'capDay' ? 'day' : 'month';
  const used = `The key has used ${cap.spent} of its ${credits(cap.credits)} of ${period === 'day' ? 'today' : 'this month'} (UTC)`;
  return `${used}, and ${costs}. Its cap opens again at ${opensAt(atMs, period)}.`;
}

const credits = (n: number): string => `${n} ${n === 1 ? 'credit' : 'credits'}`;

function opensAt(atMs: number, period: 'day' | 'month'): string {
  const now = new Date(atMs);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  return new Date(period === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)).toISOString();
}

export const aboveMaxCredits = (price: number, maxCredits: number): ServiceError =>
  new ServiceError(
    'INSUFFICIENT_CREDITS',
    `This answer costs ${credits(price)}, and X-Max-Credits allows ${maxCredits}: nothing was done. Allow ${price} or more.`,
  );
export const TOO_MANY_UNCHARGED =
  'Too many lookups of this account went to a source and ended without a charge: answers from the cache are still there; ask again after the time that Retry-After says.';
/** 503: the hold expired before the first byte of the response. */
export const expired = (): ServiceError =>
  new ServiceError('UNAVAILABLE', 'The credits held for this answer ran out before it could be sent; nothing was charged. Ask again.', {
    'retry-after': '1',
  });
