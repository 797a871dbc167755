import { type Inputs, OPERATIONS, type Operation, type OperationId } from './operations/index.ts';

/** Credits by operation where the operator sets them; for `serp` credits for each ten results. What is not there costs 1. */
export type Prices = Readonly<Partial<Record<OperationId, number>>>;

/** Credits of an answer under these prices; `delivered` as in `Operation.price`. Reading a page with no results costs 1 whatever the price. */
export function priceOf<Id extends OperationId>(prices: Prices, id: Id, input: Inputs[Id], delivered?: number): number {
  if (delivered === 0) return 1;
  return (OPERATIONS[id] as unknown as Operation<Id>).price(input, delivered) * (prices[id] ?? 1);
}

/** The price in words, for the description. */
export function priceWords(prices: Prices, operation: Pick<Operation, 'id' | 'priceWords'>): string {
  const unit = prices[operation.id] ?? 1;
  return unit === 1 ? operation.priceWords : operation.priceWords.replace('1 credit', `${unit} credits`);
}
