// Own process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import { connectRedis } from '../../src/fleet/redis.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { makeSchema, noPostgres } from '../ledger/backends.ts';
import { CHILD_ENVIRONMENT } from '../support/child-environment.ts';
import { realTime } from '../support/real-time.ts';
import { missing, type OwnServer, startRedis } from './services.ts';

const GATEWAYS = 4;
const REQUESTS = 1_500;
/** Number of connections, spread over the gateways; each has one request in flight at a time. */
const CONNECTIONS = 64;
const RULES = {
  account: { perSecond: 100, burst: 200 },
  wrong: { perSecond: 20, burst: 60 },
  uncharged: { perSecond: 40, burst: 300 },
};

describe('1,500 requests over four gateways', { skip: missing('redis') || noPostgres }, () => {
  let redis: OwnServer;
  let postgres: Awaited<ReturnType<typeof makeSchema>>;
  let accounts: OpenAccounts;
  const folder = mkdtempSync(join(tmpdir(), 'sightline-limits-'));
  const gateways: { child: ChildProcess; baseUrl: string }[] = [];
  const agent = new Agent({ connections: CONNECTIONS / GATEWAYS, pipelining: 1 });
  /** API key of a new account. */
  let newKey: () => Promise<string>;

  before(async () => {
    [redis, postgres] = await Promise.all([startRedis(), makeSchema()]);
    const environment = {
      PORT: '0',
      SIGHTLINE_DATA_DIR: folder,
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      SIGHTLINE_RATE_PER_SECOND: '100000',
      SIGHTLINE_RATE_BURST: '100000',
      SIGHTLINE_PROTECTION: JSON.stringify({
        address: { perSecond: 100000, burst: 100000 },
        wrongCredentials: { perSecond: RULES.wrong.perSecond, burst: RULES.wrong.burst },
        uncharged: { perSecond: RULES.uncharged.perSecond, burst: RULES.uncharged.burst },
      }),
      SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
      SIGHTLINE_DRAIN_MS: '1000',
    };
    accounts = await openAccounts({ settings: readSettings(environment), clock: realClock, log: () => {} });
    newKey = async () => {
      const { accountId } = await accounts.admin.createAccount({ name: 'limits', credits: 100_000 });
      return (await accounts.admin.createKey({ accountId })).key;
    };
    const start = async (): Promise<void> => {
      const child = spawn(process.execPath, ['test/fleet/gateway-child.ts'], {
        env: { ...CHILD_ENVIRONMENT, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [line] = (await once(child.stdout, 'data')) as Buffer[];
      const [, baseUrl = ''] = String(line).trim().split(' ');
      gateways.push({ child, baseUrl });
    };
    await Promise.all(Array.from({ length: GATEWAYS }, start));
    await sleep(500); // until all gateways have received each other's heartbeats
  });
  after(async () => {
    await agent.close();
    const gone = gateways.map(async ({ child }) => child.exitCode ?? (await once(child, 'exit')));
    for (const { child } of gateways) child.kill('SIGTERM');
    await Promise.all(gone);
    await accounts?.close();
    await redis?.close();
    await postgres?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Sent {
    readonly of: (status: number) => number;
    /** Time from before the first request to after the last answer: an upper bound of the time between any two moments in the gateways. */
    readonly seconds: number;
  }
  /** Sends the requests as fast as they are answered. */
  async function send(domain: (n: number) => string, key: (n: number) => string): Promise<Sent> {
    const statuses = new Map<number, number>();
    let n = 0;
    const connection = async (gateway: string): Promise<void> => {
      for (let mine = n++; mine < REQUESTS; mine = n++) {
        const answer = await request(`${gateway}/v1/website/whois/domains/${domain(mine)}`, {
          dispatcher: agent,
          headers: { 'x-api-key': key(mine) },
        });
        await answer.body.dump();
        statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => connection(gateways[i % GATEWAYS]?.baseUrl ?? '')));
    return { of: (status) => statuses.get(status) ?? 0, seconds: (performance.now() - began) / 1000 };
  }
  /** Repeats the run until no gateway loses Redis in it: a gateway without Redis counts locally, and reconnects as a new member. */
  async function shared(run: () => Promise<Sent>): Promise<Sent> {
    const own = connectRedis(redis.url, () => {});
    await own.connect();
    const members = async () => (await own.zrange('sightline:fleet', '0', '-1')).sort();
    try {
      for (let tries = 0; tries < 3; tries++) {
        const before = await members();
        const sent = await run();
        await sleep(1_000); // a gateway that lost Redis near the end has reconnected by then
        if ((await members()).join() === before.join()) return sent;
        await sleep(3_000); // until the limit of wrong credentials has recovered
      }
    } finally {
      own.disconnect();
    }
    return assert.fail('each time a gateway was cut off from Redis meanwhile: this machine is too busy to measure it');
  }

  test(
    'requests of one key: no more than burst and rate allow',
    realTime(100, async () => {
      const { perSecond, burst } = RULES.account;
      const { accountId } = await accounts.admin.createAccount({ name: 'limited', credits: 100_000 });
      const { key } = await accounts.admin.createKey({ accountId, ratePerSecond: perSecond, rateBurst: burst });
      const sent = await shared(() =>
        send(
          () => 'found.com',
          () => key,
        ),
      );
      const allowed = burst + perSecond * sent.seconds;
      assert.equal(sent.of(200) + sent.of(429), REQUESTS);
      // counted before the answer, by the clock of Redis: exact
      assert.ok(sent.of(200) <= allowed, `${sent.of(200)} of ${allowed}`);
      assert.ok(sent.of(200) >= burst, `${sent.of(200)} of ${allowed}`);
    }),
  );

  test(
    'wrong credentials of one address: burst and rate limit how many are answered with 401',
    realTime(100, async () => {
      const { perSecond, burst } = RULES.wrong;
      const sent = await shared(() =>
        send(
          () => 'found.com',
          (n) => `sk_live_${String(n).padStart(32, '0')}`,
        ),
      );
      const allowed = burst + perSecond * sent.seconds;
      assert.equal(sent.of(401) + sent.of(429), REQUESTS);
      // counted before the 401: exact
      assert.ok(sent.of(401) <= allowed, `${sent.of(401)} of ${allowed}`);
      assert.ok(sent.of(401) >= burst, `${sent.of(401)} of ${allowed}`);
    }),
  );

  test(
    'uncharged lookups of one account: burst and rate, plus those in flight',
    realTime(100, async () => {
      const { perSecond, burst } = RULES.uncharged;
      let run = 0;
      const sent = await shared(async () => {
        const key = await newKey();
        run++;
        return send(
          (n) => `absent-${run}-${n}.com`,
          () => key,
        );
      });
      const allowed = burst + perSecond * sent.seconds;
      assert.equal(sent.of(404) + sent.of(429), REQUESTS);
      // counted when they end: at most one per connection was in flight when the allowance was used up
      assert.ok(sent.of(404) <= allowed + CONNECTIONS, `${sent.of(404)} of ${allowed}`);
      assert.ok(sent.of(404) >= burst, `${sent.of(404)} of ${allowed}`);
    }),
  );
});
