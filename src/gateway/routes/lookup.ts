import { LRUCache } from 'lru-cache';
import { invalid, orRefuse, type ServiceError } from '../../contract/errors.ts';
import { ABSENT_FRESH_MS } from '../../contract/operations/define.ts';
import type { Input, Operation } from '../../contract/operations/index.ts';
import type { Answered, Refused } from '../../lookups/states.ts';
import type { CacheStatus } from '../../orchestrator/types.ts';
import { atMost } from '../../runtime/lru.ts';
import { READ } from '../http/assets.ts';
import { ageOf, cacheStatusField, lifetimeOf, matches, readFreshness } from '../http/cache-control.ts';
import type { Route } from '../http/listener.ts';
import { queryOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { type Coded, JSON_TYPE, negotiated, tenths, writeDeliverable } from '../http/response.ts';
import type { RouteDependencies } from '../parts.ts';

/** The route of an operation: a lookup over HTTP. */
export function createLookupRoute(routes: RouteDependencies): (operation: Operation) => Route {
  const { admission, responder, lookups, clock, metrics } = routes;
  const readInput = createInputReader();

  async function serve(context: RequestContext, operation: Operation, params: Readonly<Record<string, string>>): Promise<void> {
    // where this process knows caller, limits and a fresh answer, the hit is answered in the turn of the event loop in which it arrived
    const admitted = await admission.admitCaller(context, operation.id, 'header or session');
    const { headers, url = '' } = context.request;
    const input = readInput(operation, params, url);
    context.target = url;
    const freshness = orRefuse(readFreshness(headers['cache-control'], headers.pragma, headers['if-none-match'] !== undefined));
    const asked = lookups.ask(admitted, { operation, input, freshness, maxCredits: readMaxCredits(headers['x-max-credits']) });
    const ended = asked.cached() ?? (await asked.price().run());
    context.lookup = ended;
    if (!ended.ok) return refuseLookup(context, ended);
    context.remaining = ended.remaining;
    const { bytes, etag } = ended.cached;
    const body = matches(headers['if-none-match'], etag) ? null : await negotiated(context, bytes);
    // all that takes time is done before the hold is looked at: between that look and the write a freeze could send an answer for nothing
    const fields = fieldsOf(context, ended, body);
    await ended.deliver((answer) =>
      writeDeliverable(context, answer, () => responder.write(context, body ? 200 : 304, fields, body?.body ?? null)),
    );
    if (ended.facts.cache !== null) metrics.cache(context.operation, ended.facts.cache);
    responder.report(context, 200, null);
  }

  function refuse(context: RequestContext, error: ServiceError, more: readonly string[] = []): void {
    refuseCaller(routes, context, error, more);
    responder.report(context, error.status, error.message);
  }

  /** Headers of an answer, flat. `sent`: null for a 304. */
  function fieldsOf(context: RequestContext, { cached, cacheStatus, facts }: Answered, sent: Coded | null): string[] {
    const headers = [
      ...[
        'X-Data-Source',
        cached.source,
        'ETag',
        cached.etag,
        'Vary',
        'Accept-Encoding',
        'Server-Timing',
        serverTiming(context, facts.upstreamMs),
      ],
      ...cacheFields(cacheStatus, lifetimeOf(cached), cached.at),
    ];
    if (cached.unread.length > 0) headers.push('X-Fields-Unread', cached.unread.join(', '));
    if (sent) headers.push('Content-Type', JSON_TYPE);
    if (sent?.encoding) headers.push('Content-Encoding', sent.encoding);
    return headers;
  }

  /** `lifetime`: seconds from `atMs` on, when the source was read. */
  function cacheFields(cacheStatus: CacheStatus, lifetime: number, atMs: number): readonly string[] {
    const age = ageOf(atMs, clock.now());
    const status = cacheStatusField(cacheStatus, lifetime - age);
    return ['Cache-Control', `private, max-age=${lifetime}`, 'Age', String(age), 'Cache-Status', status];
  }

  function serverTiming(context: RequestContext, upstreamMs: number): string {
    const total = `total;dur=${tenths(responder.durationMs(context))}`;
    return upstreamMs > 0 ? `source;dur=${tenths(upstreamMs)}, ${total}` : total;
  }

  function refuseLookup(context: RequestContext, { error, cacheStatus, readAtMs, facts }: Refused): void {
    const more = ['Server-Timing', serverTiming(context, facts.upstreamMs)];
    if (cacheStatus && readAtMs !== null) more.push(...cacheFields(cacheStatus, ABSENT_FRESH_MS / 1000, readAtMs));
    else if (cacheStatus) more.push('Cache-Status', cacheStatusField(cacheStatus, 0));
    refuse(context, responder.refusalOf(context, error), more);
  }

  return (operation) => ({
    methods: READ,
    path: operation.path,
    operation: operation.id,
    serve: (context, params) => serve(context, operation, params),
    refuse: (context, error) => refuse(context, error),
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

/** Sends an error: every credit held for the request is released, and its caller gets the remaining ones. `more`: further headers, flat. */
export function refuseCaller(
  { billing, responder }: Pick<RouteDependencies, 'billing' | 'responder'>,
  context: RequestContext,
  error: ServiceError,
  more: readonly string[] = [],
): void {
  if (context.lookup) context.remaining = context.lookup.cancel();
  else if (context.caller) context.remaining = billing.remaining(context.caller.accountId);
  responder.refuse(context, error, more);
}
