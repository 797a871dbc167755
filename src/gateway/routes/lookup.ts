import type { ServerResponse } from 'node:http';
import { type AccountCharge, readMaxCredits } from '../../billing/charge.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../../contract/operations/freshness.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { LookupAnswer, LookupRefusal } from '../../orchestrator/types.ts';
import { deadlineOf } from '../../settings.ts';
import { within } from '../../telemetry/trace.ts';
import { readFreshness } from '../http/cache-control.ts';
import { ageOf, cacheStatusField, cacheWord, lifetimeOf, matches } from '../http/cache-headers.ts';
import { refuseBody } from '../http/message-limits.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE, negotiated, whenSent } from '../http/response.ts';
import type { RouteDependencies } from './dependencies.ts';
import { createInputReader } from './lookup-input.ts';
import { createMissingSettingsLog } from './missing-settings-log.ts';
import { createRefuseCaller } from './refusal.ts';

/** Serves the operations, from admission to the last byte. Never rejects. */
export type ServeLookup = (context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>) => Promise<void>;

export function createLookupRoute(routes: RouteDependencies): ServeLookup {
  const { admission, responder, charges, orchestrator, settings, clock, log, metrics } = routes;
  const readInput = createInputReader();
  const refuseCaller = createRefuseCaller(routes);
  const logMissingSettings = createMissingSettingsLog(log, routes.monotonicMs);

  async function serve(context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
    admission.enter();
    let charge: AccountCharge | null = null;
    try {
      admission.checkArrival(context);
      refuseBody(context.request);
      const caller = await admission.admitCaller(context, operation.id, 'header or session');
      const input = orRefuse(readInput(operation, params, context.request.url ?? ''));
      context.target = context.request.url ?? null;
      const { headers } = context.request;
      const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
      const maxCredits = readMaxCredits(headers['x-max-credits']);
      const deadlineMs = context.at + deadlineOf(operation, settings);
      const { requestId } = context;
      const opened = charges.open({ payer: caller, operation: operation.id, input, requestId, deadlineMs, maxCredits });
      charge = opened;
      const result = await within(context.span, () =>
        orchestrator.lookup({
          operation: operation.id,
          input,
          freshness,
          charge: opened,
          deadlineMs,
          requestId,
          account: caller.accountId,
        }),
      );
      if (!result.ok) {
        await refuseLookup(context, charge, result.refusal);
        return;
      }
      const { answer } = result;
      context.source = answer.cached.source;
      context.attempts = answer.attempts;
      context.unread = answer.cached.unread;
      context.cache = cacheWord(answer.cacheStatus);
      context.upstreamMs = answer.upstreamMs;
      const deciding = charge.decide(answer);
      if (deciding) await deciding;
      const { uncharged } = charge;
      context.remaining = (await charges.remaining(caller.accountId)) + uncharged;
      const unchanged = matches(headers['if-none-match'], answer.cached.etag);
      const chosen = unchanged ? null : negotiated(context, answer.cached.bytes);
      const body = chosen instanceof Promise ? await chosen : chosen;
      // no await between the last check of the hold and the first byte
      while (charge.nearlyExpired) await charge.renew();
      context.receipt = charge.receipt;
      context.charged = charge.amount;
      if (charge.amount > 0) whenSent(context.response, () => opened.capture());
      else charge.forgo();
      send(context, answer, body);
      if (charge.amount > 0 && (context.response.socket?.writableLength ?? 0) > 0) charge.captureSlowRead(closeOf(context.response));
      metrics.cache(context.operation, context.cache);
      report(context, 200, null, answer.attempts);
    } catch (thrown) {
      const error = responder.refusalOf(context, thrown);
      await refuseCaller(context, charge, error);
      report(context, error.status, error.message, []);
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
    context.upstreamMs = refusal.upstreamMs;
    context.attempts = refusal.attempts;
    context.cache = cacheStatus ? cacheWord(cacheStatus) : null;
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
    report(context, error.status, error.message, refusal.attempts);
    if (refusal.lacking) logMissingSettings(context.operation, refusal.lacking);
  }

  /** Logs the request: attempts at sources and failures at info and above, answers from the cache at debug. */
  function report(context: RequestContext, status: number, message: string | null, attempts: LookupAnswer['attempts']): void {
    const level = status >= 500 && status !== 501 && status !== 504 ? 'warn' : context.cache === 'hit' || status < 500 ? 'debug' : 'info';
    const shown = attempts.length && level === 'debug' ? 'info' : level;
    if (!log.isLevelEnabled(shown)) return;
    const facts = {
      requestId: context.requestId,
      operation: context.operation,
      status,
      ms: tenths(responder.durationMs(context)),
      account: context.caller?.accountId,
      key: context.caller?.keyId,
      credits: context.charged,
      source: context.source,
      cache: context.cache,
      ...(attempts.length && { attempts }),
    };
    log[shown](facts, message ?? 'answered');
  }

  return serve;
}

const orRefuse = <T>(read: { ok: true; value: T } | { ok: false; why: string }): T => {
  if (read.ok) return read.value;
  throw new ServiceError('INVALID_REQUEST', read.why);
};

/** Aborts once the response is closed. */
function closeOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
