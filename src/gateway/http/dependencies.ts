import type { UsageRow } from '../../accounts/types.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Pipeline } from './pipelining.ts';

/** Parts that reading requests and writing responses use. */
export interface HttpDependencies {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock, with fractions: for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pipeline: Pipeline;
  readonly newRequestId: () => string;
  /** Called once for each authenticated request. */
  readonly recordUsage: (row: UsageRow) => void;
  /** Whether new requests are refused (503), and whether the process shuts down. */
  readonly load: { refusal(nowMs: number): ServiceError | null; draining(): boolean };
  /** A connection whose client does not read its response is closed after this. */
  readonly sendTimeoutMs: number;
  /** Headers of every response, as flat name-value pairs. */
  readonly securityHeaders: readonly string[];
  /** Origins that CORS allows; `*` for all. */
  readonly corsOrigins: ReadonlySet<string>;
}
