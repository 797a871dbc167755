import type { OAuth } from '../accounts/oauth/oauth.ts';
import type { Accounts } from '../accounts/types.ts';
import { createCharges } from '../billing/charges.ts';
import { HOLD_LIFE, type HoldLife } from '../billing/hold-life.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Admission, createAdmission } from './admission/admit.ts';
import type { AdmissionDependencies } from './admission/dependencies.ts';
import type { EventLoop } from './admission/event-loop.ts';
import { createIdentify, createIdentifyKnown, type Identify } from './admission/identify.ts';
import { createLoadShedder, type LoadShedder } from './admission/load-shedder.ts';
import { createPenalties, type SharedPenalties } from './admission/penalties.ts';
import { createLimiter, type Limiter, type TakeInOrder } from './admission/rate-limits.ts';
import type { ConsoleParts } from './console/dependencies.ts';
import { createEntrance, type Entrance } from './console/entrance.ts';
import { identifySession } from './console/identify.ts';
import type { HttpDependencies } from './http/dependencies.ts';
import { createPipeline } from './http/pipelining.ts';
import { createRequestIds } from './http/request-context.ts';
import { createResponder } from './http/response.ts';
import type { McpEndpoint } from './mcp/endpoint.ts';
import type { RouteDependencies } from './routes/dependencies.ts';
import { resourceMetadataUrl } from './routes/oauth.ts';

/** The dependencies of a gateway. */
export interface GatewayParts {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  readonly log: Log;
  /** 0 ≤ n < 1. */
  readonly random: () => number;
  readonly version: string;
  readonly metrics: Metrics;
  /** Milliseconds of a monotonic clock; default: the process's. */
  readonly monotonicMs?: () => number;
  /** Limit requests by address and by account; default: in this process. */
  readonly addressLimiter?: Limiter;
  readonly accountLimiter?: Limiter;
  /** The limits of a request in one step; default: one after the other. */
  readonly takeInOrder?: TakeInOrder;
  readonly sharedPenalties?: SharedPenalties;
  readonly eventLoop?: EventLoop;
  /** Default: HOLD_LIFE. */
  readonly holdLife?: HoldLife;
  /** Token endpoint and its metadata documents; without it only API keys are accepted. */
  readonly oauth?: OAuth;
  /** The Model Context Protocol at /mcp, loaded with its first request; default: none. */
  readonly loadMcp?: () => Promise<McpEndpoint>;
  /** Without it there is no console, and no session is accepted. */
  readonly console?: ConsoleParts;
}

/** The dependencies of the gateway's folders. */
export interface Assembled {
  readonly loadShedder: LoadShedder;
  readonly http: HttpDependencies;
  readonly routes: RouteDependencies;
  /** The console's entrance on the public listener; null without a console. */
  readonly entrance: Entrance | null;
  /** Admission with the same limits and penalties for the routes of the contract on the admin listener. */
  admitOperator(identify: Identify): Admission;
}

/** Creates the parts of a gateway once, and passes each folder its declared dependencies. */
export function assemble(parts: GatewayParts, eventLoop: EventLoop): Assembled {
  const { settings, clock, log, metrics, accounts, orchestrator, version } = parts;
  const https = settings.SIGHTLINE_PUBLIC_URL?.startsWith('https:') ?? false;
  const monotonicMs = parts.monotonicMs ?? (() => performance.now());
  const loadShedder = createLoadShedder({ clock, eventLoop, maxDelayMs: settings.SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS });
  const badCredentialsRule = { ratePerSecond: settings.SIGHTLINE_AUTH_FAILURES_PER_SECOND, burst: settings.SIGHTLINE_AUTH_FAILURE_BURST };
  const unchargedRule = { ratePerSecond: settings.SIGHTLINE_UNCHARGED_PER_SECOND, burst: settings.SIGHTLINE_UNCHARGED_BURST };
  const uncharged = createPenalties(
    'uncharged',
    parts.accountLimiter ?? createLimiter(),
    // counted after the lookup has ended: lookups in progress at the limit count beyond the burst, and lengthen the wait
    { ...unchargedRule, owed: unchargedRule.burst },
    parts.sharedPenalties,
  );
  const http: HttpDependencies = {
    clock,
    monotonicMs,
    log,
    metrics,
    pipeline: createPipeline(),
    newRequestId: createRequestIds(parts.random),
    recordUsage: (row) => accounts.record(row),
    load: loadShedder,
    sendTimeoutMs: settings.SIGHTLINE_SEND_TIMEOUT_MS,
    securityHeaders: [
      'X-Content-Type-Options',
      'nosniff',
      'Referrer-Policy',
      'no-referrer',
      ...(https ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
    ],
    corsOrigins: new Set(settings.SIGHTLINE_CORS_ORIGINS),
  };
  const publicUrl = settings.SIGHTLINE_PUBLIC_URL;
  const entrance = parts.console ? createEntrance(parts.console.sessions, { adminToken: null, publicUrl }) : null;
  const admission: AdmissionDependencies = {
    identify: createIdentify((credential, nowMs) => accounts.authenticate(credential, nowMs), entrance && identifySession(entrance)),
    inOneStep: parts.takeInOrder
      ? { identifyKnown: createIdentifyKnown((credential, nowMs) => accounts.known(credential, nowMs)), takeInOrder: parts.takeInOrder }
      : null,
    metrics,
    loadShedder,
    addressLimiter: parts.addressLimiter ?? createLimiter(),
    addressRule: { ratePerSecond: settings.SIGHTLINE_ADDRESS_RATE_PER_SECOND, burst: settings.SIGHTLINE_ADDRESS_BURST },
    accountLimiter: parts.accountLimiter ?? createLimiter(),
    accountRule: { ratePerSecond: settings.SIGHTLINE_RATE_PER_SECOND, burst: settings.SIGHTLINE_RATE_BURST },
    badCredentials: createPenalties('wrong', parts.addressLimiter ?? createLimiter(), badCredentialsRule, parts.sharedPenalties),
    badCredentialsRule,
    resourceMetadata: ({ request }) => {
      const base = parts.oauth?.baseUrl() ?? null;
      return base && resourceMetadataUrl(base, (request.url ?? '').split('?', 1)[0]);
    },
  };
  const routes: RouteDependencies = {
    admission: createAdmission(admission),
    responder: createResponder(http),
    accounts,
    orchestrator,
    charges: createCharges({
      ledger: accounts.ledger,
      clock,
      log,
      metrics,
      uncharged,
      prices: settings.SIGHTLINE_PRICES,
      chargeCacheHits: settings.SIGHTLINE_CHARGE_CACHE_HITS,
      holdLife: parts.holdLife ?? HOLD_LIFE,
    }),
    settings,
    clock,
    monotonicMs,
    log,
    metrics,
    version,
  };
  const admitOperator = (identify: Identify): Admission =>
    createAdmission({
      ...admission,
      identify,
      // an API key is no credential there
      inOneStep: null,
      credentialsNeeded:
        'The operator is not signed in: open the console, or send the token of the admin listener as Authorization: Bearer.',
    });
  return { loadShedder, http, routes, entrance, admitOperator };
}
