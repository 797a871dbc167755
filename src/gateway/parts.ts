import type { OAuth } from '../accounts/oauth/oauth.ts';
import type { Sessions, SignInCodes } from '../accounts/sessions/sessions.ts';
import type { Setup } from '../accounts/setup.ts';
import type { Accounts, Caller } from '../accounts/types.ts';
import type { Billing } from '../billing/billing.ts';
import type { HoldLife } from '../billing/charge.ts';
import type { AccountInput, EndpointId } from '../contract/account/endpoints.ts';
import type { Admin } from '../contract/admin/actions.ts';
import type { OperationWays } from '../contract/contract-view.ts';
import type { Lookups } from '../lookups/paid-lookup.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { RequestSigner } from '../upstream/http/request-signer.ts';
import type { AccountWatches } from '../watches/watches.ts';
import type { Admission } from './admission/admit.ts';
import type { EventLoop } from './admission/load-shedder.ts';
import type { TakeLimits } from './admission/rate-limits.ts';
import type { Entrance } from './console/entrance.ts';
import type { Route } from './http/listener.ts';
import type { RequestContext } from './http/request-context.ts';
import type { Responder } from './http/response.ts';

/** A route that holds streams, which `close` ends. */
export interface ClosingRoute {
  readonly route: Route;
  close(): Promise<void>;
}

export interface GatewayParts {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly version: string;
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock; default: the process's. */
  readonly monotonicMs?: () => number;
  /** Limits requests by address and by account; default: in this process. */
  readonly takeLimits?: TakeLimits;
  readonly eventLoop?: EventLoop;
  /** Time that a client may take to read one answer. Default: 60 s. */
  readonly sendTimeoutMs?: number;
  readonly holdLife?: HoldLife;
  /** Token endpoint and its metadata documents; without it only API keys are accepted. */
  readonly oauth?: OAuth;
  /** Serves the directory of the keys that sign requests of page sources; default: there is none. */
  readonly requestSigner?: Pick<RequestSigner, 'directory'> | null;
  /** Makes the route of the Model Context Protocol for pages of these origins; default: none. */
  readonly createMcp?: (routes: RouteDependencies, corsOrigins: ReadonlySet<string>) => ClosingRoute;
  readonly createWatches?: (shared: {
    readonly billing: Billing;
    readonly lookups: Lookups;
    readonly inFlight: () => number;
  }) => AccountWatches;
  /** Without it there is no console, and no session is accepted. */
  readonly console?: ConsoleParts;
}

export interface RouteDependencies
  extends Pick<GatewayParts, 'accounts' | 'orchestrator' | 'settings' | 'clock' | 'log' | 'metrics' | 'version'> {
  readonly admission: Admission;
  readonly responder: Responder;
  readonly billing: Billing;
  readonly lookups: Lookups;
  readonly watches: AccountWatches | null;
  readonly monotonicMs: () => number;
}

export type Served =
  /** Null: there is no body. */
  | { readonly json: object | null; readonly headers?: readonly string[] }
  | { readonly bytes: Buffer; readonly headers: readonly string[] }
  /** Written as they are made: the text is never whole in memory. */
  | { readonly pieces: AsyncIterable<string>; readonly headers: readonly string[] };

/** Answers one account endpoint. A method's type, so that the handlers of all endpoints fit `AccountHandler`. */
export type AccountHandler<Id extends EndpointId = EndpointId> = {
  serve(routes: RouteDependencies, context: RequestContext, caller: Caller, input: AccountInput<Id>): Promise<Served>;
}['serve'];

export type KeyAdmin = Pick<Admin, 'listKeys' | 'createKey' | 'editKey' | 'rerollKey' | 'previewRevokeKey' | 'revokeKey'>;

export interface ClaimingParts {
  readonly setup: Setup;
  /** Prints the link with a new code where the operator looks. */
  readonly announce: (code: string) => void;
  /** Address of the operator's console for who reached this service under the Host field. */
  readonly operatorUrl: (host: string) => string;
}

export interface ConsoleParts {
  readonly sessions: Sessions;
  readonly signInCodes: SignInCodes;
  /** The admin actions for the holder of an account: actor in the audit log, and who makes keys. */
  readonly adminAs: (actor: string, madeBy: string | null) => KeyAdmin & Pick<Admin, 'showAccount'>;
  readonly folder?: string;
  /** Which operations answer here, and what the others lack; default: none. */
  readonly ways?: () => readonly OperationWays[];
  /** How the installation is claimed in the browser; default: it has no such page. */
  readonly claiming?: ClaimingParts;
}

export interface ConsoleDependencies extends Pick<RouteDependencies, 'admission' | 'responder' | 'accounts' | 'settings' | 'version'> {
  readonly entrance: Entrance;
  readonly console: ConsoleParts;
}
