import type { IncomingMessage } from 'node:http';
import { createBilling } from '../billing/billing.ts';
import { HOLD_LIFE } from '../billing/charge.ts';
import { accountEndpoints } from '../contract/account/endpoints.ts';
import { operationList } from '../contract/operations/index.ts';
import { createLookups } from '../lookups/paid-lookup.ts';
import { demandOperator } from './admin/routes.ts';
import { createAdmission } from './admission/admit.ts';
import { forwardedAddress } from './admission/credentials.ts';
import { createIdentify, identifyOperator } from './admission/identify.ts';
import { createLoadShedder, measureEventLoop } from './admission/load-shedder.ts';
import { createPenalties, createTakeLimits } from './admission/rate-limits.ts';
import { consoleRoutes } from './console/app-files.ts';
import { consentRoutes } from './console/consent.ts';
import { createEntrance, type Entrance } from './console/entrance.ts';
import { preflight } from './http/cors.ts';
import { createListener, type Listener, type Route } from './http/listener.ts';
import { pathOf } from './http/request.ts';
import { bareHttp, type HttpDependencies } from './http/request-context.ts';
import { createResponder } from './http/response.ts';
import type { GatewayParts, RouteDependencies } from './parts.ts';
import { createAccountRoute } from './routes/account.ts';
import { calendarRoute } from './routes/calendar.ts';
import { docsRoutes } from './routes/docs.ts';
import { createReadiness, healthRoute, metricsRoute, readyRoute } from './routes/health.ts';
import { keyDirectoryRoute } from './routes/key-directory.ts';
import { createLookupRoute } from './routes/lookup.ts';
import { notifyRoutes } from './routes/notify.ts';
import { metadataRoutes, oauthRoutes, resourceMetadataUrl } from './routes/oauth.ts';
import { statusRoute } from './routes/status.ts';

export type Gateway = ReturnType<typeof createServer>;

const ruleOf = ({ perSecond, burst }: { readonly perSecond: number; readonly burst: number }) => ({ ratePerSecond: perSecond, burst });

/** The service with its public listener, not listening yet. The routes of the operations come from the contract. */
export function createServer(parts: GatewayParts) {
  const { settings, accounts, clock, log, metrics, oauth, orchestrator, version } = parts;
  const publicUrl = settings.SIGHTLINE_PUBLIC_URL;
  const eventLoop = parts.eventLoop ?? measureEventLoop();
  const loadShedder = createLoadShedder({ clock, eventLoop, maxDelayMs: settings.SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS });
  const bare = bareHttp({ clock, log, metrics, random: parts.random });
  const { monotonicMs = bare.monotonicMs } = parts;
  const http: HttpDependencies = {
    ...bare,
    monotonicMs,
    usage: accounts,
    load: loadShedder,
    sendTimeoutMs: parts.sendTimeoutMs ?? bare.sendTimeoutMs,
    securityHeaders: [
      ...bare.securityHeaders,
      ...(publicUrl?.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
    ],
    corsOrigins: new Set(settings.SIGHTLINE_CORS_ORIGINS),
  };
  const responder = createResponder(http);

  const entrance = parts.console ? createEntrance(parts.console.sessions, { adminToken: null, publicUrl }) : null;
  const { takeLimits = createTakeLimits() } = parts;
  const unchargedRule = ruleOf(settings.SIGHTLINE_PROTECTION.uncharged);
  const admissionParts = {
    identify: createIdentify(accounts, entrance),
    authenticateCached: accounts.authenticateCached,
    takeLimits,
    metrics,
    loadShedder,
    addressRule: ruleOf(settings.SIGHTLINE_PROTECTION.address),
    accountRule: { ratePerSecond: settings.SIGHTLINE_RATE_PER_SECOND, burst: settings.SIGHTLINE_RATE_BURST },
    badCredentials: createPenalties('wrong', takeLimits, 'address', ruleOf(settings.SIGHTLINE_PROTECTION.wrongCredentials), 'credentials'),
    resourceMetadata: ({ request }: { readonly request: IncomingMessage }) => {
      const base = oauth?.baseUrl() ?? null;
      return base && resourceMetadataUrl(base, pathOf(request));
    },
  };
  const admission = createAdmission(admissionParts);
  const billing = createBilling({
    ledger: accounts.ledger,
    clock,
    log,
    metrics,
    // counted after the lookup has ended: lookups in progress at the limit count beyond the burst, and lengthen the wait
    uncharged: createPenalties('uncharged', takeLimits, 'account', { ...unchargedRule, overrun: unchargedRule.burst }),
    prices: settings.SIGHTLINE_PRICES,
    chargeCacheHits: settings.SIGHTLINE_CHARGE_CACHE_HITS,
    holdLife: parts.holdLife ?? HOLD_LIFE,
  });
  const lookups = createLookups({ orchestrator, billing, settings, log, clock, monotonicMs });
  const watches = parts.createWatches?.({ billing, lookups, inFlight: loadShedder.inFlight }) ?? null;
  const shared = { accounts, orchestrator, settings, clock, monotonicMs, log, metrics, version };
  const routes: RouteDependencies = { ...shared, watches, admission, responder, billing, lookups };

  const { SIGHTLINE_TRUST_PROXY: proxies, SIGHTLINE_METRICS_TOKEN: metricsToken } = settings;
  const mcp = parts.createMcp?.(routes, http.corsOrigins);
  const app = createListener(http, responder, {
    requestTimeoutMs: settings.SIGHTLINE_REQUEST_TIMEOUT_MS,
    arrival: admission,
    isInWork: () => loadShedder.inFlight() > 0,
    preflight: (context, methods) => preflight(responder, http.corsOrigins, context, methods),
    ...(proxies.length && { addressOf: (request: IncomingMessage) => forwardedAddress(request, proxies) }),
  });
  const console = entrance && parts.console ? { ...routes, entrance, console: parts.console } : null;
  const describing = { publicUrl, prices: settings.SIGHTLINE_PRICES };
  const publicRoutes: readonly Route[] = [
    ...contractRoutes(routes),
    healthRoute(routes),
    readyRoute(routes, createReadiness(routes)),
    ...docsRoutes(responder, describing),
    ...(settings.SIGHTLINE_STATUS_PAGE && watches ? [statusRoute(routes, watches)] : []),
    ...(watches ? [calendarRoute(routes, watches), ...notifyRoutes(routes, watches)] : []),
    ...(metricsToken === null ? [] : [metricsRoute(routes, metricsToken)]),
    ...(parts.requestSigner ? [keyDirectoryRoute(routes, parts.requestSigner)] : []),
    ...(console ? consoleRoutes(console) : []),
    ...(oauth ? [...metadataRoutes(responder, oauth, publicUrl), ...oauthRoutes(routes, oauth)] : []),
    ...(console && oauth?.appSignIn ? consentRoutes(console, oauth, oauth.appSignIn) : []),
    ...(mcp ? [mcp.route] : []),
  ];
  for (const route of publicRoutes) app.add(route, admission);

  watches?.start();
  app.server.once('close', () => eventLoop.stop());
  metrics.metrics('sightline_gateway_requests', 'Requests in flight.', () => ({ in_flight: loadShedder.inFlight() }));
  metrics.metrics(
    'sightline_source_sunset_days',
    'Days until the platform of a configured source closes the interface, from 180 days before on; negative after that, +Inf without a day.',
    () => Object.fromEntries(orchestrator.sunsets().map(({ source, daysLeft }) => [source, daysLeft ?? Number.POSITIVE_INFINITY])),
    'source',
  );

  return {
    app,
    http,
    inFlight: loadShedder.inFlight,
    /** Refuses new requests with 503, waits for requests in flight and their captures, then closes. False: some were aborted. */
    async drain(): Promise<boolean> {
      const untilMs = clock.now() + settings.SIGHTLINE_DRAIN_MS;
      await watches?.close();
      const empty = await loadShedder.drain(settings.SIGHTLINE_DRAIN_MS);
      await mcp?.close();
      await app.close(empty ? untilMs : 0);
      // captures follow the last byte, so await them after the close
      await billing.settled();
      return empty;
    },
    /** Adds the operator's console and the routes of the contract, on which the operator acts as the account of `X-Sightline-Account`. */
    addOperatorConsole(admin: Listener, operatorEntrance: Entrance): void {
      if (!parts.console) return;
      const operatorAdmission = createAdmission({
        ...admissionParts,
        identify: identifyOperator(operatorEntrance, parts.console.adminAs('operator', null)),
        // an API key is no credential there
        authenticateCached: null,
        credentialsNeeded:
          'The operator is not signed in: open the console, or send the token of the admin listener as Authorization: Bearer.',
      });
      const operatorRoutes = { ...routes, admission: operatorAdmission };
      for (const route of contractRoutes(operatorRoutes)) admin.add(route, operatorAdmission);
      for (const route of consoleRoutes({ ...operatorRoutes, entrance: operatorEntrance, console: parts.console }))
        admin.add(route, operatorAdmission);
      // the same pages as on the public listener, for whoever is signed in: the console links to them
      for (const route of docsRoutes(responder, describing))
        admin.add({
          ...route,
          async serve(context, parameters) {
            await demandOperator(context.request, operatorEntrance);
            await route.serve(context, parameters);
          },
        });
    },
  };
}

function contractRoutes(routes: RouteDependencies): readonly Route[] {
  const lookupRoute = createLookupRoute(routes);
  const accountRoute = createAccountRoute(routes);
  return [...operationList.map(lookupRoute), ...accountEndpoints.map(accountRoute)];
}
