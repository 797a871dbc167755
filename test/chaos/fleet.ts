import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { readSettings } from '../../src/settings.ts';
import { freePort, type OwnServer, startPostgres, startRedis } from '../fleet/services.ts';
import type { Account } from './evidence.ts';
import type { Gateway } from './load.ts';
import { type Platforms, startPlatforms } from './platforms.ts';
import { createMember, type Member } from './process.ts';
import type { Random } from './random.ts';

const DEADLINE_MS = 6_000;
/** A hold outlives its lookup by this: short, so that a freeze can outlive the hold. */
const HOLD_MARGIN_MS = 6_000;
const SETTINGS = {
  DATAFORSEO_LOGIN: 'demo',
  DATAFORSEO_PASSWORD: 'demo-secret',
  SIGHTLINE_DAILY_CAPS: JSON.stringify({ dataforseo: { requests: 100000000, usd: 1000000 } }),
  SIGHTLINE_SERP_SOURCES: 'dataforseo',
  SIGHTLINE_DEADLINE_MS: String(DEADLINE_MS),
  SIGHTLINE_DEADLINE_SERP_MS: String(DEADLINE_MS),
  SIGHTLINE_DEADLINE_COMMENTS_MS: String(DEADLINE_MS),
  SERVE_WITH_HOLD_MARGIN_MS: String(HOLD_MARGIN_MS),
  SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1000, burst: 1000 }, uncharged: { perSecond: 1000, burst: 10000 } }),
  // requests queued for a frozen gateway are admitted when it is resumed
  SIGHTLINE_MAX_EVENT_LOOP_DELAY_MS: '60000',
  SIGHTLINE_LOG_LEVEL: 'info',
};

/** Two gateways, three workers, Redis, PostgreSQL and simulated platforms, all started by the suite. */
export interface ChaosFleet {
  readonly redis: OwnServer;
  readonly postgres: OwnServer;
  readonly platforms: Platforms;
  readonly accounts: readonly Account[];
  readonly gateways: readonly Gateway[];
  readonly workers: readonly Member[];
  readonly members: readonly Member[];
  /** Longest lifetime of a hold that is not renewed. */
  readonly holdMs: number;
  logFile(member: Member): string;
  /** Sends SIGTERM to every process. One that does not exit is recorded as an outage. */
  end(): Promise<void>;
  close(): Promise<void>;
}

export async function startFleet(folder: string, random: Random): Promise<ChaosFleet> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const [redis, postgres, platforms] = await Promise.all([startRedis(), startPostgres(), startPlatforms(random)]);
    closers.push(
      () => redis.close(),
      () => postgres.close(),
      () => platforms.sandbox.close(),
    );
    const accounts = await makeAccounts(postgres.url);
    const logFileOf = (name: string): string => join(folder, `${name}.log`);
    const member = (name: string, args: readonly string[], more: Record<string, string> = {}): Member =>
      createMember({
        name,
        args,
        logFile: logFileOf(name),
        environment: {
          ...SETTINGS,
          DATABASE_URL: postgres.url,
          REDIS_URL: redis.url,
          SIGHTLINE_HOSTS: platforms.sandbox.mapFile,
          SIGHTLINE_DATA_DIR: join(folder, name),
          SIGHTLINE_CONTACT: `chaos-${name}@example.com`,
          // machines with different clocks
          SERVE_WITH_CLOCK_OFFSET_MS: String(random.int(-120_000, 120_000)),
          ...more,
        },
      });
    const gateways: Gateway[] = [];
    for (const name of ['gateway1', 'gateway2']) {
      const port = await freePort();
      gateways.push({
        ...member(name, ['serve', '--gateway', '--json'], { PORT: String(port), SIGHTLINE_DRAIN_MS: '8000' }),
        baseUrl: `http://127.0.0.1:${port}`,
      });
    }
    // shorter than a lookup: jobs that a worker has not finished by then are taken over by another one
    const workers = ['worker1', 'worker2', 'worker3'].map((name) => member(name, ['worker', '--json'], { SIGHTLINE_DRAIN_MS: '2000' }));
    const members = [...gateways, ...workers];
    closers.push(async () => void (await Promise.all(members.map((m) => m.kill()))));
    await Promise.all(members.map((m) => m.start()));
    await sleep(500); // until the heartbeats have been exchanged
    return {
      redis,
      postgres,
      platforms,
      accounts,
      gateways,
      workers,
      members,
      holdMs: DEADLINE_MS + HOLD_MARGIN_MS,
      logFile: (m) => logFileOf(m.name),
      end: async () => void (await Promise.all(members.map((m) => m.end()))),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function makeAccounts(url: string): Promise<Account[]> {
  const opened = await openAccounts({ settings: readSettings({ DATABASE_URL: url }), clock: realClock, log: () => {} });
  const made: Account[] = [];
  // this account runs out of credits
  for (const granted of [1_000_000, 1_000_000, 1_000_000, 60]) {
    const { accountId } = await opened.admin.createAccount({ name: `chaos ${made.length}`, credits: granted });
    made.push({ accountId, granted, key: (await opened.admin.createKey({ accountId })).key });
  }
  await opened.close();
  return made;
}
