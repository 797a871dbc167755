import { randomBytes, randomUUID } from 'node:crypto';
import type { OpenAccounts } from '../accounts/accounts.ts';
import type { Settings } from '../settings.ts';
import { type AccountWatches, createWatches, type WatchesParts } from '../watches/watches.ts';
import type { Lookups } from './service.ts';

/** The watches of a service. Webhooks on loopback are allowed where the platforms are simulated (SIGHTLINE_HOSTS). */
export const openWatches = (
  settings: Settings,
  { store, record }: OpenAccounts,
  { orchestrator, clock, http }: Lookups,
  shared: Pick<WatchesParts, 'billing' | 'inFlight' | 'log'>,
): AccountWatches =>
  createWatches({
    ...{ ...shared, settings, store, record, orchestrator, clock, http, randomBytes },
    now: () => store.now(),
    newRequestId: () => `watch-${randomUUID()}`,
    allowsLoopback: settings.SIGHTLINE_HOSTS !== null,
  });
