import type { Caller } from '../../accounts/types.ts';
import { AccountCharge } from '../../billing/charge.ts';
import { PATIENCE_MS } from '../../billing/hold-life.ts';
import { ServiceError } from '../../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../../contract/operations/freshness.ts';
import type { Operation } from '../../contract/operations/index.ts';
import type { LookupAnswer, LookupRefusal } from '../../orchestrator/types.ts';
import { deadlineOf } from '../../settings.ts';
import { within } from '../../telemetry/trace.ts';
import { admitAtDoor, admitCaller, freeCredits, refuseBody } from '../admission/admit.ts';
import { readFreshness } from '../http/cache-control.ts';
import { ageOf, cacheStatusField, cacheWord, lifetimeOf, matches } from '../http/cache-headers.ts';
import type { RequestContext } from '../http/request-context.ts';
import { JSON_TYPE, logDefect, negotiated, refusalOf, refuse, whenSent, write } from '../http/response.ts';

/** One request for one of the fourteen, from the door to the last byte. Never rejects. */
export async function serveLookup(x: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
  const { loadShedder } = x.desk;
  loadShedder.enter();
  let charge: AccountCharge | null = null;
  try {
    admitAtDoor(x);
    refuseBody(x.request);
    const caller = await admitCaller(x, operation.id);
    const input = orRefuse(x.desk.readInput(operation, params, x.request.url ?? ''));
    const { headers } = x.request;
    const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
    const maxCredits = maxCreditsOf(headers['x-max-credits']);
    const deadlineMs = x.at + deadlineOf(operation, x.desk.settings);
    const paying = new AccountCharge(x.desk.charging, { caller, operation: operation.id, requestId: x.requestId, deadlineMs, maxCredits });
    charge = paying;
    const result = await within(x.span, () =>
      x.desk.orchestrator.lookup({
        operation: operation.id,
        input: input as never,
        freshness,
        charge: paying,
        deadlineMs,
        requestId: x.requestId,
        account: caller.accountId,
      }),
    );
    if (!result.ok) {
      await refuseLookup(x, charge, result.refusal);
      return;
    }
    const { answer } = result;
    x.source = answer.cached.source;
    x.cache = cacheWord(answer.cacheStatus);
    x.upstreamMs = answer.upstreamMs;
    const costs = x.desk.settings.SIGHTLINE_CHARGE_CACHE_HITS && answer.cacheStatus.how !== 'miss';
    if (costs) await charge.hold(answer.price);
    const price = answer.leads || costs ? Math.min(answer.price, charge.held) : 0;
    const ours = charge.outstanding;
    x.remaining = (await freeCredits(x, caller)) + ours - price;
    const unchanged = matches(headers['if-none-match'], answer.cached.etag);
    const chosen = unchanged ? null : negotiated(x, answer.cached.bytes);
    const body = chosen instanceof Promise ? await chosen : chosen;
    // from the last look at the hold to the first byte nothing is waited for
    while (!charge.lasts) await charge.secure();
    x.receipt = charge.receipt;
    const capture = charge.held > 0 ? settle(x, charge, price) : null;
    x.charged = price;
    if (price === 0) charge.unsold();
    send(x, answer, body);
    if (capture && (x.response.socket?.writableLength ?? 0) > 0) chargeSlowReader(x, capture);
    x.desk.metrics.cache(x.operation, x.cache);
    report(x, 200, null, answer.attempts);
  } catch (thrown) {
    const error = refusalOf(x, thrown);
    await refuseKnown(x, charge, error);
    report(x, error.status, error.message, []);
  } finally {
    loadShedder.leave();
  }
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

/** 200, or 304 where there is no body to send. */
function send(x: RequestContext, { cached, cacheStatus }: LookupAnswer, sent: { body: Buffer; encoding: string | null } | null): void {
  const lifetime = lifetimeOf(cached);
  const age = ageOf(cached.at, x.desk.clock.now());
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
    x.desk.vary,
    'Server-Timing',
    serverTiming(x),
  ];
  if (!sent) {
    write(x, 304, headers, null);
    return;
  }
  headers.push('Content-Type', JSON_TYPE, 'Content-Length', String(sent.body.length));
  if (sent.encoding) headers.push('Content-Encoding', sent.encoding);
  write(x, 200, headers, sent.body);
}

/** Who reads slowly must not outlast the hold: by then the answer is charged, as it is to one who leaves. */
function chargeSlowReader(x: RequestContext, capture: () => void): void {
  const ended = new AbortController();
  x.response.once('close', () => ended.abort());
  void x.desk.clock.sleep(PATIENCE_MS, ended.signal).then(capture);
}

/** The capture follows the last byte, or the client's leaving: who caused the lookup pays for it. What is not sold goes back. */
function settle(x: RequestContext, charge: AccountCharge, price: number): (() => void) | null {
  if (price === 0) {
    charge.release();
    return null;
  }
  const { settlements } = x.desk;
  return whenSent(x.response, () => {
    const capture = charge.capture(price);
    settlements.add(capture);
    void capture.then(() => settlements.delete(capture));
  });
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;
function serverTiming(x: RequestContext): string {
  const total = `total;dur=${tenths(x.durationMs)}`;
  return x.upstreamMs > 0 ? `source;dur=${tenths(x.upstreamMs)}, ${total}` : total;
}

async function refuseLookup(x: RequestContext, charge: AccountCharge, refusal: LookupRefusal): Promise<void> {
  const { cacheStatus, at } = refusal;
  const error = refusalOf(x, refusal.error);
  x.upstreamMs = refusal.upstreamMs;
  x.cache = cacheStatus ? cacheWord(cacheStatus) : null;
  const more = ['Server-Timing', serverTiming(x)];
  if (cacheStatus && at !== null) {
    const age = ageOf(at, x.desk.clock.now());
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
  await refuseKnown(x, charge, error, more);
  report(x, error.status, error.message, refusal.attempts);
  if (refusal.lacking) x.desk.lacking(x.operation, refusal.lacking);
}

/** Null where it cannot be asked for, which must not turn one refusal into another. The log knows by then that the store is away. */
async function freeIfKnown(x: RequestContext, caller: Caller): Promise<number | null> {
  try {
    return await freeCredits(x, caller);
  } catch (error) {
    if (!(error instanceof ServiceError)) logDefect(x, error);
    return null;
  }
}

/** An error to somebody who is known tells what is left, and gives everything back. */
export async function refuseKnown(
  x: RequestContext,
  charge: AccountCharge | null,
  error: ServiceError,
  more: readonly string[] = [],
): Promise<void> {
  if (x.caller) {
    const ours = charge?.outstanding ?? 0;
    const free = await freeIfKnown(x, x.caller);
    x.remaining = free === null ? null : free + ours;
  }
  charge?.unsold();
  charge?.release();
  refuse(x, error, more);
}

/** One line in the log: what went to a source or went wrong at info and above, hits for who looks closely. */
function report(x: RequestContext, status: number, message: string | null, attempts: LookupAnswer['attempts']): void {
  const { log } = x.desk;
  const level = status >= 500 && status !== 501 && status !== 504 ? 'warn' : x.cache === 'hit' || status < 500 ? 'debug' : 'info';
  const shown = attempts.length && level === 'debug' ? 'info' : level;
  if (!log.isLevelEnabled(shown)) return;
  const facts = {
    requestId: x.requestId,
    operation: x.operation,
    status,
    ms: tenths(x.durationMs),
    account: x.caller?.accountId,
    key: x.caller?.keyId,
    credits: x.charged,
    source: x.source,
    cache: x.cache,
    ...(attempts.length && { attempts }),
  };
  log[shown](facts, message ?? 'answered');
}
