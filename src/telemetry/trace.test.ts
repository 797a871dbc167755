import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attributes, context, propagation, ROOT_CONTEXT, type Span, type SpanStatus, SpanStatusCode, trace } from '@opentelemetry/api';
import { REGISTRATION, refused, rig } from '../../test/contract/fakes.ts';
import { ServiceError } from '../contract/errors.ts';

/** Records the calls to spans, in place of an SDK. */
interface Recorded {
  name: string;
  attributes: Attributes;
  status: SpanStatus | null;
  ended: number;
}
const spans: Recorded[] = [];
function record(name: string): Span {
  const recorded: Recorded = { name, attributes: {}, status: null, ended: 0 };
  spans.push(recorded);
  const span = {
    spanContext: () => ({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }),
    isRecording: () => true,
    setAttribute(key: string, value: string) {
      recorded.attributes[key] = value;
      return span;
    },
    setAttributes(attributes: Attributes) {
      Object.assign(recorded.attributes, attributes);
      return span;
    },
    setStatus(status: SpanStatus) {
      recorded.status = status;
      return span;
    },
    end() {
      recorded.ended++;
    },
  };
  return span as unknown as Span;
}

test('with an SDK every request is one span, ended once, with its result and without secrets', async () => {
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: record, startActiveSpan: () => undefined as never }) });
  const carried: unknown[] = [];
  propagation.setGlobalPropagator({
    inject() {},
    fields: () => [],
    extract(parent, carrier, getter) {
      carried.push(getter.get(carrier, 'traceparent'));
      return parent ?? ROOT_CONTEXT;
    },
  });
  const r = rig();
  await r.get(REGISTRATION, { 'x-api-key': 'sl_good', traceparent: '00-abc-def-01' });
  r.script = async () => refused(new ServiceError('UPSTREAM_BLOCKED'));
  await r.get(REGISTRATION);
  trace.disable();
  propagation.disable();
  context.disable();
  assert.deepEqual(carried, ['00-abc-def-01']);
  assert.deepEqual(
    spans.map((s) => [s.name, s.attributes['http.response.status_code'], s.attributes['error.type'], s.status?.code, s.ended]),
    [
      ['GET /v1/website/whois/domains/{domain}', 200, undefined, undefined, 1],
      ['GET /v1/website/whois/domains/{domain}', 502, 'UPSTREAM_BLOCKED', SpanStatusCode.ERROR, 1],
    ],
  );
  assert.equal(spans[0]?.attributes['sightline.source'], 'registration/rdap');
  assert.doesNotMatch(JSON.stringify(spans), /sl_good|acme-widgets/);
});

test('without an SDK requests are served too', async () => {
  assert.equal((await rig().get(REGISTRATION)).status, 200);
});
