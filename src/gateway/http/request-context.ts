import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { Caller } from '../../accounts/types.ts';
import type { AttemptReport } from '../../orchestrator/types.ts';
import { startSpan } from '../../telemetry/trace.ts';
import type { HttpDependencies } from './dependencies.ts';

const VALID_LABEL = /^[\w.:-]{1,128}$/;

/** Data of one request, and the results of its steps so far. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the operation, or the name of another endpoint: for metrics and usage. */
  operation: string;
  /** Arrival, epoch ms. */
  readonly at: number;
  /** Arrival by the monotonic clock, ms. */
  readonly begunMs: number;
  /** Made by this service: names the request, its captures and its ledger entries. */
  readonly requestId: string;
  /** `X-Request-Id` of the caller, a name within its account; null: none, or not valid. */
  readonly label: string | null;
  readonly span: Span;
  /** Client address; from X-Forwarded-For where the proxy is trusted. */
  readonly address: string | undefined;
  /** Null until authentication succeeds. */
  caller: Caller | null = null;
  rateLimit: string | null = null;
  rateLimitPolicy: string | null = null;
  charged = 0;
  /** Id of the hold that pays for the response. */
  receipt: string | null = null;
  remaining: number | null = null;
  source: string | null = null;
  cache: string | null = null;
  upstreamMs = 0;
  /** Path and query once the parameters are known to be valid, for the request log. */
  target: string | null = null;
  attempts: readonly AttemptReport[] = [];
  /** Fields of the answer whose content was not understood. */
  unread: readonly string[] = [];

  constructor(
    { clock, monotonicMs, newRequestId }: Pick<HttpDependencies, 'clock' | 'monotonicMs' | 'newRequestId'>,
    request: IncomingMessage,
    response: ServerResponse,
    operation: string,
    route: string,
    address?: string,
  ) {
    this.request = request;
    this.response = response;
    this.operation = operation;
    this.address = address ?? request.socket?.remoteAddress;
    this.at = clock.now();
    this.begunMs = monotonicMs();
    const given = request.headers['x-request-id'];
    this.requestId = newRequestId();
    this.label = typeof given === 'string' && VALID_LABEL.test(given) ? given : null;
    this.span = startSpan(operation, route, request.method ?? 'GET', request.headers);
  }
}

/** Generates request ids: a random prefix for the process, then a counter. */
export function createRequestIds(random: () => number): () => string {
  const draw = () =>
    Math.floor(random() * 2 ** 32)
      .toString(36)
      .padStart(7, '0');
  const prefix = draw() + draw();
  let count = 0;
  return () => `${prefix}-${(count++).toString(36)}`;
}
