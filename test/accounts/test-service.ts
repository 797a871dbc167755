/** Accounts on an embedded store behind a gateway, with scripted lookups and a manual clock. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import type { NewKey } from '../../src/contract/admin/schemas.ts';
import { createRequestIds } from '../../src/gateway/http/request-context.ts';
import type { GatewayParts } from '../../src/gateway/parts.ts';
import { createServer, type Gateway } from '../../src/gateway/server.ts';
import { createMcpRoute } from '../../src/mcp/route.ts';
import type { CachedAnswer, Orchestrator } from '../../src/orchestrator/types.ts';
import { type Clock, realClock } from '../../src/runtime/clock.ts';
import { silent } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import type { Http } from '../../src/upstream/ports.ts';
import { createWatches } from '../../src/watches/watches.ts';
import { leads, type Script, START, settingsOf } from '../contract/fakes.ts';
import { inject } from '../support/inject.ts';
import { telling } from '../watches/telling.ts';

export const BASE = 'http://127.0.0.1:8080';
export const REGISTRATION = '/v1/website/whois/domains/acme-widgets.com';
export const SERP = '/v1/searchengine/serp?keyword=a&depth=30';

/** Sleeps end by `tick` or by their abort signal. */
export interface SteppedClock extends Clock {
  ms: number;
  tick(): Promise<void>;
}
export function steppedClock(): SteppedClock {
  let sleepers: (() => void)[] = [];
  const clock: SteppedClock = {
    ms: START,
    now: () => clock.ms,
    sleep: (_ms, signal) =>
      new Promise((done) => {
        if (signal?.aborted) return done();
        sleepers.push(done);
        signal?.addEventListener('abort', () => done(), { once: true });
      }),
    async tick() {
      const woken = sleepers;
      sleepers = [];
      for (const wake of woken) wake();
      await new Promise((done) => setTimeout(done, 30));
    },
  };
  return clock;
}

/** The machine's clock: for stores that several gateways share. */
export const tickingClock = (): SteppedClock => ({
  ...realClock,
  get ms() {
    return Date.now();
  },
  set ms(_) {
    throw new Error('the machine sets this clock');
  },
  tick: () => realClock.sleep(30),
});

export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
  readonly body: Record<string, unknown> & { error?: { code: string; message: string } };
}
export interface TestService {
  readonly accounts: OpenAccounts;
  readonly gateway: Gateway;
  readonly clock: SteppedClock;
  readonly first: NewKey;
  script: Script;
  peeked: CachedAnswer | null;
  get(path: string, credential?: string | null, more?: { from?: string; headers?: Record<string, string> }): Promise<Reply>;
  post(path: string, form: string, headers?: Record<string, string>): Promise<Reply>;
  /** Requests an access token for a client. */
  token(client: { clientId: string; clientSecret: string }, scope?: string): Promise<string>;
  /** Resolves once every hold is captured, released or expired. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});

export interface TestOptions {
  readonly settings?: Record<string, string>;
  readonly http?: Http;
  readonly clock?: SteppedClock;
  readonly folder?: string;
  readonly parts?: Partial<GatewayParts>;
  /** With watches and `/mcp`. Default: without. */
  readonly watches?: boolean;
}

export async function openTestService(options: TestOptions = {}): Promise<TestService> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'sightline-accounts-'));
  const clock = options.clock ?? steppedClock();
  const settings = settingsOf({ SIGHTLINE_DATA_DIR: folder, ...options.settings });
  const http: Http = options.http ?? { ask: async () => ({ tag: 'unreachable', what: 'nobody is there' }) };
  const accounts = await openAccounts({ settings, clock, log: () => {}, http, baseUrl: () => BASE });
  const first = await accounts.admin.ensureFirstAccount();
  const orchestrator: Orchestrator = {
    cached: () => null,
    lookup: (request) => it.script(request as never),
    peek: async () => it.peeked,
    purge: () => 0,
    sunsets: () => [],
    ready: async () => {},
    close: async () => {},
  };
  const watchParts = () => ({
    ...{ settings, clock, http, orchestrator, randomBytes, store: accounts.store, record: accounts.record, log: () => {} },
    now: () => accounts.store.now(),
    newRequestId: createRequestIds(Math.random, clock.now),
    ...telling(),
  });
  const gateway = createServer({
    settings,
    accounts,
    orchestrator,
    clock,
    log: silent,
    random: () => 0.5,
    version: '0.0.0',
    metrics: createMetrics({ version: '0.0.0' }),
    monotonicMs: () => clock.ms - START,
    eventLoop: { turnMs: () => 0, measure: () => ({ waitMs: 0, usage: 0 }), stop() {} },
    oauth: accounts.oauth,
    console: accounts,
    ...(options.watches && {
      createMcp: createMcpRoute,
      createWatches: (shared) => createWatches({ ...shared, ...watchParts() }),
    }),
    ...options.parts,
  });
  const replyOf = (r: { statusCode: number; headers: object; body: string }): Reply => {
    const headers = r.headers as Record<string, string | undefined>;
    const json = /json/.test(String(headers['content-type'])) && r.body !== '';
    return { status: r.statusCode, headers, text: r.body, body: json ? JSON.parse(r.body) : {} };
  };
  const it: TestService = {
    accounts,
    gateway,
    clock,
    first: first as NewKey,
    script: leads(clock as never),
    peeked: null,
    async get(url, credential = it.first.key, { from = '127.0.0.1', headers = {} } = {}) {
      const auth = credential === null ? {} : { authorization: `Bearer ${credential}` };
      return replyOf(await inject(gateway.app, { method: 'GET', url, headers: { ...auth, ...headers }, remoteAddress: from }));
    },
    async post(url, payload, headers = {}) {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return replyOf(await inject(gateway.app, { method: 'POST', url, payload, headers: { ...type, ...headers } }));
    },
    async token({ clientId, clientSecret }, scope) {
      const form = `grant_type=client_credentials${scope === undefined ? '' : `&scope=${encodeURIComponent(scope)}`}`;
      return String((await it.post('/v1/oauth/token', form, basic(clientId, clientSecret))).body.access_token);
    },
    async settled() {
      const { ledger } = accounts;
      while (ledger.counts.held > ledger.counts.captured + ledger.counts.released + ledger.counts.expired)
        await new Promise((done) => setImmediate(done));
    },
    async close() {
      await gateway.drain();
      await accounts.close();
      if (!options.folder) rmSync(folder, { recursive: true, force: true });
    },
  };
  return it;
}
