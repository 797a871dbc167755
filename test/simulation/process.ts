import type { Response } from 'light-my-request';
import { type OpenAccounts, openAccounts } from '../../src/accounts/accounts.ts';
import type { Ledger } from '../../src/billing/types.ts';
import { createServer, type Gateway } from '../../src/gateway/server.ts';
import { createBreakers } from '../../src/orchestrator/breaker.ts';
import { createLocalCache } from '../../src/orchestrator/cache.ts';
import { createLocalEngine } from '../../src/orchestrator/local-engine.ts';
import { createOrchestrator } from '../../src/orchestrator/lookup.ts';
import { readSettings } from '../../src/settings.ts';
import type { Ports } from '../../src/sources/source.ts';
import { silent } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createPace } from '../../src/upstream/pace.ts';
import { type AccountWatches, createWatches } from '../../src/watches/watches.ts';
import { inject } from '../support/inject.ts';
import { telling } from '../watches/telling.ts';
import { createDisk, type Disk } from './disk.ts';
import type { Platforms } from './platforms.ts';
import type { Random } from './random.ts';
import { createOwner, type Owner, type Timeline } from './timeline.ts';

export const PRICES = { traffic: 5 } as const;
/** Sources fail after a few seconds, so that a run has many lookups that end in every way. */
const DEADLINES = { SIGHTLINE_DEADLINE_MS: '4000', SIGHTLINE_DEADLINE_SERP_MS: '6000' };

export interface ServiceProcess {
  readonly owner: Owner;
  readonly disk: Disk;
  readonly accounts: OpenAccounts;
  readonly gateway: Gateway;
  readonly watches: AccountWatches;
  request(url: string, headers: Readonly<Record<string, string>>): Promise<Response>;
  /** Ends at once, as by SIGKILL. */
  kill(): void;
}
export interface ProcessParts {
  readonly timeline: Timeline;
  readonly random: Random;
  readonly folder: string;
  readonly platforms: Platforms;
  /** Replaces the ledger: a planted fault. */
  readonly ledger?: (ledger: Ledger, timeline: Timeline, owner: Owner) => Ledger;
}

/** Starts gateway, orchestrator, ledger and store on this thread, with a simulated clock, seeded random numbers and a simulated disk. */
export async function startProcess({ timeline, random, folder, platforms, ledger }: ProcessParts): Promise<ServiceProcess> {
  const owner = createOwner();
  const clock = timeline.clockOf(owner);
  const disk = createDisk(timeline, owner, random);
  const settings = readSettings({
    SIGHTLINE_DATA_DIR: folder,
    SIGHTLINE_PRICES: JSON.stringify(PRICES),
    SIGHTLINE_RATE_PER_SECOND: '1000',
    SIGHTLINE_RATE_BURST: '1000',
    SIGHTLINE_PROTECTION: JSON.stringify({ address: { perSecond: 1000, burst: 1000 } }),
    SIGHTLINE_CACHE_MAX_BYTES: '2000000',
    SIGHTLINE_LOG_LEVEL: 'silent',
    ...DEADLINES,
  });
  const opened = await openAccounts({
    settings,
    clock,
    log: () => {},
    randomBytes: random.bytes,
    startEngine: disk.startEngine,
    baseUrl: () => null,
  });
  const accounts = ledger ? { ...opened, ledger: { ...opened.ledger, ...ledger(opened.ledger, timeline, owner) } } : opened;
  const pace = createPace(clock);
  const ports = { settings, clock, pace, random: random.next, log: () => {} } as unknown as Ports;
  const { sources } = platforms;
  const orchestrator = createOrchestrator({
    sources,
    settings,
    clock,
    random: random.next,
    cache: createLocalCache(settings.SIGHTLINE_CACHE_MAX_BYTES, clock.now),
    engine: createLocalEngine(sources, ports),
    breakers: createBreakers(),
  });
  const startedAt = timeline.now();
  let checks = 0;
  let watches: AccountWatches | null = null;
  const gateway = createServer({
    settings,
    accounts,
    orchestrator,
    clock,
    log: silent,
    random: random.next,
    version: '0.0.0',
    metrics: createMetrics({ version: '0.0.0' }),
    monotonicMs: () => timeline.now() - startedAt,
    eventLoop: { turnMs: () => 0, measure: () => ({ waitMs: 0, usage: 0 }), stop() {} },
    createWatches({ billing, lookups, inFlight }) {
      watches = createWatches({
        ...{ store: accounts.store, orchestrator, billing, lookups, settings, clock, inFlight, log: () => {} },
        now: () => accounts.store.now(),
        newRequestId: () => `watch-${startedAt}-${++checks}`,
        record: (row) => accounts.record(row),
        http: { ask: async () => ({ tag: 'unreachable', what: 'There is no network.' }) },
        ...telling(),
        randomBytes: random.bytes,
      });
      return watches;
    },
  });
  if (!watches) throw new Error('the server did not create its watches');
  return {
    owner,
    disk,
    accounts,
    gateway,
    watches,
    request: (url, headers) => inject(gateway.app, { method: 'GET', url, headers }),
    kill() {
      owner.dead = true;
      disk.kill();
    },
  };
}
