/** Both entrances to the console over one store: the public listener and the admin listener, with a manual clock. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { createConsoleLinks } from '../../src/cli/console.ts';
import { createAdminServer, type Reach } from '../../src/gateway/admin/server.ts';
import { createEntrance } from '../../src/gateway/console/entrance.ts';
import type { Listener } from '../../src/gateway/http/listener.ts';
import type { GatewayParts } from '../../src/gateway/parts.ts';
import { createServer } from '../../src/gateway/server.ts';
import { silent } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { type SteppedClock, steppedClock } from '../accounts/test-service.ts';
import { leads, START, settingsOf } from '../contract/fakes.ts';
import { adminHttp, inject } from '../support/inject.ts';

export const ADMIN_TOKEN = 'admin-token-of-this-test';
export const PUBLIC_ORIGIN = 'http://127.0.0.1:8080';
export const ADMIN_ORIGIN = 'http://127.0.0.1:9090';
/** What a browser adds to a request of a page of the same origin. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many endpoints, asserted field by field
  readonly body: any;
  /** `name=value` of the cookie that the answer stores; null if it stores none. */
  readonly cookie: string | null;
}
export interface Sent {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly cookie?: string | null;
  readonly from?: string;
}
export type Ask = (path: string, sent?: Sent) => Promise<Answer>;

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly host: string;
  readonly origin: string | null;
  readonly site: string | null;
  readonly hasCookie: boolean;
  status: number;
}

export interface Entrances {
  readonly accounts: OpenAccounts;
  readonly clock: SteppedClock;
  /** Setup codes that the service printed while it ran. */
  readonly printed: readonly string[];
  /** API key of the only account, without limits. */
  readonly key: string;
  readonly keyId: string;
  readonly accountId: string;
  /** Writes files into the folder of the built app. */
  build(files: Readonly<Record<string, string>>): void;
  /** Listens on a free port of loopback; `port`, and every request that came with its cookie and its status. */
  listen(): Promise<{ readonly port: number; readonly seen: readonly Seen[] }>;
  /** The public listener. */
  readonly service: Ask;
  /** The admin listener. */
  readonly admin: Ask;
  /** Signs in as the holder of the account with its key; returns the cookie. */
  signIn(credential?: object): Promise<string>;
  /** Signs in as the operator with the token; returns the cookie. */
  signInOperator(): Promise<string>;
  /** A one-time code; without an account for the operator. */
  code(accountId?: string): Promise<string>;
}

const askOf =
  (app: Listener, host: string): Ask =>
  async (path, { method = 'GET', headers = {}, body, cookie = null, from = '127.0.0.1' } = {}) => {
    const reply = await inject(app, {
      method,
      url: path,
      remoteAddress: from,
      headers: {
        host,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(cookie !== null && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const json = /json/.test(String(reply.headers['content-type'])) && reply.body !== '';
    const stored = String(reply.headers['set-cookie'] ?? '').split(';')[0] ?? '';
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string | undefined>,
      text: reply.body,
      body: json ? JSON.parse(reply.body) : null,
      cookie: stored.endsWith('=') || stored === '' ? null : stored,
    };
  };

export async function openEntrances(
  t: TestContext,
  {
    settings = {},
    files = {},
    parts = {},
    claimed = true,
    reach = {},
  }: {
    settings?: Record<string, string>;
    files?: Record<string, string>;
    parts?: Partial<GatewayParts>;
    claimed?: boolean;
    reach?: Partial<Reach>;
  } = {},
): Promise<Entrances> {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-console-'));
  const built = join(folder, 'console');
  const build: Entrances['build'] = (written) => {
    for (const [name, text] of Object.entries(written)) {
      mkdirSync(join(built, name, '..'), { recursive: true });
      writeFileSync(join(built, name), text);
    }
  };
  build(files);
  const clock = steppedClock();
  const read = settingsOf({ SIGHTLINE_DATA_DIR: folder, ...settings });
  const accounts = await openAccounts({
    settings: read,
    clock,
    log: () => {},
    http: { ask: async () => ({ tag: 'unreachable', what: '' }) },
  });
  const first = claimed ? await accounts.admin.ensureFirstAccount() : null;
  if (claimed && !first) throw new Error('the store is not empty');
  const printed: string[] = [];
  const metrics = createMetrics({ version: '0.0.0' });
  const gateway = createServer({
    settings: read,
    accounts,
    orchestrator: {
      cached: () => null,
      lookup: leads(clock as never) as never,
      peek: async () => null,
      purge: () => 0,
      sunsets: () => [],
      ready: async () => {},
      close: async () => {},
    },
    clock,
    log: silent,
    random: () => 0.5,
    version: '0.0.0',
    metrics,
    monotonicMs: () => clock.ms - START,
    eventLoop: { turnMs: () => 0, measure: () => ({ waitMs: 0, usage: 0 }), stop() {} },
    oauth: accounts.oauth,
    console: {
      ...accounts,
      folder: built,
      claiming: { setup: accounts.setup, announce: (code) => void printed.push(code), operatorUrl: () => `${ADMIN_ORIGIN}/console` },
    },
    ...parts,
  });
  const links = createConsoleLinks(accounts, () => ({ baseUrl: PUBLIC_ORIGIN, adminUrl: ADMIN_ORIGIN }));
  const entrance = createEntrance(accounts.sessions, { adminToken: ADMIN_TOKEN, operatorKey: accounts.operatorKey, publicUrl: null });
  const manage = { actions: { ...accounts.admin, createConsoleLink: links }, entrance };
  const adminApp = createAdminServer({
    http: adminHttp(metrics),
    version: '0.0.0',
    manage,
    reach: { exposed: false, metricsToken: null, hosts: [], ...reach },
  });
  gateway.addOperatorConsole(adminApp, entrance);
  t.after(async () => {
    await adminApp.close();
    await gateway.drain();
    await accounts.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const service = askOf(gateway.app, new URL(read.SIGHTLINE_PUBLIC_URL ?? PUBLIC_ORIGIN).host);
  const admin = askOf(adminApp, new URL(ADMIN_ORIGIN).host);
  const opened = async (ask: Ask, credential: object): Promise<string> => {
    const { status, text, cookie } = await ask('/console/api/session', { method: 'POST', headers: OWN_PAGE, body: credential });
    if (status !== 200 || cookie === null) throw new Error(`sign-in failed: ${status} ${text}`);
    return cookie;
  };
  return {
    accounts,
    clock,
    key: first?.key ?? '',
    keyId: first?.keyId ?? '',
    accountId: first?.accountId ?? '',
    printed,
    build,
    async listen() {
      const seen: Seen[] = [];
      gateway.app.server.prependListener('request', ({ method = '', url = '', headers }, response) => {
        const { host = '', origin = null, cookie } = headers;
        const site = headers['sec-fetch-site'];
        const hasCookie = cookie?.includes('sightline_account=') ?? false;
        const one: Seen = { method, url, host, origin, site: typeof site === 'string' ? site : null, hasCookie, status: 0 };
        seen.push(one);
        response.on('finish', () => {
          one.status = response.statusCode;
        });
      });
      await gateway.app.listen({ port: 0, host: '127.0.0.1' });
      return { port: (gateway.app.server.address() as AddressInfo).port, seen };
    },
    service,
    admin,
    signIn: (credential = { apiKey: first?.key }) => opened(service, credential),
    signInOperator: () => opened(admin, { adminToken: ADMIN_TOKEN }),
    code: async (accountId) => String((await links(accountId === undefined ? {} : { accountId })).url.split('#code=')[1]),
  };
}
