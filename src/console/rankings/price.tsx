import { checksInMonth, EVERY_MS, type Every } from '../../contract/account/constants.ts';
import { credits } from '../app/session.ts';
import { number, plural } from '../parts/format.ts';
import { everyInWords } from '../watches/watch.tsx';
import { DEPTHS } from './where.tsx';

export const OFTEN = [
  ['12h', '12 h'],
  ['1d', 'day'],
  ['7d', 'week'],
] as const satisfies readonly (readonly [Every, string])[];

/** Keywords of a place, and what a check of one costs. */
export interface Checks {
  readonly place: string;
  readonly count: number;
  readonly price: number;
}
export interface Cost {
  readonly checks: readonly Checks[];
  /** Of a check with the least results. */
  readonly leastPrice: number;
  readonly every: Every;
}
type Priced = readonly Pick<Checks, 'count' | 'price'>[];
/** Credits of one check of each keyword. */
export const roundOf = (checks: Priced): number => checks.reduce((sum, { count, price }) => sum + count * price, 0);
export const monthOf = (checks: Priced, every: Every): number => roundOf(checks) * checksInMonth(EVERY_MS[every]);

/** What would cost less, in words. */
function cheaperOf({ checks, leastPrice, every }: Cost): string {
  const ways: string[] = [];
  if (every !== '7d') ways.push(`A check a week: ${number(monthOf(checks, '7d'))} a month.`);
  const least = checks.map((one) => ({ ...one, price: Math.min(one.price, leastPrice) }));
  if (roundOf(least) < roundOf(checks)) ways.push(`${DEPTHS[0]} results: ${number(monthOf(least, every))} a month.`);
  return ways.join(' ');
}

export const PriceBox = (cost: Cost) => (
  <section class="inset price" aria-label="Price">
    <h3>Price</h3>
    <dl class="sums">
      {cost.checks.map(({ place, count, price }, index) => (
        <div key={`${index} ${place}`}>
          <dt>
            {cost.checks.length > 1 && `${place}: `}
            {plural(count, 'keyword')} × {plural(price, 'credit')}
          </dt>
          <dd>
            {number(count * price)} {everyInWords(cost.every)}
          </dd>
        </div>
      ))}
      <div>
        <dt>At most a month</dt>
        <dd>
          <strong>{plural(monthOf(cost.checks, cost.every), 'credit')}</strong>
        </dd>
      </div>
      {credits.value !== null && (
        <div>
          <dt>Balance</dt>
          <dd>{number(credits.value)}</dd>
        </div>
      )}
    </dl>
    {roundOf(cost.checks) > 0 && <p class="about">{cheaperOf(cost)}</p>}
  </section>
);
