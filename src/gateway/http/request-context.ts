import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@opentelemetry/api';
import type { Caller } from '../../accounts/types.ts';
import { startSpan } from '../../telemetry/trace.ts';
import type { Desk } from '../context.ts';

const SANE_ID = /^[\w.:-]{1,128}$/;

/** One request and what is known of it so far. */
export class RequestContext {
  readonly desk: Desk;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Id of the operation, or the name of what is asked beside the fourteen: for metrics and usage. */
  readonly operation: string;
  /** Epoch ms. */
  readonly at: number;
  readonly begunMs: number;
  readonly requestId: string;
  readonly span: Span;
  /** Client's address, as far as it is believed. */
  readonly address: string | undefined;
  /** Null until the credentials are known to be good. */
  caller: Caller | null = null;
  rateLimit: string | null = null;
  rateLimitPolicy: string | null = null;
  charged = 0;
  /** Id of the hold that pays for the answer. */
  receipt: string | null = null;
  remaining: number | null = null;
  source: string | null = null;
  cache: string | null = null;
  upstreamMs = 0;

  constructor(desk: Desk, request: IncomingMessage, response: ServerResponse, operation: string, route: string, address?: string) {
    this.desk = desk;
    this.request = request;
    this.response = response;
    this.operation = operation;
    this.address = address ?? request.socket?.remoteAddress;
    this.at = desk.clock.now();
    this.begunMs = desk.monotonicMs();
    const given = request.headers['x-request-id'];
    this.requestId = typeof given === 'string' && SANE_ID.test(given) ? given : desk.newRequestId();
    this.span = startSpan(operation, route, request.method ?? 'GET', request.headers);
  }

  get durationMs(): number {
    return this.desk.monotonicMs() - this.begunMs;
  }
}
