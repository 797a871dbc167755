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

export interface Cost {
  readonly count: number;
  readonly price: number;
  /** Of a check with the least results. */
  readonly leastPrice: number;
  readonly every: Every;
}
export const monthOf = ({ count, price }: Pick<Cost, 'count' | 'price'>, every: Every): number =>
  count * price * checksInMonth(EVERY_MS[every]);

/** What would cost less, in words. */
function cheaperOf(cost: Cost): string {
  const ways: string[] = [];
  if (cost.every !== '7d') ways.push(`A check a week: ${number(monthOf(cost, '7d'))} a month.`);
  if (cost.leastPrice < cost.price)
    ways.push(`${DEPTHS[0]} results: ${number(monthOf({ ...cost, price: cost.leastPrice }, cost.every))} a month.`);
  return ways.join(' ');
}

export const PriceBox = (cost: Cost) => (
  <section class="inset price" aria-label="Price">
    <h3>Price</h3>
    <dl class="sums">
      <div>
        <dt>
          {plural(cost.count, 'keyword')} × {plural(cost.price, 'credit')}
        </dt>
        <dd>
          {number(cost.count * cost.price)} {everyInWords(cost.every)}
        </dd>
      </div>
      <div>
        <dt>At most a month</dt>
        <dd>
          <strong>{plural(monthOf(cost, cost.every), 'credit')}</strong>
        </dd>
      </div>
      {credits.value !== null && (
        <div>
          <dt>Balance</dt>
          <dd>{number(credits.value)}</dd>
        </div>
      )}
    </dl>
    {cost.count > 0 && <p class="about">{cheaperOf(cost)}</p>}
  </section>
);
