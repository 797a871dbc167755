import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../../accounts/types.ts';
import type { Charge } from '../../billing/charge.ts';
import { invalid, orRefuse, type ServiceError } from '../../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../../contract/operations/define.ts';
import type { Input, Operation } from '../../contract/operations/index.ts';
import type { CacheStatus, LookupAnswer, LookupRefusal, LookupRequest, LookupResult, Payment } from '../../orchestrator/types.ts';
import { atMost } from '../../runtime/lru.ts';
import { within } from '../../telemetry/trace.ts';
import { READ } from '../http/assets.ts';
import { ageOf, cacheStatusField, lifetimeOf, matches, readFreshness } from '../http/cache-control.ts';
import type { Route } from '../http/listener.ts';
import { queryOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type Coded, JSON_TYPE, negotiated, tenths, whenSent } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';

export function createLookupRoute(routes: RouteDependencies): (operation: Operation) => Route {
  const { admission, responder, billing, orchestrator, clock, metrics } = routes;
  const chargesHits = routes.settings.SIGHTLINE_CHARGE_CACHE_HITS;
  const readInput = createInputReader();
  const lookups = createLookupRunner(routes);

  async function serve(context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
    let charge: Charge | null = null;
    try {
      // where this process knows caller, limits and a fresh answer, the hit is answered in the turn of the event loop in which it arrived
      const caller = await admission.admitCaller(context, operation.id, 'header or session');
      const { headers, url = '' } = context.request;
      const input = readInput(operation, params, url);
      context.target = url;
      context.admittedMs = responder.durationMs(context);
      const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
      const call = { operation, input, freshness, maxCredits: readMaxCredits(headers['x-max-credits']) };
      let result = chargesHits ? null : orchestrator.cached({ operation: operation.id, input, freshness, account: caller.accountId });
      if (result) {
        context.noteResult(result);
        context.remaining = billing.remaining(caller.accountId);
      } else {
        charge = lookups.openCharge(context, caller, call);
        result = await lookups.runLookup(context, caller, charge, call);
      }
      if (!result.ok) return refuseLookup(context, charge, result.refusal);
      const { answer } = result;
      const { bytes, etag } = answer.cached;
      const body = matches(headers['if-none-match'], etag) ? null : await negotiated(context, bytes);
      if (charge) await deliverCharged(context, charge, () => send(context, answer, body));
      else send(context, answer, body);
      if (context.cache !== null) metrics.cache(context.operation, context.cache);
      responder.report(context, 200, null);
    } catch (thrown) {
      refuse(context, responder.refusalOf(context, thrown), charge);
    }
  }

  function refuse(context: RequestContext, error: ServiceError, charge: Charge | null = null, more: readonly string[] = []): void {
    refuseCaller(routes, context, charge, error, more);
    responder.report(context, error.status, error.message);
  }

  function send(context: RequestContext, { cached, cacheStatus }: LookupAnswer, sent: Coded | null): void {
    const headers = [
      ...['X-Data-Source', cached.source, 'ETag', cached.etag, 'Vary', 'Accept-Encoding', 'Server-Timing', serverTiming(context)],
      ...cacheFields(cacheStatus, lifetimeOf(cached), cached.at),
    ];
    if (cached.unread.length > 0) headers.push('X-Fields-Unread', cached.unread.join(', '));
    if (!sent) {
      responder.write(context, 304, headers, null);
      return;
    }
    headers.push('Content-Type', JSON_TYPE);
    if (sent.encoding) headers.push('Content-Encoding', sent.encoding);
    responder.write(context, 200, headers, sent.body);
  }

  /** `lifetime`: seconds from `at` on, when the source was read. */
  function cacheFields(cacheStatus: CacheStatus, lifetime: number, at: number): readonly string[] {
    const age = ageOf(at, clock.now());
    const status = cacheStatusField(cacheStatus, lifetime - age);
    return ['Cache-Control', `private, max-age=${lifetime}`, 'Age', String(age), 'Cache-Status', status];
  }

  function serverTiming(context: RequestContext): string {
    const total = `total;dur=${tenths(responder.durationMs(context))}`;
    return context.upstreamMs > 0 ? `source;dur=${tenths(context.upstreamMs)}, ${total}` : total;
  }

  function refuseLookup(context: RequestContext, charge: Charge | null, refusal: LookupRefusal): void {
    const { cacheStatus, at } = refusal;
    const error = responder.refusalOf(context, refusal.error);
    const more = ['Server-Timing', serverTiming(context)];
    if (cacheStatus && at !== null) more.push(...cacheFields(cacheStatus, ABSENT_FRESH_MS / 1000, at));
    else if (cacheStatus) more.push('Cache-Status', cacheStatusField(cacheStatus, 0));
    refuse(context, error, charge, more);
  }

  return (operation) => ({
    methods: READ,
    path: operation.path,
    operation: operation.id,
    serve: (context, params) => serve(context, operation, params),
    refuse,
  });
}

const MAX_INPUTS = 20_000;
const MAX_URL_CHARACTERS = 512;

/** Reads the input of a request target, from its path and query, and remembers it. The same target always gives the same input. Throws INVALID_REQUEST. */
export function createInputReader() {
  const inputs = new LRUCache<string, Input>(atMost(MAX_INPUTS));
  return (operation: Operation, params: Readonly<Record<string, string>>, url: string): Input => {
    const known = inputs.get(url);
    if (known) return known;
    const input = Object.freeze(orRefuse(operation.readInput([...Object.entries(params), ...queryOf({ url })])));
    if (url.length <= MAX_URL_CHARACTERS) inputs.set(url, input);
    return input;
  };
}

/** Reads X-Max-Credits; null if the request sets no limit. Throws INVALID_REQUEST. */
export function readMaxCredits(field: string | string[] | undefined): number | null {
  if (field === undefined) return null;
  if (typeof field === 'string' && /^\d{1,9}$/.test(field)) return Number(field);
  throw invalid(
    `Header X-Max-Credits is ${JSON.stringify(String(field).slice(0, 100))}, but it must be a whole number of credits, such as 5.`,
  );
}

export interface LookupCall extends Pick<LookupRequest, 'input' | 'freshness' | 'signal' | 'asking'> {
  readonly operation: Operation;
  readonly maxCredits: number | null;
}

/** The part of a lookup between admission and the response, over HTTP and over MCP. */
export type LookupRunner = ReturnType<typeof createLookupRunner>;

const LOGGED_EVERY_MS = 60_000;

export function createLookupRunner({ billing, orchestrator, settings, log, monotonicMs, responder }: RouteDependencies) {
  const loggedAt = new Map<string, number>();
  const deadlineFor = (context: RequestContext, operation: Operation): number => context.at + settings[operation.deadline.setting];

  function logMissingSettings(operation: string, lacking: readonly string[]): void {
    const now = monotonicMs();
    if (now - (loggedAt.get(operation) ?? Number.NEGATIVE_INFINITY) < LOGGED_EVERY_MS) return;
    loggedAt.set(operation, now);
    log.warn({ operation, settings: lacking }, 'no source is configured for this operation: one of these settings would configure one');
  }

  /** The charge, with the time of its hold noted in the context. */
  const timed = (context: RequestContext, charge: Charge): Payment => ({
    async hold() {
      const startMs = responder.durationMs(context);
      await charge.hold();
      context.hold = { startMs, ms: responder.durationMs(context) - startMs };
    },
    release: () => charge.release(),
  });

  return {
    openCharge(context: RequestContext, payer: Caller, { operation, input, maxCredits }: LookupCall): Charge {
      const { requestId, label } = context;
      const deadlineMs = deadlineFor(context, operation);
      return billing.openCharge({ payer, operation: operation.id, input, requestId, label, deadlineMs, maxCredits });
    },

    /** Runs the lookup, decides its charge and notes the result in the context. Throws a ServiceError where the charge cannot be held. */
    async runLookup(context: RequestContext, caller: Caller, charge: Charge, call: LookupCall): Promise<LookupResult> {
      const { operation, input, freshness, signal, asking } = call;
      const asked = { operation: operation.id, input, freshness, signal, asking };
      const own = { charge: timed(context, charge), requestId: context.requestId, account: caller.accountId };
      const deadlineMs = deadlineFor(context, operation);
      const result = await within(context.span, () => orchestrator.lookup({ ...asked, ...own, deadlineMs }));
      context.noteResult(result);
      const { attempts } = context;
      if (attempts.length && attempts.every(({ isUnsent }) => isUnsent)) charge.sourceNotAsked();
      if (result.ok) {
        await charge.decide(result.answer);
        context.remaining = charge.remaining;
      } else if (result.refusal.lacking) logMissingSettings(context.operation, result.refusal.lacking);
      return result;
    },
  };
}

/** Writes an answer over HTTP. Throws a ServiceError where its hold has expired. */
async function deliverCharged(context: RequestContext, charge: Charge, write: () => void): Promise<void> {
  // no await between the last check of the hold and the first byte
  while (charge.nearlyExpired) await charge.renew();
  context.receipt = charge.receipt;
  context.charged = charge.amount;
  writeCharged(charge, context.response, write);
}

/** Writes an answer: it is charged after its last byte, or when the client has left or does not read it. The hold was valid in this turn. */
export function writeCharged(charge: Charge, response: ServerResponse, write: () => void): void {
  if (charge.amount > 0) whenSent(response, () => charge.capture());
  else charge.waive();
  write();
  if (charge.amount > 0) captureUnread(charge, response);
}

/** Once the time is over that a client has to read its answer, it is charged although it has not read it. */
function captureUnread(charge: Charge, response: ServerResponse): void {
  if ((response.socket?.writableLength ?? 0) === 0) return;
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  charge.captureSlowRead(closed.signal);
}

/** Sends an error: every credit held for the request is released, and its caller gets the remaining ones. `more`: further headers, flat. */
export function refuseCaller(
  { billing, responder }: Pick<RouteDependencies, 'billing' | 'responder'>,
  context: RequestContext,
  charge: Charge | null,
  error: ServiceError,
  more: readonly string[] = [],
): void {
  if (charge) context.remaining = charge.cancel();
  else if (context.caller) context.remaining = billing.remaining(context.caller.accountId);
  responder.refuse(context, error, more);
}
