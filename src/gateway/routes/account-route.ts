import type { Caller } from '../../accounts/types.ts';
import type { AccountInput, EndpointId } from '../../contract/account/endpoints.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RouteDependencies } from './dependencies.ts';

/** A JSON body, or bytes of another type with the headers that belong to them. */
export type Served = { readonly json: object } | { readonly bytes: Buffer; readonly headers: readonly string[] };

/** Answers one account endpoint. A method's type, so that the handlers of all endpoints fit `AccountHandler`. */
export type AccountHandler<Id extends EndpointId = EndpointId> = {
  serve(routes: RouteDependencies, context: RequestContext, caller: Caller, input: AccountInput<Id>): Promise<Served>;
}['serve'];
