import { type Input, OPERATIONS, type Operation, type OperationId } from './operations/index.ts';

/** Credits by operation, as configured; for `serp` credits per ten results. Default: 1. */
export type Prices = Readonly<Partial<Record<OperationId, number>>>;

/** Credits of an answer at these prices; `delivered` as in `Operation.price`. A page without results costs 1 at any price. */
export function priceOf<Id extends OperationId>(prices: Prices, id: Id, input: Input<Id>, delivered?: number): number {
  if (delivered === 0) return 1;
  const operation: Operation = OPERATIONS[id];
  return operation.price(input, delivered) * (prices[id] ?? 1);
}

export function priceInWords(prices: Prices, operation: Pick<Operation, 'id' | 'priceInWords'>): string {
  const unit = prices[operation.id] ?? 1;
  return unit === 1 ? operation.priceInWords : operation.priceInWords.replace('1 credit', `${unit} credits`);
}
