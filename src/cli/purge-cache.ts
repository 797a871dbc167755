import { ServiceError } from '../contract/errors.ts';
import type { Input, OperationId } from '../contract/operations/index.ts';
import { operationList } from '../contract/operations/index.ts';
import { readInput } from '../contract/parameters/parameter.ts';
import type { AdminActions } from '../gateway/admin/actions.ts';
import type { Orchestrator } from '../orchestrator/types.ts';

/** Cached answers to drop: all of an operation, or those of one lookup. */
export interface PurgeTarget {
  readonly operation: OperationId;
  readonly input?: Input;
}

/** The admin action `purgeCache` on the cache of this process. Parameters are parsed as those of a request. */
export function createCachePurge(orchestrator: Pick<Orchestrator, 'purge'>): AdminActions['purgeCache'] {
  return async ({ operation: id, parameters }) => {
    const operation = operationList.find((each) => each.id === id);
    if (!operation) throw new ServiceError('INVALID_REQUEST', `There is no operation ${JSON.stringify(id)}.`);
    if (!parameters) return { dropped: orchestrator.purge(operation.id) };
    const read = readInput(operation.parameters, Object.entries(parameters));
    if (!read.ok) throw new ServiceError('INVALID_REQUEST', read.why);
    return { dropped: orchestrator.purge(operation.id, read.value as Input) };
  };
}
