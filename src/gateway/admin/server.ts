import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { secretFile } from '../../runtime/secret-file.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Entrance } from '../console/entrance.ts';
import { READ } from '../http/assets.ts';
import { createListener, type Listener } from '../http/listener.ts';
import type { HttpDependencies } from '../http/request-context.ts';
import { createResponder } from '../http/response.ts';
import { healthRoute, isMetricsToken, metricsTokenNeeded, writeMetrics } from '../routes/health.ts';
import { adminRoutes, demandOperator, type OfferedActions } from './routes.ts';

export interface ManageParts {
  readonly actions: OfferedActions;
  /** See `adminRoutes`. */
  readonly entrance: Entrance | null;
}

/** From where it is reached. */
export interface Reach {
  /** Others than this machine reach it: metrics need a credential too, that of the operator or SIGHTLINE_METRICS_TOKEN. */
  readonly exposed: boolean;
  readonly metricsToken: string | null;
  /** Names under which it is reached beside localhost and addresses (SIGHTLINE_ADMIN_HOSTS). */
  readonly hosts: readonly string[];
}
const THIS_MACHINE: Reach = { exposed: false, metricsToken: null, hosts: [] };
export const reachOf = (settings: Settings): Reach => ({
  exposed: !isLoopback(settings.SIGHTLINE_ADMIN_HOST),
  metricsToken: settings.SIGHTLINE_METRICS_TOKEN,
  hosts: settings.SIGHTLINE_ADMIN_HOSTS,
});

export interface AdminServerDependencies {
  readonly http: HttpDependencies;
  readonly version: string;
  /** The admin API; without it the server has only metrics and health. */
  readonly manage?: ManageParts;
  /** Default: this machine alone, as a socket. */
  readonly reach?: Reach;
  readonly requestTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** At a shutdown, requests still in work after this time are cut off. */
const CLOSING_MS = 1_000;

/** The name or address in a Host field, where the admin listener answers to it: an address cannot be made up, a name can (DNS rebinding). */
export function adminHostIn(host: string, names: readonly string[]): string | null {
  // behind a tunnel or a forwarded port the host is the same
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  return isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || names.some((each) => each.toLowerCase() === name)
    ? name
    : null;
}
/** Refuses a page of another site whose name was made to resolve to this machine. */
function demandKnownHost({ headers: { host = '' } }: IncomingMessage, names: readonly string[]): void {
  if (adminHostIn(host, names) !== null) return;
  throw new ServiceError(
    'FORBIDDEN',
    `Host is ${JSON.stringify(host.slice(0, 100))}: the admin listener answers to localhost, to addresses, and to the names in SIGHTLINE_ADMIN_HOSTS alone.`,
  );
}

/**
 * The operator's HTTP server: the admin API with a credential, health without one, metrics without one on loopback alone. A server without
 * `manage`, that of a worker, has metrics and health.
 */
export function createAdminServer(dependencies: AdminServerDependencies): Listener {
  const { http, version, manage, reach = THIS_MACHINE, requestTimeoutMs = REQUEST_TIMEOUT_MS } = dependencies;
  const responder = createResponder(http);
  const guard = (request: IncomingMessage): void => demandKnownHost(request, reach.hosts);
  const listener = createListener(http, responder, { requestTimeoutMs, ...(manage && { guard }) });
  listener.add(healthRoute({ responder, version }));
  listener.add({
    methods: READ,
    path: '/metrics',
    operation: 'metrics',
    async serve(context) {
      const { request } = context;
      if (reach.exposed && !isMetricsToken(request, reach.metricsToken)) {
        if (!manage?.entrance) throw metricsTokenNeeded(request);
        await demandOperator(request, manage.entrance);
      }
      await writeMetrics(responder, context, http.metrics);
    },
  });
  if (manage) for (const route of adminRoutes(responder, manage.actions, manage.entrance)) listener.add(route);
  return { ...listener, close: (untilMs = http.clock.now() + CLOSING_MS) => listener.close(untilMs) };
}

/** Token of the admin listener: a file in the data folder with mode 0600, created at the first start. Throws if others can read it. */
export const adminToken = (folder: string): string =>
  secretFile(
    folder,
    'admin-token',
    () => randomBytes(24),
    (file) => new SettingError(`${file} (SIGHTLINE_DATA_DIR) can be read by others: delete it, a new one is made at the next start.`),
  );
