import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, UsageRow } from '../../accounts/types.ts';
import type { ServiceError } from '../../contract/errors.ts';
import type { RateLimitFields } from '../../contract/rate-limited.ts';
import type { Arrived, Ended } from '../../lookups/states.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { startSpan } from '../../telemetry/trace.ts';
import { createPipeline, type Pipeline } from './connections.ts';

const VALID_LABEL = /^[\w.:-]{1,128}$/;

/** One exchange of HTTP. What is readonly is known when the request arrives; each other member is set by the step that its line names. */
export interface RequestContext extends Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Client address; from X-Forwarded-For where the proxy is trusted. */
  readonly address: string | undefined;
  /** The route reads a body of so many bytes at most. */
  readonly maxBodyBytes: number;
  /** Id of the operation, or the name of another endpoint: for metrics and usage. MCP: that of the tool, once the body is read. */
  operation: string;
  /** Ends its count as a request in flight; null: it is not counted. Set by the listener, and by what takes the request out of the count. */
  onLeave: (() => void) | null;
  /** Set by admission once the credentials are verified, whether or not they permit the request. */
  caller: Caller | null;
  /** The RateLimit fields of the limits that were counted. Set by admission. */
  rateLimit: RateLimitFields | null;
  /** Path and query, for the request log. Set by lookups once the parameters are known to be valid. */
  target: string | null;
  /** How the lookup ended, and for how long its hold is valid. Set by lookups. */
  lookup: Ended | null;
  /** What the response is charged, or was charged for a check of a watch that it ran, which has a row of its own. Set before the first byte. */
  charged: Charged | null;
  /** Credits left to the account, where they are known. Set before the first byte. */
  remaining: number | null;
}

export interface Charged {
  readonly credits: number;
  readonly receipt: string | null;
  /** The row of another request has the credits. */
  readonly elsewhere?: true;
}

interface ArrivingRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly operation: string;
  /** Path template, for the span. */
  readonly route: string;
  /** Default: that of the socket. */
  readonly address?: string | undefined;
  readonly maxBodyBytes?: number;
}

export function createContext(
  { clock, monotonicMs, newRequestId }: Pick<HttpDependencies, 'clock' | 'monotonicMs' | 'newRequestId'>,
  { request, response, operation, route, address, maxBodyBytes = 0 }: ArrivingRequest,
): RequestContext {
  const given = request.headers['x-request-id'];
  return {
    request,
    response,
    operation,
    atMs: clock.now(),
    begunMs: monotonicMs(),
    requestId: newRequestId(),
    // null: none, or not valid
    label: typeof given === 'string' && VALID_LABEL.test(given) ? given : null,
    span: startSpan(operation, route, request.method ?? 'GET', request.headers),
    address: address ?? request.socket?.remoteAddress,
    maxBodyBytes,
    onLeave: null,
    caller: null,
    rateLimit: null,
    target: null,
    lookup: null,
    charged: null,
    remaining: null,
  };
}

/** The request is no longer in flight. Called again, does nothing. */
export function leave(context: RequestContext): void {
  const { onLeave } = context;
  context.onLeave = null;
  onLeave?.();
}

/** Generates request ids: a random prefix for the process, the time (by which the request log finds it), then a counter. */
export function createRequestIds(random: () => number, now: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  let [timeMs, time] = [0, ''];
  return () => {
    const ms = Math.floor(now());
    if (ms !== timeMs) [timeMs, time] = [ms, ms.toString(36)];
    return `${prefix}-${time}-${(count++).toString(36)}`;
  };
}

const SEND_TIMEOUT_MS = 60_000;

export interface HttpDependencies {
  readonly clock: Clock;
  /** Milliseconds of a monotonic clock, with fractions: for durations. */
  readonly monotonicMs: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pipeline: Pipeline;
  readonly newRequestId: () => string;
  readonly usage: { record(row: UsageRow): void };
  /** Whether new requests are refused (503), and whether the process shuts down. */
  readonly load: { refusal(nowMs: number): ServiceError | null; draining(): boolean };
  /** A connection whose client does not read its response is closed after this. */
  readonly sendTimeoutMs: number;
  readonly securityHeaders: readonly string[];
  readonly corsOrigins: ReadonlySet<string>;
}

/** Parts of a listener without accounts: nothing is recorded, nothing is refused under load. */
export const bareHttp = (
  given: Pick<HttpDependencies, 'clock' | 'log' | 'metrics'> & { readonly random: () => number },
): HttpDependencies => ({
  clock: given.clock,
  log: given.log,
  metrics: given.metrics,
  monotonicMs: () => performance.now(),
  pipeline: createPipeline(),
  newRequestId: createRequestIds(given.random, given.clock.now),
  usage: { record: () => undefined },
  load: { refusal: () => null, draining: () => false },
  sendTimeoutMs: SEND_TIMEOUT_MS,
  securityHeaders: ['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  corsOrigins: new Set(),
});
