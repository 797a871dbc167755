import type { Metrics } from '../../telemetry/metrics.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Identify, IdentifyKnown } from './identify.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { Penalties } from './penalties.ts';
import type { Limiter, LimitRule, TakeInOrder } from './rate-limits.ts';

/** Parts that admission uses. */
export interface AdmissionDependencies {
  readonly identify: Identify;
  /** Present where the limits of a known caller can be counted in one step. */
  readonly inOneStep: { readonly identifyKnown: IdentifyKnown; readonly takeInOrder: TakeInOrder } | null;
  /** Message of every 401. Default: those for API keys and tokens. */
  readonly credentialsNeeded?: string;
  readonly metrics: Metrics;
  readonly loadShedder: LoadShedder;
  readonly addressLimiter: Limiter;
  readonly addressRule: LimitRule;
  readonly accountLimiter: Limiter;
  readonly accountRule: LimitRule;
  /** Wrong credentials by client address. */
  readonly badCredentials: Penalties;
  readonly badCredentialsRule: LimitRule;
  /** URL of the RFC 9728 document; null without OAuth. */
  readonly resourceMetadata: (context: RequestContext) => string | null;
}
