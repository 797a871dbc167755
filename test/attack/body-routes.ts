/** A gateway over fakes with every route that the service can have, and a request to each that reads a body. */
import type { Session } from '../../src/accounts/sessions/sessions.ts';
import type { ConsoleParts, GatewayParts } from '../../src/gateway/parts.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import { createServiceEndpoint } from '../../src/mcp/service.ts';
import { realClock } from '../../src/runtime/clock.ts';
import type { AccountWatches } from '../../src/watches/watches.ts';
import { caller, fakeOAuth, KEY, rig, settingsOf } from '../contract/fakes.ts';

const SESSION = {
  sessionId: 'ses_1',
  owner: { kind: 'account', accountId: 'acc_1', keyId: null },
  name: 'Acme',
  caller: caller(),
  limited: false,
  manages: true,
  createdAt: 0,
  lastUsedAt: 0,
  idleExpiresAt: Number.MAX_SAFE_INTEGER,
  expiresAt: Number.MAX_SAFE_INTEGER,
} as unknown as Session;

const refusing = { ok: false, error: 'invalid_client_metadata', description: 'No.' };
const appSignIn = { apps: { register: async () => refusing }, grants: { findByRefreshToken: async () => null } };
const none = async (): Promise<object> => ({});
const telling = { notify: { replace: none, test: none, decide: async () => true }, testNotify: none, calendar: { make: none, end: none } };
const watches = {
  start() {},
  close: none,
  create: none,
  import: none,
  edit: none,
  remove: none,
  run: none,
  repeat: none,
  setSites: none,
  ...telling,
};

export const WHOLE: Partial<GatewayParts> = {
  oauth: { ...fakeOAuth('http://a'), appSignIn: appSignIn as never },
  createMcp: (routes, origins) => createMcpRoute(routes, origins, async () => createServiceEndpoint(settingsOf(), realClock, () => {})),
  createWatches: () => watches as unknown as AccountWatches,
  console: {
    sessions: { find: async () => SESSION, endOne: async () => true, endAll: async () => 1 } as unknown as ConsoleParts['sessions'],
    signInCodes: { redeem: async () => null } as unknown as ConsoleParts['signInCodes'],
    adminAs: () => ({ listKeys: async () => [] }) as unknown as ReturnType<ConsoleParts['adminAs']>,
    claiming: { setup: { renew: async () => ({ code: 'AAAA-AAAA', expiresAt: 0 }) } as never, announce() {}, operatorUrl: () => '' },
  },
};

const { routes } = rig({ parts: WHOLE }).gateway.app;
export type AnyRoute = (typeof routes)[number];
/** The routes that a request with a body may reach: those that read it, and those that refuse it. */
const writing = routes.filter(({ methods }) => methods[0] !== 'GET');
export const BODY_ROUTES = writing.filter(({ maxBodyBytes }) => maxBodyBytes !== undefined);
export const BODILESS_ROUTES = writing.filter(({ maxBodyBytes }) => maxBodyBytes === undefined);

/** Its key manages the account. */
export const MANAGER = { [KEY]: caller({ manages: true }) };
const OF_THE_CONSOLE = 'Cookie: sightline_account=token\r\nSec-Fetch-Site: same-origin\r\n';
export const CREDENTIALS = `X-API-Key: ${KEY}\r\n${OF_THE_CONSOLE}`;
export const readsJson = ({ path }: AnyRoute): boolean =>
  !/^\/(?:v1\/oauth\/(?:token|revoke)|console\/consent|v1\/notify\/\w+)\b/.test(path);

/** Request line and headers, without those of the body's length. */
export function requestTo(route: AnyRoute, headers = ''): string {
  const path = route.path
    .replace('{watchId}', `wat_${'0'.repeat(20)}`)
    .replace('{cursor}', '118')
    .replace(/\{\w+\}/g, 'id_1');
  const type = readsJson(route) ? 'application/json' : 'application/x-www-form-urlencoded';
  return `${route.methods[0]} ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${headers}`;
}
