import type { AccountPrice } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { AccountHandler, RouteDependencies } from './dependencies.ts';

/** What a lookup would cost now. `given`: its parameters. Throws INVALID_REQUEST where they are not valid. */
export async function priceOfLookup(
  { orchestrator, charges }: Pick<RouteDependencies, 'orchestrator' | 'charges'>,
  operation: Operation,
  given: Iterable<readonly [string, string]>,
  accountId: string,
): Promise<AccountPrice> {
  const read = operation.readInput(given);
  if (!read.ok) throw new ServiceError('INVALID_REQUEST', read.why);
  const cached = await orchestrator.peek(operation.id, read.value, accountId);
  const { price, charge } = charges.quote(operation.id, read.value, cached);
  const freshUntil = cached && new Date(cached.freshUntil).toISOString();
  return { operation: operation.id, price, cached: cached !== null, freshUntil, charge };
}

/** `GET /v1/account/price?operation=…&…`: what a lookup would cost, by the operation's own parameters, those of its path included. */
export const accountPrice: AccountHandler<'account-price'> = async (routes, _context, { accountId }, { operation, rest }) => ({
  json: await priceOfLookup(routes, operation, rest, accountId),
});
