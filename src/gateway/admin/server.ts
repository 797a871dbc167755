import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import { isLoopback } from '../../runtime/loopback.ts';
import { secretFile } from '../../runtime/secret-file.ts';
import { SettingError } from '../../settings.ts';
import type { Entrance } from '../console/entrance.ts';
import { createListener, type Listener } from '../http/listener.ts';
import type { HttpDependencies } from '../http/request-context.ts';
import { createResponder } from '../http/response.ts';
import { healthRoute, writeMetrics } from '../routes/health.ts';
import { adminRoutes, type OfferedActions } from './routes.ts';

export interface AdminServerDependencies {
  readonly http: HttpDependencies;
  readonly version: string;
  /** The admin API; without it the server has only metrics and health. `token`, `entrance`: see `adminRoutes`. */
  readonly manage?: { readonly actions: OfferedActions; readonly token: string | null; readonly entrance?: Entrance };
  readonly requestTimeoutMs?: number;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** At a shutdown, requests still in work after this time are cut off. */
const CLOSING_MS = 1_000;

/** Refuses a page of another site whose name was made to resolve to loopback (DNS rebinding). */
function demandLoopback({ headers: { host = '' } }: IncomingMessage): void {
  // behind a tunnel or a forwarded port the host is the same
  if (isLoopback(host.replace(/:\d{1,5}$/, ''))) return;
  throw new ServiceError(
    'FORBIDDEN',
    `Host is ${JSON.stringify(host.slice(0, 100))}: the admin listener answers to localhost and 127.0.0.1 alone. Let a proxy in front of it send that.`,
  );
}

/** The operator's HTTP server: metrics and health without a token, the admin API with one. For loopback or a Unix socket only. */
export function createAdminServer({ http, version, manage, requestTimeoutMs = REQUEST_TIMEOUT_MS }: AdminServerDependencies): Listener {
  const responder = createResponder(http);
  const listener = createListener(http, responder, { requestTimeoutMs, ...(manage && { guard: demandLoopback }) });
  listener.add(healthRoute({ responder, version }));
  const metrics = (context: Parameters<typeof writeMetrics>[1]) => writeMetrics(responder, context, http.metrics);
  listener.add({ methods: ['GET', 'HEAD'], path: '/metrics', operation: 'metrics', serve: metrics });
  if (manage) for (const route of adminRoutes(responder, manage.actions, manage.token, manage.entrance)) listener.add(route);
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
