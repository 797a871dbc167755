import { resolve } from 'node:path';
import { ServiceError } from '../contract/errors.ts';
import type { Clock } from '../runtime/clock.ts';
import { OperatorError, type Settings } from '../settings.ts';
import { type EmbeddedParts, openEmbedded } from './sqlite/sqlite.ts';
import type { Store } from './store.ts';
import { reasonOf } from './unavailable.ts';

export interface StoreParts extends Pick<EmbeddedParts, 'commitDelayMs' | 'startEngine' | 'log'> {
  readonly settings: Pick<Settings, 'DATABASE_URL' | 'SIGHTLINE_DATA_DIR'>;
  readonly clock: Clock;
}

/** Opens and migrates the store of the settings: PostgreSQL with DATABASE_URL, else the embedded store in the data folder. */
export async function openStore({ settings, clock, log, commitDelayMs, startEngine }: StoreParts): Promise<Store> {
  const store = settings.DATABASE_URL
    ? // pg is imported only if it is used
      await (await import('./postgres/postgres.ts')).openPostgres({ url: settings.DATABASE_URL, clock, log })
    : await openEmbedded({ folder: resolve(settings.SIGHTLINE_DATA_DIR), now: clock.now, log, commitDelayMs, startEngine });
  try {
    const ran = await store.migrate();
    if (ran.length) log('info', 'store: migrated', { ran });
    return store;
  } catch (error) {
    await store.close();
    if (!(error instanceof ServiceError)) throw error;
    const place = settings.DATABASE_URL ? 'PostgreSQL (DATABASE_URL)' : `The store in ${resolve(settings.SIGHTLINE_DATA_DIR)}`;
    throw new OperatorError(`${place} cannot be written to: ${reasonOf(error)}. Free the disk or make it writable, and start again.`, {
      cause: error,
    });
  }
}
