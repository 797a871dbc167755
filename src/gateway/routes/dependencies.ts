import type { Accounts, Caller } from '../../accounts/types.ts';
import type { Charges } from '../../billing/charges.ts';
import type { AccountInput, EndpointId } from '../../contract/account/endpoints.ts';
import type { Orchestrator } from '../../orchestrator/types.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Settings } from '../../settings.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Admission } from '../admission/admit.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Responder } from '../http/response.ts';

/** Parts that the routes use. */
export interface RouteDependencies {
  readonly admission: Admission;
  readonly responder: Responder;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly charges: Charges;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Version of the service. */
  readonly version: string;
}

/** A JSON body, or bytes of another type with the headers that belong to them. */
export type Served = { readonly json: object } | { readonly bytes: Buffer; readonly headers: readonly string[] };

/** Answers one account endpoint. A method's type, so that the handlers of all endpoints fit `AccountHandler`. */
export type AccountHandler<Id extends EndpointId = EndpointId> = {
  serve(routes: RouteDependencies, context: RequestContext, caller: Caller, input: AccountInput<Id>): Promise<Served>;
}['serve'];
