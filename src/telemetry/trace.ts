import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Span } from '@opentelemetry/api';

// the copy that prom-client has loaded: `import` would load its hundred modules once more
const api: typeof import('@opentelemetry/api') = createRequire(import.meta.url)('@opentelemetry/api');
const { context, propagation, SpanKind, SpanStatusCode, trace } = api;
/** RFC 9110 header names are in lower case here, as Node gives them. */
const getter = {
  keys: (carrier: IncomingHttpHeaders) => Object.keys(carrier),
  get: (carrier: IncomingHttpHeaders, key: string) => carrier[key],
};

/** A span for one request, a child of the caller's where `traceparent` says so. Without an SDK it records nothing. */
export function startSpan(operation: string, route: string, method: string, headers: IncomingHttpHeaders): Span {
  const parent = headers.traceparent === undefined ? context.active() : propagation.extract(context.active(), headers, getter);
  // asked for anew each time: an SDK may come later, and with another copy of the API
  const tracer = trace.getTracer('sightline');
  return tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent).setAttribute('sightline.operation', operation);
}

/** Runs what belongs to the request inside its span. */
export const within = <T>(span: Span, run: () => T): T =>
  span.isRecording() ? context.with(trace.setSpan(context.active(), span), run) : run();

export interface SpanEnd {
  readonly status: number;
  readonly code: string | null;
  readonly source: string | null;
  readonly cache: string | null;
  readonly credits: number;
}
export function endSpan(span: Span, end: SpanEnd): void {
  if (!span.isRecording()) return;
  span.setAttributes({ 'http.response.status_code': end.status, 'sightline.credits': end.credits });
  if (end.source) span.setAttribute('sightline.source', end.source);
  if (end.cache) span.setAttribute('sightline.cache', end.cache);
  if (end.code) span.setAttribute('error.type', end.code);
  if (end.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
