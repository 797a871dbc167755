import type { Caller } from '../../accounts/types.ts';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Inputs, OPERATIONS, type OperationId, operationOf } from '../../contract/operations/index.ts';
import type { RequestContext } from '../http/request-context.ts';
import { inputOf, type Pairs, type Served } from './account-route.ts';
import type { RouteDependencies } from './dependencies.ts';

/** `GET /v1/account/price?operation=…&…`: the price of a lookup before it is asked, by the operation's own parameters, those of its path included. */
export async function accountPrice(
  { orchestrator, charges }: RouteDependencies,
  _context: RequestContext,
  _caller: Caller,
  given: Pairs,
): Promise<Served> {
  const named = given.filter(([name]) => name === 'operation');
  const id = named[0]?.[1];
  const operation = id === undefined || named.length > 1 ? undefined : operationOf(id);
  if (!operation)
    throw new ServiceError('INVALID_REQUEST', `Parameter operation must be one of ${Object.keys(OPERATIONS).join(', ')}, given once.`);
  const input = inputOf(
    operation.parameters,
    given.filter(([name]) => name !== 'operation'),
  ) as Inputs[OperationId];
  const cached = await orchestrator.peek(operation.id, input);
  const { price, charge } = charges.quote(operation.id, input, cached);
  const freshUntil = cached && new Date(cached.freshUntil).toISOString();
  const json: AccountPrice = { operation: operation.id, price, cached: cached !== null, freshUntil, charge };
  return { json };
}
