import { resolve } from 'node:path';
import type { Clock } from '../outside/world.ts';
import type { Settings } from '../settings.ts';
import { openEmbedded } from './embedded.ts';
import type { Store, StoreLog } from './store.ts';

/** The store that the settings name: PostgreSQL with DATABASE_URL, else the embedded one in the data folder; its schema up to date. */
export async function openStore(
  settings: Pick<Settings, 'DATABASE_URL' | 'SIGHTLINE_DATA_DIR'>,
  clock: Clock,
  log: StoreLog,
): Promise<Store> {
  const store = settings.DATABASE_URL
    ? // pg is loaded only where it is used
      await (await import('./postgres.ts')).openPostgres({ url: settings.DATABASE_URL, clock, log })
    : await openEmbedded({ folder: resolve(settings.SIGHTLINE_DATA_DIR), now: clock.now, log });
  try {
    const ran = await store.migrate();
    if (ran.length) log('info', 'store: migrated', { ran });
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
