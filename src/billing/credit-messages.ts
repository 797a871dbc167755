import { CODE, type Code } from '../store/batch.ts';

/** Message of a 402: the credits left, the price, and the reset time of the key's cap. */
export function creditMessage(code: Code, price: number, left: number, at: number): string {
  const costs = `this lookup costs ${credits(price)}`;
  if (code === CODE.capDay)
    return `The key's credit cap of the day leaves ${credits(left)}, and ${costs}. It opens again at ${opensAt(at, 'day')}.`;
  if (code === CODE.capMonth)
    return `The key's credit cap of the month leaves ${credits(left)}, and ${costs}. It opens again at ${opensAt(at, 'month')}.`;
  return `The account has ${credits(left)} left, and ${costs}. Add credits, or ask for less.`;
}

const credits = (n: number): string => `${n} ${n === 1 ? 'credit' : 'credits'}`;

function opensAt(at: number, period: 'day' | 'month'): string {
  const now = new Date(at);
  const next =
    period === 'day'
      ? Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
      : Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return new Date(next).toISOString();
}
