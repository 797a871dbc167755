import type { Metrics } from '../../telemetry/metrics.ts';
import type { Identify } from './identify.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { Penalties } from './penalties.ts';
import type { Limiter, LimitRule } from './rate-limits.ts';

/** Parts that admission uses. */
export interface AdmissionDependencies {
  readonly identify: Identify;
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
  readonly resourceMetadata: () => string | null;
}
