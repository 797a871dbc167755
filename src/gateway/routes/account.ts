import { demandLookup } from '../../accounts/rights.ts';
import type { Caller, UsageDay } from '../../accounts/types.ts';
import type { AccountEndpoint, AccountInput, EndpointId } from '../../contract/account/endpoints.ts';
import { CSV_COLUMNS } from '../../contract/account/ranking-endpoints.ts';
import type { Account, AccountPrice } from '../../contract/account/schemas.ts';
import { invalid, missing, orRefuse, ServiceError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operations/index.ts';
import { csvOf } from '../../contract/tables.ts';
import { freshUntil } from '../../orchestrator/cache.ts';
import { DAY_MS, dayOf, instant } from '../../runtime/clock.ts';
import type { AccountWatches } from '../../watches/watches.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { writePieces } from '../http/pieces.ts';
import { demandNoUnreadBody, queryOf } from '../http/request.ts';
import type { AccountHandler, RouteDependencies, Served } from '../parts.ts';
import { REPORT_POLICY, reportPage } from '../report/page.ts';
import { demandUsedParameters, formatOf, TYPES, VARY } from './answer-format.ts';
import { readMaxCredits, refuseCaller } from './lookup.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

export async function accountOf({ accounts, admission }: RouteDependencies, caller: Caller): Promise<Account> {
  const { key, credits, ...view } = await accounts.view(caller);
  const { ratePerSecond, burst } = admission.ruleOf(caller);
  const operations = key.operations && [...key.operations];
  return { ...view, credits: { ...credits }, key: { ...key, operations }, limits: { ratePerSecond, burst } };
}

/**
 * What a lookup would cost now, which says whether there is a cached answer: to callers who may look it up. `given`: its parameters.
 * `asked`: the endpoint, whose scope a token needs too; null: its scope is demanded elsewhere. Throws FORBIDDEN, or INVALID_REQUEST.
 */
export async function priceOfLookup(
  { orchestrator, billing }: Pick<RouteDependencies, 'orchestrator' | 'billing'>,
  operation: Operation,
  given: Iterable<readonly [string, string]>,
  caller: Caller,
  asked: 'account-price' | null,
): Promise<AccountPrice> {
  demandLookup(caller, operation.id, asked);
  const input = orRefuse(operation.readInput(given));
  const cached = await orchestrator.peek(operation.id, input, caller.accountId);
  const { price, charge } = billing.quote(operation.id, input, cached);
  return { operation: operation.id, price, cached: cached !== null, freshUntil: cached && instant(freshUntil(cached)), charge };
}

function demandOrder(from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && from > to)
    throw invalid(`Parameter from is "${from}", but it must not be after to, "${to}".`);
}

/** The days that are asked for; by default the last 30. */
function spanOf(input: { readonly from?: string | undefined; readonly to?: string | undefined }, nowMs: number) {
  const to = input.to ?? dayOf(nowMs);
  const from = input.from ?? dayOf(Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS);
  demandOrder(from, to);
  const span = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (span > MAX_DAYS) throw invalid(`From ${from} to ${to} are ${span} days: ask for ${MAX_DAYS} at most.`);
  return { from, to };
}

const accountUsage: AccountHandler<'account-usage'> = async ({ accounts }, context, caller, input) => {
  const { from, to } = spanOf(input, context.atMs);
  const { limit } = input;
  const { entries, after } = await accounts.usage(caller, { from, to, after: input.after ?? null, limit });
  if (formatOf(context, input.format, ['json', 'csv']) === 'csv')
    return csv(entries, after === null ? null : new URLSearchParams({ from, to, limit: String(limit), after, format: 'csv' }));
  const timings = input.include === 'timings' ? await accounts.timings(caller, { from, to }) : [];
  return { json: { from, to, days: entries, timings, after, hasMore: after !== null }, headers: VARY };
};

const COLUMNS = ['day', 'operation', 'keyId', 'status', 'requests', 'credits'] as const satisfies readonly (keyof UsageDay)[];

function csv(days: readonly UsageDay[], next: URLSearchParams | null): Served {
  const headers = ['Content-Type', TYPES.csv, ...VARY];
  if (next) headers.push('Link', `</v1/account/usage?${next}>; rel="next"`);
  return { bytes: Buffer.from(csvOf({ columns: COLUMNS, rows: days.map((day) => COLUMNS.map((column) => day[column])) })), headers };
}

const MAX_BODY_BYTES = 65_536;

export function watchesOf({ watches }: RouteDependencies): AccountWatches {
  if (watches) return watches;
  throw new ServiceError('NOT_IMPLEMENTED', 'This process makes no watches.');
}

/** The handler of an endpoint for watches that answers with JSON. `body` reads the JSON of the request. */
const json =
  <Id extends EndpointId>(
    answer: (watches: AccountWatches, caller: Caller, input: AccountInput<Id>, body: () => Promise<unknown>) => Promise<object>,
  ): AccountHandler<Id> =>
  async (routes, context, caller, input) => ({
    json: await answer(watchesOf(routes), caller, input, () => routes.admission.readJson(context)),
  });

const rankings: AccountHandler<'account-rankings'> = async (
  routes,
  context,
  caller,
  { format, rest: _, title, client, sender, ...input },
) => {
  const json = await watchesOf(routes).rankings(caller, { ...input, ...spanOf(input, context.atMs) });
  const chosen = formatOf(context, format, ['json', 'csv', 'html']);
  if (chosen === 'json') return { json, headers: VARY };
  if (chosen === 'html') {
    const { own } = await watchesOf(routes).sites(caller);
    const page = reportPage(json, { title, client, sender, own, madeOn: dayOf(context.atMs) });
    return { bytes: Buffer.from(page), headers: ['Content-Type', TYPES.html, 'Content-Security-Policy', REPORT_POLICY, ...VARY] };
  }
  const rows = json.keywords.flatMap((keyword) =>
    keyword.sites.map((site) => [
      ...CSV_COLUMNS.keyword.map((column) => keyword[column]),
      ...CSV_COLUMNS.site.map((column) => site[column]),
    ]),
  );
  const bytes = Buffer.from(csvOf({ columns: [...CSV_COLUMNS.keyword, ...CSV_COLUMNS.site], rows }));
  return { bytes, headers: ['Content-Type', TYPES.csv, ...VARY] };
};

const appRankings: AccountHandler<'account-app-rankings'> = async (routes, context, caller, { format, rest: _, ...input }) => {
  const json = await watchesOf(routes).appRankings(caller, { ...input, ...spanOf(input, context.atMs) });
  if (formatOf(context, format, ['json', 'csv']) === 'json') return { json, headers: VARY };
  const rows = json.keywords.flatMap((keyword) =>
    keyword.apps.map((app) => [
      ...CSV_COLUMNS.appKeyword.map((column) => keyword[column]),
      ...CSV_COLUMNS.app.map((column) => app[column]),
    ]),
  );
  const bytes = Buffer.from(csvOf({ columns: [...CSV_COLUMNS.appKeyword, ...CSV_COLUMNS.app], rows }));
  return { bytes, headers: ['Content-Type', TYPES.csv, ...VARY] };
};

const HANDLERS: { readonly [Id in EndpointId]: AccountHandler<Id> } = {
  account: async (routes, _context, caller) => ({ json: await accountOf(routes, caller) }),
  'account-usage': accountUsage,
  'account-ledger': async ({ accounts }, _context, caller, query) => {
    demandOrder(query.from, query.to);
    const page = await accounts.statement(caller, query);
    return { json: { ...page, hasMore: page.after !== null } };
  },
  'account-price': async (routes, _context, caller, { operation, rest }) => ({
    json: await priceOfLookup(routes, operation, rest, caller, 'account-price'),
  }),
  'account-requests': async ({ accounts }, _context, caller, query) => {
    demandOrder(query.from, query.to);
    const { entries, after } = await accounts.requests(caller, query);
    return { json: { requests: entries, after, hasMore: after !== null } };
  },
  'account-request': async ({ accounts }, _context, caller, { requestId }) => {
    const json = await accounts.request(caller, requestId);
    if (json) return { json };
    throw missing(`This account made no request ${requestId} in the last 30 days.`);
  },
  'account-watches': json((watches, caller, input) => watches.list(caller, input)),
  async 'account-watch-create'(routes, context, caller) {
    const json = await watchesOf(routes).create(caller, await routes.admission.readJson(context));
    return { json, headers: ['Location', `/v1/account/watches/${json.watchId}`] };
  },
  'account-watch-import': json(async (watches, caller, _, body) => watches.import(caller, await body())),
  'account-watch': json((watches, caller, { watchId }) => watches.show(caller, watchId)),
  'account-watch-edit': json(async (watches, caller, { watchId }, body) => watches.edit(caller, watchId, await body())),
  async 'account-watch-delete'(routes, _context, caller, { watchId }) {
    await watchesOf(routes).remove(caller, watchId);
    return { json: null };
  },
  async 'account-watch-run'(routes, context, caller, { watchId }) {
    const maxCredits = readMaxCredits(context.request.headers['x-max-credits']);
    const charged = (credits: number, receipt: string) => {
      context.charged = { credits, receipt, elsewhere: true };
    };
    return { json: await watchesOf(routes).run(caller, watchId, { maxCredits, charged }) };
  },
  async 'account-watch-history'(routes, context, caller, { watchId, format, ...input }) {
    const chosen = formatOf(context, format, ['json', 'csv', 'ndjson']);
    if (chosen === 'json') return { json: await watchesOf(routes).history(caller, watchId, input), headers: VARY };
    const pieces = await watchesOf(routes).export(caller, watchId, chosen);
    return { pieces, headers: ['Content-Type', TYPES[chosen], ...VARY] };
  },
  'account-watch-deliveries': json((watches, caller, { watchId, ...query }) => watches.deliveries(caller, watchId, query)),
  'account-watch-repeat': json((watches, caller, { watchId, cursor }) => watches.repeat(caller, watchId, cursor)),
  'account-notify': json((watches, caller) => watches.notify.show(caller)),
  'account-notify-set': json(async (watches, caller, _, body) => watches.notify.replace(caller, await body())),
  async 'account-notify-test'(routes, context, caller) {
    const body = await routes.admission.readJson(context);
    return { json: await watchesOf(routes).notify.test(caller, body, null, () => routes.admission.admitTest(context, caller.accountId)) };
  },
  async 'account-watch-notify-test'(routes, context, caller, { watchId }) {
    const body = await routes.admission.readJson(context);
    return { json: await watchesOf(routes).testNotify(caller, watchId, body, () => routes.admission.admitTest(context, caller.accountId)) };
  },
  'account-calendar': json((watches, caller) => watches.calendar.show(caller)),
  async 'account-calendar-make'(routes, context, caller) {
    const base = routes.settings.SIGHTLINE_PUBLIC_URL ?? `http://${context.request.headers.host ?? 'localhost'}`;
    return { json: await watchesOf(routes).calendar.make(caller, base) };
  },
  async 'account-calendar-end'(routes, _context, caller) {
    await watchesOf(routes).calendar.end(caller);
    return { json: null };
  },
  'account-sites': json((watches, caller) => watches.sites(caller)),
  'account-sites-set': json(async (watches, caller, _, body) => watches.setSites(caller, await body())),
  'account-rankings': rankings,
  'account-app-rankings': appRankings,
  'account-changes': json((watches, caller, input) => watches.changes(caller, input)),
};

/** The route of an endpoint for the caller's own account: authenticated, rate-limited and recorded like lookups, and free. */
export function createAccountRoute(routes: RouteDependencies): (endpoint: AccountEndpoint) => Route {
  const { admission, responder, billing } = routes;
  return (endpoint) => ({
    methods: endpoint.method ? [endpoint.method] : READ,
    path: endpoint.path,
    operation: endpoint.id,
    ...(endpoint.body && { maxBodyBytes: endpoint.body.maxBytes ?? MAX_BODY_BYTES }),
    async serve(context, params) {
      const { caller } = await admission.admitCaller(context, endpoint.id, 'header or session');
      if (!endpoint.body) demandNoUnreadBody(context.request);
      const query = queryOf(context.request);
      const input = orRefuse(endpoint.readInput([...Object.entries(params), ...query]));
      demandUsedParameters(endpoint, context, query);
      const handler: AccountHandler = HANDLERS[endpoint.id];
      const served = await handler(routes, context, caller, input).catch((thrown: unknown) => {
        throw admission.challenged(context, thrown);
      });
      context.remaining = billing.remaining(caller.accountId);
      if ('json' in served && served.json === null) responder.write(context, 204, ['Cache-Control', 'private, no-store'], null);
      else if ('json' in served) responder.writeJson(context, served.json, served.headers, endpoint.status);
      else {
        const headers = ['Cache-Control', 'private, no-store', ...served.headers];
        if ('pieces' in served) await writePieces(responder, context, headers, served.pieces);
        else responder.write(context, 200, headers, served.bytes);
      }
    },
    refuse: (context, error) => refuseCaller(routes, context, error),
  });
}
