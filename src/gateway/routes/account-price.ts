import type { AccountPrice } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AccountHandler } from './account-route.ts';

/** `GET /v1/account/price?operation=…&…`: what a lookup would cost, by the operation's own parameters, those of its path included. */
export const accountPrice: AccountHandler<'account-price'> = async ({ orchestrator, charges }, _context, _caller, { operation, rest }) => {
  const read = operation.readInput(rest);
  if (!read.ok) throw new ServiceError('INVALID_REQUEST', read.why);
  const input = read.value;
  const cached = await orchestrator.peek(operation.id, input);
  const { price, charge } = charges.quote(operation.id, input, cached);
  const freshUntil = cached && new Date(cached.freshUntil).toISOString();
  const json: AccountPrice = { operation: operation.id, price, cached: cached !== null, freshUntil, charge };
  return { json };
};
