import { DEMANDS } from '../contract/account/demands.ts';
import type { EndpointId } from '../contract/account/endpoints.ts';
import { ServiceError } from '../contract/errors.ts';
import { OPERATIONS, type Operation, type OperationId, operationList } from '../contract/operations/index.ts';
import type { Scope } from '../contract/scopes.ts';
import type { Caller } from './types.ts';

/** What a request is for: a lookup, an account endpoint, or `any` for what every caller may do. */
export type Target = OperationId | EndpointId | 'any';

/** 403. `scopes`: those that an access token needs for this; the gateway names them in the challenge (RFC 6750, 3.1). */
export class Forbidden extends ServiceError {
  readonly scopes: readonly Scope[];
  constructor(message: string, scopes: readonly Scope[]) {
    super('FORBIDDEN', message);
    this.scopes = scopes;
  }
}

/** A watch, as far as rights are about it. `lineage`: the first of the keys that its maker replaced, or the maker. */
export interface MadeBy {
  readonly operation: string;
  readonly keyId: string;
  readonly lineage: string;
}

const knownOperation = (id: string): Operation | undefined => (Object.hasOwn(OPERATIONS, id) ? OPERATIONS[id as OperationId] : undefined);
const isEndpoint = (target: Target): target is EndpointId => Object.hasOwn(DEMANDS, target);

/** The scopes that an access token needs, as far as they are known before the request is read. */
export const scopesOf = (target: OperationId | EndpointId): readonly Scope[] =>
  isEndpoint(target) ? [DEMANDS[target].scope] : [OPERATIONS[target].area.id];

function demandScopes({ scopes }: Caller, needed: readonly Scope[]): void {
  const lacking = scopes && needed.find((scope) => !scopes.includes(scope));
  if (lacking) throw new Forbidden(`This token lacks the scope ${lacking}: ask the token endpoint for one that has it.`, needed);
}

/** Demands what the lookup itself demands, and for an endpoint that is about it also the endpoint's scope. */
export function demandLookup(caller: Caller, id: string, endpoint: EndpointId | null = null): void {
  const { operations, scopes } = caller;
  if (operations === null && scopes === undefined) return;
  const operation = knownOperation(id);
  const own: readonly Scope[] = endpoint === null ? [] : [DEMANDS[endpoint].scope];
  const needed = operation ? [...own, operation.area.id] : own;
  demandScopes(caller, needed);
  // an operation that this version does not know is for callers without limits
  if (!operation || (operations && !operations.includes(operation.id)))
    throw new Forbidden(`These credentials may not use the operation ${id}.`, needed);
}

/** Demands what is known of a request: scope, operation of a lookup, kind of session. `named`: the operation that it names; null: it is not read yet. */
export function demandTarget(caller: Caller, target: Target, named: OperationId | null = null): void {
  if (target === 'any') return;
  if (!isEndpoint(target)) {
    demandLookup(caller, target);
    return;
  }
  const { scope, lookup, who } = DEMANDS[target];
  demandScopes(caller, [scope]);
  if (lookup === 'named' && named !== null) demandLookup(caller, named, target);
  if (who === 'managers') demandManager(caller, 'does this');
  if (who === 'managers among sessions' && caller.session === 'reads')
    throw new Forbidden(
      'This session does not manage the account, so that it creates no watch: sign in with a key made by "sightline keys create --manage", or send an API key.',
      [scope],
    );
}

/** Whether the caller is the key that made the watch, or its reroll. */
export const isMaker = (caller: Caller, { keyId, lineage }: MadeBy): boolean =>
  caller.keyId === keyId || (caller.countedAs ?? caller.keyId) === lineage;
export const isMakerOrManager = (caller: Caller, watch: MadeBy): boolean => caller.manages === true || isMaker(caller, watch);

/** Checks the demands of an endpoint for one watch. Every read and write of a watch by its id calls it. */
export function demandWatch(caller: Caller, endpoint: EndpointId, watch: MadeBy): void {
  demandLookup(caller, watch.operation, endpoint);
  const { scope, who } = DEMANDS[endpoint];
  if (who !== 'maker' || isMakerOrManager(caller, watch)) return;
  const area = knownOperation(watch.operation)?.area.id;
  throw new Forbidden(
    'Another key made this watch: only that key, the key that replaced it, or a key without limits that manages the account may change, run or delete it.',
    area ? [scope, area] : [scope],
  );
}

/** 403 unless the caller manages the account. */
export function demandManager(caller: Caller, does: string): void {
  if (caller.manages !== true)
    throw new Forbidden(`Only a key or session that manages the account ${does}: make a key with "sightline keys create --manage".`, []);
}

/** Whether the caller may change, run and delete the watch: else 403. */
export function mayWrite(caller: Caller, watch: MadeBy): boolean {
  try {
    demandWatch(caller, 'account-watch-edit', watch);
    return true;
  } catch (thrown) {
    if (thrown instanceof Forbidden) return false;
    throw thrown;
  }
}

/** The operations whose entries a list shows to the caller; null: all. */
export function lookupsOf(caller: Caller): readonly OperationId[] | null {
  const { operations, scopes } = caller;
  if (operations === null && scopes === undefined) return null;
  return operationList
    .filter(({ id, area }) => (operations?.includes(id) ?? true) && (scopes?.includes(area.id) ?? true))
    .map(({ id }) => id);
}
