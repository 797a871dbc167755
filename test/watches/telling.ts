import { createSealer } from '../../src/accounts/oauth/sealer.ts';
import { realClock } from '../../src/runtime/clock.ts';
import type { DestinationParts } from '../../src/watches/notify/destinations.ts';
import { createReach } from '../../src/watches/notify/reach.ts';

const NO_STORES = { DATABASE_URL: null, REDIS_URL: null, SIGHTLINE_CACHE_URL: null };

/** What tells people in a test: no name has an address, no mail is sent. */
export const telling = (privateTargets: readonly string[] = []): Pick<DestinationParts, 'reachOf' | 'sealer' | 'mailer' | 'baseUrl'> => ({
  reachOf: createReach({
    settings: { SIGHTLINE_PRIVATE_TARGETS: privateTargets, ...NO_STORES },
    ownPorts: () => [],
    allowsLoopback: false,
    clock: realClock,
    lookup: async () => [],
  }),
  sealer: createSealer('a secret of tests alone', (size) => crypto.getRandomValues(new Uint8Array(size))),
  mailer: null,
  baseUrl: () => 'https://sightline.example',
});
