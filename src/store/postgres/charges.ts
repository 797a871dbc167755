import { type BatchAnswer, CODE, type Code, type Op } from '../batch.ts';

/** Result of sightline_charge. If it called the full function, that function's result, in the order of the charges. */
export type ChargesAnswer =
  | BatchAnswer
  | {
      readonly at: number;
      /** Settlements that found their hold, numbered from 1, and the credits that each captured. */
      readonly places: readonly number[];
      readonly captured: readonly number[];
      readonly balances: BatchAnswer['balances'];
    };

/** The same statement for every batch: positional parameters, see `chargesOf`. */
export const CHARGE = `select sightline_charge(${Array.from({ length: 14 }, (_, i) => `$${i + 1}`)}) as r`;

export interface Charges {
  /** Positional parameters of sightline_charge. */
  readonly values: readonly string[];
  read(answer: ChargesAnswer): BatchAnswer;
}

/** A batch of settlements and holds as columns, settlements first, as in the order of a batch. Null for any other batch. */
export function chargesOf(ops: readonly Op[]): Charges | null {
  const settlements: number[] = [];
  const holds: number[] = [];
  const settled = new Set<string>();
  const needs = new Map<string, number>();
  for (let place = 0; place < ops.length; place++) {
    const [kind, accountId, hold, amount] = ops[place] as Op;
    if (kind === 'hold') {
      holds.push(place);
      needs.set(accountId, (needs.get(accountId) ?? 0) + amount);
    } else if ((kind === 'capture' || kind === 'release') && !settled.has(hold)) {
      settlements.push(place);
      settled.add(hold);
      if (!needs.has(accountId)) needs.set(accountId, 0);
    } else return null;
  }
  // sorted as in the store (collation "C"); on a mismatch the store calls the full function
  const accounts = [...needs.keys()].sort();
  const number = new Map(accounts.map((id, i) => [id, i + 1]));
  const column = (places: readonly number[], read: (op: Op) => string): string => array(places.map((place) => read(ops[place] as Op)));
  const account = (places: readonly number[]) => numbers(places.map((place) => number.get((ops[place] as Op)[1]) ?? 0));
  const amount = (places: readonly number[], field: 3 | 4) => numbers(places.map((place) => (ops[place] as Op)[field]));
  const values = [
    array(accounts),
    numbers(accounts.map((id) => needs.get(id) ?? 0)),
    array([...new Set(holds.map((place) => (ops[place] as Op)[5]))]),
    account(settlements),
    column(settlements, (op) => op[0]),
    column(settlements, (op) => op[2]),
    amount(settlements, 3),
    account(holds),
    column(holds, (op) => op[2]),
    amount(holds, 3),
    amount(holds, 4),
    column(holds, (op) => op[5]),
    column(holds, (op) => op[6]),
    column(holds, (op) => op[7]),
  ];

  function read(answer: ChargesAnswer): BatchAnswer {
    const codes: Code[] = new Array(ops.length).fill(CODE.done);
    const amounts: number[] = new Array(ops.length).fill(0);
    const { at, balances } = answer;
    if ('codes' in answer) {
      for (const [i, place] of [...settlements, ...holds].entries()) {
        codes[place] = answer.codes[i] as Code;
        amounts[place] = answer.amounts[i] as number;
      }
      return { at, codes, amounts, balances };
    }
    for (const place of settlements) codes[place] = CODE.over;
    for (const [i, which] of answer.places.entries()) {
      const place = settlements[which - 1] as number;
      codes[place] = CODE.done;
      amounts[place] = answer.captured[i] as number;
    }
    // every hold was admitted, so the balance after each follows from the final balance
    const free = new Map(balances.map(([id, balance]) => [id, balance]));
    for (const place of holds.toReversed()) {
      const [, accountId, , held] = ops[place] as Op;
      const left = free.get(accountId) as number;
      amounts[place] = left;
      free.set(accountId, left + held);
    }
    return { at, codes, amounts, balances };
  }
  return { values, read };
}

const numbers = (values: readonly number[]): string => `{${values.join()}}`;

/** A PostgreSQL array literal. Most texts need no escaping: one test covers all of them. */
function array(values: readonly string[]): string {
  if (!values.length) return '{}';
  const safe = /["\\]/.test(values.join('')) ? values.map((value) => value.replace(/["\\]/g, '\\$&')) : values;
  return `{"${safe.join('","')}"}`;
}
