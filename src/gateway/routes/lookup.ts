import { type AccountCharge, readMaxCredits } from '../../billing/charge.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../../contract/operations/freshness.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { LookupAnswer, LookupRefusal } from '../../orchestrator/types.ts';
import { readFreshness } from '../http/cache-control.ts';
import { ageOf, cacheStatusField, lifetimeOf, matches } from '../http/cache-headers.ts';
import { refuseBody } from '../http/message-limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE, negotiated } from '../http/response.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createInputReader } from './lookup-input.ts';
import { createLookupRun, tenths, writeCharged } from './lookup-run.ts';
import { createRefuseCaller } from './refusal.ts';

/** Serves the operations, from admission to the last byte. Never rejects. */
export type ServeLookup = (context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>) => Promise<void>;

export function createLookupRoute(routes: RouteDependencies): ServeLookup {
  const { admission, responder, clock, metrics } = routes;
  const readInput = createInputReader();
  const refuseCaller = createRefuseCaller(routes);
  const lookups = createLookupRun(routes);

  async function serve(context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
    admission.enter();
    let charge: AccountCharge | null = null;
    try {
      admission.checkArrival(context);
      refuseBody(context.request);
      // awaits promises only: a hit of the local cache is answered in the turn in which it arrived
      const admitted = admission.admitCaller(context, operation.id, 'header or session');
      const caller = admitted instanceof Promise ? await admitted : admitted;
      const input = orRefuse(readInput(operation, params, context.request.url ?? ''));
      context.target = context.request.url ?? null;
      const { headers } = context.request;
      const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
      const call = { operation, input, freshness, maxCredits: readMaxCredits(headers['x-max-credits']) };
      const opened = lookups.open(context, caller, call);
      charge = opened;
      const running = lookups.run(context, caller, opened, call);
      const result = running instanceof Promise ? await running : running;
      if (!result.ok) {
        await refuseLookup(context, charge, result.refusal);
        return;
      }
      const { answer } = result;
      const unchanged = matches(headers['if-none-match'], answer.cached.etag);
      const chosen = unchanged ? null : negotiated(context, answer.cached.bytes);
      const body = chosen instanceof Promise ? await chosen : chosen;
      // no await between the last check of the hold and the first byte
      while (charge.nearlyExpired) await charge.renew();
      context.receipt = charge.receipt;
      context.charged = charge.amount;
      writeCharged(charge, context.response, () => send(context, answer, body));
      if (context.cache !== null) metrics.cache(context.operation, context.cache);
      lookups.report(context, 200, null);
    } catch (thrown) {
      const error = responder.refusalOf(context, thrown);
      await refuseCaller(context, charge, error);
      lookups.report(context, error.status, error.message);
    } finally {
      admission.leave();
    }
  }

  /** Writes a 200, or a 304 without a body. */
  function send(
    context: RequestContext,
    { cached, cacheStatus }: LookupAnswer,
    sent: { body: Buffer; encoding: string | null } | null,
  ): void {
    const lifetime = lifetimeOf(cached);
    const age = ageOf(cached.at, clock.now());
    const headers = [
      'X-Data-Source',
      cached.source,
      'Cache-Control',
      `private, max-age=${lifetime}`,
      'Age',
      String(age),
      'ETag',
      cached.etag,
      'Cache-Status',
      cacheStatusField(cacheStatus, lifetime - age),
      'Vary',
      responder.vary,
      'Server-Timing',
      serverTiming(context),
    ];
    if (cached.unread.length > 0) headers.push('X-Fields-Unread', cached.unread.join(', '));
    if (!sent) {
      responder.write(context, 304, headers, null);
      return;
    }
    headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(sent.body.length));
    if (sent.encoding) headers.push('Content-Encoding', sent.encoding);
    responder.write(context, 200, headers, sent.body);
  }

  function serverTiming(context: RequestContext): string {
    const total = `total;dur=${tenths(responder.durationMs(context))}`;
    return context.upstreamMs > 0 ? `source;dur=${tenths(context.upstreamMs)}, ${total}` : total;
  }

  async function refuseLookup(context: RequestContext, charge: AccountCharge, refusal: LookupRefusal): Promise<void> {
    const { cacheStatus, at } = refusal;
    const error = responder.refusalOf(context, refusal.error);
    const more = ['Server-Timing', serverTiming(context)];
    if (cacheStatus && at !== null) {
      const age = ageOf(at, clock.now());
      const lifetime = ABSENT_FRESH_MS / 1000;
      more.push(
        'Cache-Control',
        `private, max-age=${lifetime}`,
        'Age',
        String(age),
        'Cache-Status',
        cacheStatusField(cacheStatus, lifetime - age),
      );
    } else if (cacheStatus) more.push('Cache-Status', cacheStatusField(cacheStatus, 0));
    await refuseCaller(context, charge, error, more);
    lookups.report(context, error.status, error.message);
  }

  return serve;
}

const orRefuse = <T>(read: { ok: true; value: T } | { ok: false; why: string }): T => {
  if (read.ok) return read.value;
  throw new ServiceError('INVALID_REQUEST', read.why);
};
