import type { Input, OperationId } from '../contract/operations/index.ts';

/** Frozen inputs are reused by the gateway: their keys are remembered. */
const known = new WeakMap<object, string>();

/** Cache key of an operation with an input, independent of the order of its fields. `account`: the only account that the answer is for. */
export const cacheKeyOf = (operation: OperationId, input: Input, account?: string): string =>
  account === undefined ? sharedKeyOf(operation, input) : `${sharedKeyOf(operation, input)} ${account}`;

function sharedKeyOf(operation: OperationId, input: Input): string {
  const cached = Object.isFrozen(input) ? known.get(input) : undefined;
  if (cached?.startsWith(`${operation} `)) return cached;
  const fields = Object.entries(input).filter(([, value]) => value !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  const cacheKey = `${operation} ${JSON.stringify(fields)}`;
  if (Object.isFrozen(input)) known.set(input, cacheKey);
  return cacheKey;
}
