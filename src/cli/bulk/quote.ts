import type { Sightline } from '../../client/index.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { Plan } from './plan.ts';
import { grouped, plural } from './progress.ts';

/** What a run may cost. */
export interface Quote {
  /** Credits of the price in the contract's unit, as the operator set it; 0 without a server. */
  readonly unit: number;
  /** Credits that may be spent now, held ones excluded; null without a server. */
  readonly available: number | null;
}

/** Asks the service for the price of one lookup and for the balance. */
export async function quoteOf(client: Sightline, operation: Operation, plan: Plan): Promise<Quote> {
  const { credits } = await client.account.get();
  const available = credits.balance - credits.held;
  if (plan.size === 0) return { unit: 1, available };
  const { price } = await client.account.price(operation.id, plan.read(0).input);
  return { unit: price / plan.unitsOf(0), available };
}

export interface Offer {
  readonly lookups: number;
  readonly duplicates: number;
  /** Lines that an earlier run answered. */
  readonly answered: number;
  readonly credits: number;
  readonly available: number | null;
}

/** The price in words, before anything is asked. */
export function offerText({ lookups, duplicates, answered, credits, available }: Offer): string {
  const parts = [plural(lookups, 'lookup')];
  if (available !== null) {
    parts.push(`at most ${plural(credits, 'credit')}`, `you have ${grouped(available)}`);
  }
  const notes = [
    duplicates > 0 && `${duplicates === 1 ? '1 is a duplicate and costs' : `${grouped(duplicates)} are duplicates and cost`} once`,
    answered > 0 && `${plural(answered, 'line is', 'lines are')} answered already`,
    available !== null && credits > available && 'the run stops when your credits are spent',
  ].filter((note) => note !== false);
  return `${[parts.join(', '), ...notes].join('; ')}.`;
}
