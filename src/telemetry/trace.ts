import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Span } from '@opentelemetry/api';

/** Where all copies of the API 1.x keep what an SDK registers: without a tracer there its fifty modules are not loaded. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
const hasTracer = (): boolean => Boolean((globalThis as { [REGISTERED]?: { readonly trace?: unknown } })[REGISTERED]?.trace);
const require = createRequire(import.meta.url);
// the CommonJS copy that prom-client loads: `import` would load its modules a second time
const apiOf = (): typeof import('@opentelemetry/api') => require('@opentelemetry/api');

/** Starts the span of a request, as a child of the span in `traceparent`; null without an SDK. */
export function startSpan(operation: string, route: string, method: string, headers: IncomingHttpHeaders): Span | null {
  // asked for each request: an SDK may be registered later, and by another copy of the API
  if (!hasTracer()) return null;
  const { context, propagation, SpanKind, trace } = apiOf();
  const parent = headers.traceparent === undefined ? context.active() : propagation.extract(context.active(), headers);
  return trace
    .getTracer('sightline')
    .startSpan(`${method} ${route}`, { kind: SpanKind.SERVER }, parent)
    .setAttribute('sightline.operation', operation);
}

export function within<T>(span: Span | null, run: () => T): T {
  if (!span?.isRecording()) return run();
  const { context, trace } = apiOf();
  return context.with(trace.setSpan(context.active(), span), run);
}

type SpanEnd = Readonly<Record<'status' | 'credits', number> & Record<'code' | 'source' | 'cache', string | null>>;
export function endSpan(span: Span | null, end: SpanEnd): void {
  if (!span?.isRecording()) return;
  span.setAttributes({ 'http.response.status_code': end.status, 'sightline.credits': end.credits });
  if (end.source) span.setAttribute('sightline.source', end.source);
  if (end.cache) span.setAttribute('sightline.cache', end.cache);
  if (end.code) span.setAttribute('error.type', end.code);
  if (end.status >= 500) span.setStatus({ code: apiOf().SpanStatusCode.ERROR });
  span.end();
}
