import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import { createOutage, type OutageLog } from '../../runtime/outage.ts';
import { singleFlight } from '../../runtime/single-flight.ts';
import { METRICS_TYPE, type Metrics } from '../../telemetry/metrics.ts';
import { challenge, credentialOf, isSameSecret } from '../admission/credentials.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { Responder } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';

const CACHED_MS = 1000;

/** Checks whether store and engine are ready: null, or the 503. The result is cached for a second; concurrent calls share one check. */
export function createReadiness(
  routes: Pick<RouteDependencies, 'accounts' | 'orchestrator' | 'clock' | 'log'>,
): () => Promise<ServiceError | null> {
  const { accounts, orchestrator, clock, log } = routes;
  let known: { until: number; refusal: ServiceError | null } | null = null;

  const part = (name: string, ready: () => Promise<void>): (() => Promise<string | null>) => {
    const write: OutageLog = (level, message, facts) => log[level](facts, message);
    const outage = createOutage(clock, write, `the ${name} is not ready`, `the ${name} is ready again`);
    return async () => {
      try {
        await ready();
        outage.worked();
        return null;
      } catch (error) {
        outage.failed(String((error as { cause?: unknown }).cause ?? error));
        return name;
      }
    };
  };
  const parts = [part('store', () => accounts.ready()), part('engine', () => orchestrator.ready())];
  const check = singleFlight(async () => {
    const missing = await Promise.all(parts.map((ready) => ready()));
    const names = missing.filter((name) => name !== null);
    const refusal = names.length
      ? new ServiceError('UNAVAILABLE', `Not ready: the ${names.join(' and the ')} cannot be reached.`, { 'retry-after': '5' })
      : null;
    known = { until: clock.now() + CACHED_MS, refusal };
    return refusal;
  });
  return async () => {
    const leftMs = known ? known.until - clock.now() : 0;
    // more than the cache time: the clock was set back
    return known && leftMs > 0 && leftMs <= CACHED_MS ? known.refusal : check();
  };
}

export const healthRoute = ({ responder, version }: Pick<RouteDependencies, 'responder' | 'version'>): Route => ({
  methods: READ,
  path: '/healthz',
  operation: 'health',
  always: true,
  serve: (context) => responder.writeJson(context, { status: 'ok', version }),
});

export const readyRoute = (
  { responder, version, orchestrator }: Pick<RouteDependencies, 'responder' | 'version' | 'orchestrator'>,
  readiness: () => Promise<ServiceError | null>,
): Route => ({
  methods: READ,
  path: '/readyz',
  operation: 'ready',
  async serve(context) {
    const refusal = await readiness();
    if (refusal) throw refusal;
    responder.writeJson(context, { status: 'ready', version, sunsets: orchestrator.sunsets() });
  },
});

/** Whether a request carries the bearer token of the metrics (SIGHTLINE_METRICS_TOKEN); null: there is none. */
export function isMetricsToken({ headers }: IncomingMessage, token: string | null): boolean {
  const credential = credentialOf(headers);
  return token !== null && credential.kind === 'given' && isSameSecret(credential.value, token);
}

export const metricsTokenNeeded = ({ headers }: IncomingMessage): ServiceError =>
  new ServiceError('UNAUTHORIZED', 'The token of the metrics is needed (SIGHTLINE_METRICS_TOKEN), as Authorization: Bearer.', {
    'www-authenticate': challenge(credentialOf(headers).kind !== 'none', null),
  });

/** Prometheus metrics on the public listener, behind their own bearer token. */
export const metricsRoute = (
  { admission, responder, metrics }: Pick<RouteDependencies, 'admission' | 'responder' | 'metrics'>,
  token: string,
): Route => ({
  methods: READ,
  path: '/metrics',
  operation: 'metrics',
  always: true,
  async serve(context) {
    const addressKey = await admission.admitAddress(context);
    if (!isMetricsToken(context.request, token)) {
      if (credentialOf(context.request.headers).kind !== 'none') await admission.countWrongCredentials(context, addressKey);
      throw metricsTokenNeeded(context.request);
    }
    await writeMetrics(responder, context, metrics);
  },
});

export async function writeMetrics(responder: Responder, context: RequestContext, metrics: Metrics): Promise<void> {
  const headers = ['Content-Type', METRICS_TYPE, 'Cache-Control', 'no-store'];
  responder.write(context, 200, headers, Buffer.from(await metrics.text()));
}
