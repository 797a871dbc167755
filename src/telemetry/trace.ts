import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Span } from '@opentelemetry/api';

// the CommonJS copy that prom-client has loaded: `import` would load its hundred modules a second time
const api: typeof import('@opentelemetry/api') = createRequire(import.meta.url)('@opentelemetry/api');
const { context, INVALID_SPAN_CONTEXT, propagation, ProxyTracerProvider, SpanKind, SpanStatusCode, trace } = api;
/** The span of a request while no SDK is registered. */
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Starts the span of a request, as a child of the span in `traceparent`. Without an SDK it records nothing. */
export function startSpan(operation: string, route: string, method: string, headers: IncomingHttpHeaders): Span {
  // not cached: an SDK may be registered later, and by another copy of the API
  const provider = trace.getTracerProvider();
  if (provider instanceof ProxyTracerProvider && !provider.getDelegateTracer('sightline')) return NO_SPAN;
  const parent = headers.traceparent === undefined ? context.active() : propagation.extract(context.active(), headers);
  return provider
    .getTracer('sightline')
    .startSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent)
    .setAttribute('sightline.operation', operation);
}

export const within = <T>(span: Span, run: () => T): T =>
  span.isRecording() ? context.with(trace.setSpan(context.active(), span), run) : run();

interface SpanEnd {
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
