import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller, UsageRow } from '../../accounts/types.ts';
import type { ServiceError } from '../../contract/errors.ts';
import { cacheWord } from '../../orchestrator/cache.ts';
import type { AttemptReport, LookupResult } from '../../orchestrator/types.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { startSpan } from '../../telemetry/trace.ts';
import { createPipeline, type Pipeline } from './connections.ts';

const VALID_LABEL = /^[\w.:-]{1,128}$/;

export type RequestContext = ReturnType<typeof createContext>;

export function createContext(
  { clock, monotonicMs, newRequestId }: Pick<HttpDependencies, 'clock' | 'monotonicMs' | 'newRequestId'>,
  request: IncomingMessage,
  response: ServerResponse,
  operation: string,
  route: string,
  address?: string,
) {
  const given = request.headers['x-request-id'];
  return {
    request,
    response,
    /** Id of the operation, or the name of another endpoint: for metrics and usage. */
    operation,
    at: clock.now(),
    begunMs: monotonicMs(),
    /** Made by this service: names the request, its captures and its ledger entries. */
    requestId: newRequestId(),
    /** `X-Request-Id` of the caller, a name within its account; null: none, or not valid. */
    label: typeof given === 'string' && VALID_LABEL.test(given) ? given : null,
    span: startSpan(operation, route, request.method ?? 'GET', request.headers),
    /** Client address; from X-Forwarded-For where the proxy is trusted. */
    address: address ?? request.socket?.remoteAddress,
    /** The route reads a body of so many bytes at most. */
    maxBodyBytes: 0,
    caller: null as Caller | null,
    rateLimit: null as string | null,
    rateLimitPolicy: null as string | null,
    charged: 0,
    receipt: null as string | null,
    /** The check of a watch that this request ran: what it cost, which its own row of the request log has. */
    check: null as { readonly credits: number; readonly receipt: string } | null,
    remaining: null as number | null,
    source: null as string | null,
    cache: null as string | null,
    upstreamMs: 0,
    /** When admission had ended, and begin and length of the hold: ms since the arrival. */
    admittedMs: 0,
    hold: null as { readonly startMs: number; readonly ms: number } | null,
    /** Path and query once the parameters are known to be valid, for the request log. */
    target: null as string | null,
    attempts: [] as readonly AttemptReport[],
    unread: [] as readonly string[],
    /** Ends its count as a request in flight; null: it is not counted. */
    onLeave: null as (() => void) | null,

    /** Notes where the answer of a lookup came from, or how far it got. */
    noteResult(result: LookupResult): void {
      const { cacheStatus, attempts, upstreamMs } = result.ok ? result.answer : result.refusal;
      this.cache = cacheStatus && cacheWord(cacheStatus);
      this.attempts = attempts;
      this.upstreamMs = upstreamMs;
      if (!result.ok) return;
      this.source = result.answer.cached.source;
      this.unread = result.answer.cached.unread;
    },
    /** The request is no longer in flight. Called again, does nothing. */
    leave(): void {
      const { onLeave } = this;
      this.onLeave = null;
      onLeave?.();
    },
  };
}

/** Generates request ids: a random prefix for the process, the time (by which the request log finds it), then a counter. */
export function createRequestIds(random: () => number, now: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  let [at, time] = [0, ''];
  return () => {
    const ms = Math.floor(now());
    if (ms !== at) [at, time] = [ms, ms.toString(36)];
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
