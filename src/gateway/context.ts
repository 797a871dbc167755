import type { Accounts } from '../accounts/types.ts';
import type { ChargeDependencies } from '../billing/charge.ts';
import type { Orchestrator } from '../orchestrator/types.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Settings } from '../settings.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { EventLoop } from './admission/event-loop.ts';
import { createLoadShedder, type LoadShedder } from './admission/load-shedder.ts';
import { createPenalties, type Penalties } from './admission/penalties.ts';
import { createLimiter, type Limiter, type LimitRule } from './admission/rate-limits.ts';
import { createPipeline, type Pipeline } from './http/pipelining.ts';
import { createInputReader } from './routes/lookup-input.ts';
import { createLacking } from './routes/missing-settings-log.ts';
import { resourceMetadataUrl } from './routes/oauth.ts';
import type { GatewayParts } from './server.ts';

/** What every request needs at hand; made once. */
export interface Desk {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly orchestrator: Orchestrator;
  readonly clock: Clock;
  /** Ms of a clock that never jumps, with fractions: for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly version: string;
  readonly loadShedder: LoadShedder;
  readonly pipeline: Pipeline;
  readonly addressLimiter: Limiter;
  readonly accountLimiter: Limiter;
  readonly addressRule: LimitRule;
  readonly accountRule: LimitRule;
  /** Wrong credentials by client address. */
  readonly badCredentials: Penalties;
  readonly badCredentialsRule: LimitRule;
  /** Address of the RFC 9728 document; null where there is none. */
  readonly resourceMetadata: () => string | null;
  /** Headers that every answer carries, flat. */
  readonly securityHeaders: readonly string[];
  /** `Vary` of answers whose bytes are negotiated. */
  readonly vary: string;
  /** Origins of browsers that may read answers. */
  readonly corsOrigins: ReadonlySet<string>;
  readonly readInput: ReturnType<typeof createInputReader>;
  readonly newRequestId: () => string;
  /** Settlements that still run: a shutdown waits for them. */
  readonly settlements: Set<Promise<void>>;
  readonly charging: ChargeDependencies;
  /** Tells the operator which settings would give an operation a source. */
  readonly lacking: (operation: string, settings: readonly string[]) => void;
}

/** Ids that are unique here and cheap: drawn once a process, then counted. */
export function requestIds(random: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}

/** The desk of a gateway. */
export function deskOf(parts: GatewayParts, eventLoop: EventLoop): Desk {
  const { settings, clock, log, metrics, accounts } = parts;
  const https = settings.SIGHTLINE_PUBLIC_URL?.startsWith('https:') ?? false;
  const corsOrigins = new Set(settings.SIGHTLINE_CORS_ORIGINS);
  const badCredentialsRule = { ratePerSecond: settings.SIGHTLINE_AUTH_FAILURES_PER_SECOND, burst: settings.SIGHTLINE_AUTH_FAILURE_BURST };
  const unchargedRule = { ratePerSecond: settings.SIGHTLINE_UNCHARGED_PER_SECOND, burst: settings.SIGHTLINE_UNCHARGED_BURST };
  const uncharged = createPenalties(
    'uncharged',
    parts.accountLimiter ?? createLimiter(),
    // they are told of when they are over: who had many under way waits for them
    { ...unchargedRule, owed: unchargedRule.burst },
    parts.sharedPenalties,
  );
  const monotonicMs = parts.monotonicMs ?? (() => performance.now());
  return {
    settings,
    accounts,
    orchestrator: parts.orchestrator,
    clock,
    log,
    metrics,
    version: parts.version,
    monotonicMs,
    loadShedder: createLoadShedder({ clock, eventLoop, maxDelayMs: settings.SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS }),
    pipeline: createPipeline(),
    addressLimiter: parts.addressLimiter ?? createLimiter(),
    accountLimiter: parts.accountLimiter ?? createLimiter(),
    addressRule: { ratePerSecond: settings.SIGHTLINE_ADDRESS_RATE_PER_SECOND, burst: settings.SIGHTLINE_ADDRESS_BURST },
    accountRule: { ratePerSecond: settings.SIGHTLINE_RATE_PER_SECOND, burst: settings.SIGHTLINE_RATE_BURST },
    badCredentials: createPenalties('wrong', parts.addressLimiter ?? createLimiter(), badCredentialsRule, parts.sharedPenalties),
    badCredentialsRule,
    resourceMetadata: () => {
      const base = parts.oauth?.baseUrl() ?? null;
      return base && resourceMetadataUrl(base);
    },
    securityHeaders: [
      'X-Content-Type-Options',
      'nosniff',
      'Referrer-Policy',
      'no-referrer',
      ...(https ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
    ],
    vary: corsOrigins.size ? 'Accept-Encoding, Origin' : 'Accept-Encoding',
    corsOrigins,
    readInput: createInputReader(),
    newRequestId: requestIds(parts.random),
    settlements: new Set(),
    charging: { ledger: accounts.ledger, clock, log, metrics, uncharged },
    lacking: createLacking(log, monotonicMs),
  };
}
