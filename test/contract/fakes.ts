/** A gateway over fakes: accounts in memory, lookups from a script, a manual clock. */

import type { OAuth } from '../../src/accounts/oauth/oauth.ts';
import type { Accounts, Caller, UsageRow } from '../../src/accounts/types.ts';
import { explain } from '../../src/accounts/usage/explain.ts';
import { requestOf } from '../../src/accounts/usage/request-log.ts';
import type { HoldRequest } from '../../src/billing/types.ts';
import { ServiceError } from '../../src/contract/errors.ts';
import type { GatewayParts } from '../../src/gateway/parts.ts';
import { createServer, type Gateway } from '../../src/gateway/server.ts';
import type { CachedAnswer, CacheStatus, LookupRequest, LookupResult, Orchestrator } from '../../src/orchestrator/types.ts';
import type { Clock } from '../../src/runtime/clock.ts';
import { readSettings, type Settings } from '../../src/settings.ts';
import { unavailable } from '../../src/store/unavailable.ts';
import type { Log } from '../../src/telemetry/log.ts';
import { silent } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { inject } from '../support/inject.ts';

export const KEY = 'sl_good';
export const START = Date.parse('2026-11-01T12:00:00.000Z');

export interface FakeClock extends Clock {
  ms: number;
}
export function fakeClock(): FakeClock {
  const clock: FakeClock = {
    ms: START,
    now: () => clock.ms,
    // ends on abort only: tests set the clock and do not wait
    sleep: (_ms, signal) => new Promise((done) => signal?.addEventListener('abort', () => done(), { once: true })),
  };
  return clock;
}

/** A row of the request log: a lookup that its source blocked. */
const LOGGED: UsageRow = {
  at: START,
  accountId: 'acc_1',
  keyId: 'key_1',
  requestId: 'h2k9d0qlw1ztb5-ml29f9c0-1f',
  label: null,
  operation: 'registration',
  status: 502,
  code: 'UPSTREAM_BLOCKED',
  credits: 0,
  source: null,
  cache: 'miss',
  durationMs: 215.5,
  upstreamMs: 212,
  target: '/v1/website/whois/domains/acme-widgets.com',
  details: {
    message: 'The source blocked this service.',
    attempts: [{ source: 'registration/rdap', tag: 'blocked', what: 'The source blocked this service.', detail: 'HTTP 403', ms: 212 }],
  },
};

export interface FakeLedger {
  balance: number;
  unavailable: boolean;
  /** Thrown by every call. */
  defect: Error | null;
  renews: boolean;
  /** False: the store does not answer a read of the balance. */
  balanceKnown: boolean;
  readonly steps: string[];
  readonly holds: Map<string, HoldRequest>;
  readonly usage: UsageRow[];
}
export const caller = (more: Partial<Caller> = {}): Caller => ({
  accountId: 'acc_1',
  keyId: 'key_1',
  operations: null,
  ratePerSecond: null,
  rateBurst: null,
  ...more,
});

export function fakeAccounts(
  clock: Clock,
  callers: Record<string, Caller> = { [KEY]: caller() },
): Accounts & { readonly state: FakeLedger } {
  const state: FakeLedger = {
    balance: 1000,
    unavailable: false,
    defect: null,
    renews: true,
    balanceKnown: true,
    steps: [],
    holds: new Map(),
    usage: [],
  };
  const free = () => state.balance - [...state.holds.values()].reduce((sum, h) => sum + h.amount, 0);
  const here = () => {
    if (state.defect) throw state.defect;
    // the error of every store
    if (state.unavailable) throw unavailable(new Error('connect ECONNREFUSED db.internal:5432'));
  };
  let count = 0;
  return {
    state,
    ledger: {
      async hold(request) {
        here();
        if (request.amount > free())
          return { ok: false, error: 'INSUFFICIENT_CREDITS', message: `The account has ${free()} credits.`, remaining: free() };
        const holdId = `hold_${++count}`;
        state.holds.set(holdId, request);
        state.steps.push(`hold ${request.amount}`);
        return { ok: true, holdId, remaining: free(), expiresAt: clock.now() + request.ttlMs };
      },
      async capture(holdId, amount) {
        here();
        if (!state.holds.delete(holdId)) throw new Error('no such hold');
        state.balance -= amount;
        state.steps.push(`capture ${amount}`);
      },
      async release(holdId) {
        state.holds.delete(holdId);
        state.steps.push('release');
      },
      async renew() {
        state.steps.push('renew');
        return state.renews;
      },
      remaining() {
        if (!state.balanceKnown) return new Promise(() => {});
        return state.defect || state.unavailable ? Promise.reject(state.defect ?? unavailable(new Error('gone'))) : free();
      },
    },
    authenticate(credential) {
      here();
      const found = callers[credential];
      return found ? { ok: true, caller: found } : { ok: false, reason: 'none' };
    },
    authenticateCached: () => null,
    record(row) {
      state.usage.push(row);
    },
    async view(c) {
      here();
      const key = { keyId: c.keyId, label: 'first', createdAt: '2026-11-01T00:00:00.000Z', expiresAt: null, operations: c.operations };
      return { accountId: c.accountId, name: 'Acme', credits: { balance: state.balance, held: 0 }, key };
    },
    async usage(_c, { from, after }) {
      here();
      const day = { day: from, operation: 'registration', keyId: 'key_1', status: 200, requests: 2, credits: 1 };
      return { entries: [day], after: after === null ? '2026-01-01~registration~key_1~200' : null };
    },
    async timings(_c, { from }) {
      here();
      return [{ day: from, operation: null, requests: 2, cacheHits: 1, medianMs: 12.5, p95Ms: 20 }];
    },
    async statement(_c, { receipt = null }) {
      here();
      const none = { keyId: null, operation: null, requestId: null, label: null, note: null, reference: null };
      return {
        entries: [{ at: '2026-11-01T00:00:00.000Z', kind: 'hold', credits: 0, held: 1, balance: 10, receipt, ...none }],
        after: null,
      };
    },
    async requests() {
      here();
      return { entries: [requestOf(LOGGED)], after: null };
    },
    async request(_c, requestId) {
      here();
      return requestId === LOGGED.requestId ? explain([LOGGED]) : null;
    },
    async ready() {
      here();
    },
    async close() {},
  };
}

/** OAuth fake whose token endpoint knows one client. */
export const fakeOAuth = (baseUrl: string): OAuth => ({
  baseUrl: () => baseUrl,
  issuers: () => [baseUrl, 'https://login.example'],
  async token({ authorization, body }) {
    if (authorization !== 'Basic Y2xpOnNlY3JldA==') return { ok: false, status: 401, error: 'invalid_client', description: 'No.' };
    if (!body.includes('client_credentials')) return { ok: false, status: 400, error: 'unsupported_grant_type', description: 'No.' };
    return { ok: true, body: { access_token: 'a.b.c', token_type: 'Bearer', expires_in: 900, scope: 'account' } };
  },
  keySet: async () => ({ keys: [{ kty: 'OKP', kid: 'k1' }] }),
  authenticate: async () => ({ ok: false, reason: 'none' }),
  authenticateCached: () => null,
  canSign: () => true,
  clients: { peek: () => null, holder: async () => null, authenticate: async () => null, forget() {} },
  signing: {
    prepare: async () => {},
    sign: async () => '',
    find: async () => null,
    published: async () => [],
    rotate: async () => ({ kid: '', dropped: 0 }),
    forget() {},
  },
  appSignIn: null,
  forget() {},
});

export const cached = (clock: Clock, body: unknown = { domain: 'acme-widgets.com' }, more: Partial<CachedAnswer> = {}): CachedAnswer => ({
  bytes: Buffer.from(JSON.stringify(body)),
  etag: 'W/"abc"',
  at: clock.now(),
  freshForMs: 21_600_000,
  keepForMs: 86_400_000,
  source: 'registration/rdap',
  unread: [],
  ...more,
});
export const MISS = { how: 'miss', fwd: 'uri-miss', stored: true, collapsed: false } as const satisfies CacheStatus;

/** Lookup of the scripted orchestrator; the default leads a lookup that succeeds. */
export type Script = (request: LookupRequest) => Promise<LookupResult>;
export const leads =
  (clock: Clock, more: Partial<CachedAnswer> & { body?: unknown } = {}): Script =>
  async (request) => {
    const { body, ...rest } = more;
    try {
      await request.charge.hold();
    } catch (error) {
      if (error instanceof ServiceError) return refused(error);
      throw error;
    }
    return { ok: true, answer: { cached: cached(clock, body, rest), cacheStatus: MISS, leads: true, attempts: [], upstreamMs: 12 } };
  };
export const hits =
  (clock: Clock, cacheStatus: CacheStatus = { how: 'hit' }, more: Partial<CachedAnswer> & { body?: unknown } = {}): Script =>
  async () => {
    const { body, ...rest } = more;
    return { ok: true, answer: { cached: cached(clock, body, rest), cacheStatus, leads: false, attempts: [], upstreamMs: 0 } };
  };
export const refused = (error: ServiceError, cacheStatus: CacheStatus | null = null, atMs: number | null = null): LookupResult => ({
  ok: false,
  refusal: { error, cacheStatus, attempts: [], upstreamMs: 5, atMs },
});

export interface Rig {
  readonly gateway: Gateway;
  readonly clock: FakeClock;
  readonly accounts: ReturnType<typeof fakeAccounts>;
  readonly asked: LookupRequest[];
  readonly logged: { level: string; facts: object; message: string }[];
  script: Script;
  engineUnavailable: boolean;
  /** Result of `peek`. */
  peeked: CachedAnswer | null;
  delayMs: number;
  get(url: string, headers?: Record<string, string>, method?: string): Promise<Reply>;
}
export interface Reply {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly text: string;
  readonly body: { error?: { code: string; message: string } } & Record<string, unknown>;
  readonly raw: Buffer;
}

export const settingsOf = (environment: Record<string, string> = {}): Settings =>
  readSettings({
    SIGHTLINE_RATE_BURST: '100000',
    SIGHTLINE_PROTECTION: JSON.stringify({ address: { burst: 100000 }, wrongCredentials: { burst: 100000 } }),
    ...environment,
  });

export function rig(
  options: { settings?: Record<string, string>; callers?: Record<string, Caller>; parts?: Partial<GatewayParts> } = {},
): Rig {
  const clock = fakeClock();
  const accounts = fakeAccounts(clock, options.callers);
  const asked: LookupRequest[] = [];
  const logged: Rig['logged'] = [];
  const note = (level: string) => (facts: object, message: string) => void logged.push({ level, facts, message });
  const log: Log = {
    ...silent,
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    isLevelEnabled: (level) => level !== 'debug',
  };
  const orchestrator: Orchestrator = {
    cached: () => null,
    lookup: (request) => {
      asked.push(request as unknown as LookupRequest);
      return it.script(request as unknown as LookupRequest);
    },
    peek: async () => it.peeked,
    purge: () => 0,
    sunsets: () => [],
    async ready() {
      if (it.engineUnavailable) throw new Error('engine unavailable');
    },
    async close() {},
  };
  const settings = settingsOf(options.settings);
  const gateway = createServer({
    settings,
    accounts,
    orchestrator,
    clock,
    log,
    random: () => 0.5,
    version: '0.0.0',
    metrics: createMetrics({ version: '0.0.0' }),
    monotonicMs: () => clock.ms - START,
    eventLoop: { turnMs: () => it.delayMs, measure: () => ({ waitMs: it.delayMs, usage: 1 }), stop() {} },
    ...options.parts,
  });
  const it: Rig = {
    gateway,
    clock,
    accounts,
    asked,
    logged,
    script: leads(clock),
    engineUnavailable: false,
    peeked: null,
    delayMs: 0,
    async get(url, headers = { 'x-api-key': KEY }, method = 'GET') {
      const r = await inject(gateway.app, { method: method as 'GET', url, headers });
      const json = /json/.test(String(r.headers['content-type'])) && r.body !== '' && !r.headers['content-encoding'];
      return {
        status: r.statusCode,
        headers: r.headers as Record<string, string | undefined>,
        text: r.body,
        body: json ? JSON.parse(r.body) : {},
        raw: r.rawPayload,
      };
    },
  };
  return it;
}

/** Puts a gateway under load: five lookups that do not end are in work, and its event loop is late by its own work. */
export async function overload(r: Rig): Promise<void> {
  const { script } = r;
  r.script = () => new Promise(() => {});
  for (let i = 0; i < 5; i++) void r.get(REGISTRATION);
  while (r.gateway.inFlight() < 5) await new Promise(setImmediate);
  r.script = script;
  r.asked.length = 0;
  r.delayMs = 60_000;
  for (const path of ['/readyz', '/readyz']) {
    r.clock.ms += 500;
    await r.get(path);
  }
}

export const REGISTRATION = '/v1/website/whois/domains/acme-widgets.com';
