import type { OpenAccounts } from '../accounts/accounts.ts';
import type { AdminActions } from '../contract/admin/actions.ts';
import { orRefuse, ServiceError } from '../contract/errors.ts';
import { operationOf } from '../contract/operations/index.ts';
import type { Orchestrator } from '../orchestrator/types.ts';

/** The admin action `purgeCache` on the cache of this process. Parameters are parsed as those of a request. */
export function createCachePurge(orchestrator: Pick<Orchestrator, 'purge'>, audit: OpenAccounts['audit']): AdminActions['purgeCache'] {
  return async ({ operation: id, parameters }) => {
    const operation = operationOf(id);
    if (!operation) throw new ServiceError('INVALID_REQUEST', `There is no operation ${JSON.stringify(id)}.`);
    await audit('cache.purge', operation.id, { parameters: parameters ?? null });
    const input = parameters && orRefuse(operation.readInput(Object.entries(parameters)));
    return { dropped: orchestrator.purge(operation.id, input) };
  };
}
