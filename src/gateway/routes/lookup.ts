import { AccountCharge } from '../../billing/charge.ts';
import { PATIENCE_MS } from '../../billing/hold-life.ts';
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
  const { admission, responder, accounts, orchestrator, charging, settings, clock, log, metrics, settlements } = routes;
  const readInput = createInputReader();
  const refuseCaller = createRefuseCaller(routes);
  const logMissingSettings = createMissingSettingsLog(log, routes.monotonicMs);

  async function serve(context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
    admission.enter();
    let charge: AccountCharge | null = null;
    try {
      admission.checkArrival(context);
      refuseBody(context.request);
      const caller = await admission.admitCaller(context, operation.id);
      const input = orRefuse(readInput(operation, params, context.request.url ?? ''));
      const { headers } = context.request;
      const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
      const maxCredits = maxCreditsOf(headers['x-max-credits']);
      const deadlineMs = context.at + deadlineOf(operation, settings);
      const paying = new AccountCharge(charging, { caller, operation: operation.id, requestId: context.requestId, deadlineMs, maxCredits });
      charge = paying;
      const result = await within(context.span, () =>
        orchestrator.lookup({
          operation: operation.id,
          input: input as never,
          freshness,
          charge: paying,
          deadlineMs,
          requestId: context.requestId,
          account: caller.accountId,
        }),
      );
      if (!result.ok) {
        await refuseLookup(context, charge, result.refusal);
        return;
      }
      const { answer } = result;
      context.source = answer.cached.source;
      context.cache = cacheWord(answer.cacheStatus);
      context.upstreamMs = answer.upstreamMs;
      const costs = settings.SIGHTLINE_CHARGE_CACHE_HITS && answer.cacheStatus.how !== 'miss';
      if (costs) await charge.hold(answer.price);
      const price = answer.leads || costs ? Math.min(answer.price, charge.held) : 0;
      const ours = charge.outstanding;
      context.remaining = (await accounts.ledger.remaining(caller.accountId)) + ours - price;
      const unchanged = matches(headers['if-none-match'], answer.cached.etag);
      const chosen = unchanged ? null : negotiated(context, answer.cached.bytes);
      const body = chosen instanceof Promise ? await chosen : chosen;
      // from the last look at the hold to the first byte nothing is waited for
      while (!charge.lasts) await charge.secure();
      context.receipt = charge.receipt;
      const capture = charge.held > 0 ? settle(context, charge, price) : null;
      context.charged = price;
      if (price === 0) charge.unsold();
      send(context, answer, body);
      if (capture && (context.response.socket?.writableLength ?? 0) > 0) chargeSlowReader(context, capture);
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

  /** 200, or 304 where there is no body to send. */
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
    if (!sent) {
      responder.write(context, 304, headers, null);
      return;
    }
    headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(sent.body.length));
    if (sent.encoding) headers.push('Content-Encoding', sent.encoding);
    responder.write(context, 200, headers, sent.body);
  }

  /** Who reads slowly must not outlast the hold: by then the answer is charged, as it is to one who leaves. */
  function chargeSlowReader(context: RequestContext, capture: () => void): void {
    const ended = new AbortController();
    context.response.once('close', () => ended.abort());
    void clock.sleep(PATIENCE_MS, ended.signal).then(capture);
  }

  /** The capture follows the last byte, or the client's leaving: who caused the lookup pays for it. What is not sold goes back. */
  function settle(context: RequestContext, charge: AccountCharge, price: number): (() => void) | null {
    if (price === 0) {
      charge.release();
      return null;
    }
    return whenSent(context.response, () => {
      const capture = charge.capture(price);
      settlements.add(capture);
      void capture.then(() => settlements.delete(capture));
    });
  }

  function serverTiming(context: RequestContext): string {
    const total = `total;dur=${tenths(responder.durationMs(context))}`;
    return context.upstreamMs > 0 ? `source;dur=${tenths(context.upstreamMs)}, ${total}` : total;
  }

  async function refuseLookup(context: RequestContext, charge: AccountCharge, refusal: LookupRefusal): Promise<void> {
    const { cacheStatus, at } = refusal;
    const error = responder.refusalOf(context, refusal.error);
    context.upstreamMs = refusal.upstreamMs;
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

  /** One line in the log: what went to a source or went wrong at info and above, hits for who looks closely. */
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

function maxCreditsOf(field: string | string[] | undefined): number | null {
  if (field === undefined) return null;
  if (typeof field === 'string' && /^\d{1,9}$/.test(field)) return Number(field);
  throw new ServiceError('INVALID_REQUEST', 'Header X-Max-Credits must be a whole number of credits, such as 5.');
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
