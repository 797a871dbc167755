import type { Caller } from '../../accounts/types.ts';
import type { AccountPrice } from '../../contract/account/schemas.ts';
import { ServiceError } from '../../contract/errors.ts';
import { OPERATIONS, operationOf } from '../../contract/operations/index.ts';
import { priceOf } from '../../contract/prices.ts';
import type { RequestContext } from '../http/request-context.ts';
import { inputOf, type Pairs, type Served } from './account-route.ts';
import type { RouteDependencies } from './dependencies.ts';

/** `GET /v1/account/price?operation=…&…`: the price of a lookup before it is asked, by the operation's own parameters, those of its path included. */
export async function accountPrice(
  { orchestrator, settings }: RouteDependencies,
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
  ) as never;
  const price = orchestrator.price(operation.id, input);
  const cached = await orchestrator.peek(operation.id, input);
  // a kept "not found" is an error, and free whatever the setting says
  const cost = cached?.absent == null ? priceOf(settings.SIGHTLINE_PRICES, operation.id, input, cached?.delivered ?? undefined) : 0;
  const json: AccountPrice = {
    operation: operation.id,
    price,
    cached: cached !== null,
    freshUntil: cached && new Date(cached.freshUntil).toISOString(),
    charge: cached && !settings.SIGHTLINE_CHARGE_CACHE_HITS ? 0 : cost,
  };
  return { json };
}
