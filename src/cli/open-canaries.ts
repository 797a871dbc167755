import { readFile } from 'node:fs/promises';
import type { OpenAccounts } from '../accounts/accounts.ts';
import type { CanaryResult } from '../contract/admin/schemas.ts';
import { unreadFile } from '../runtime/unread-file.ts';
import { SettingError, type Settings } from '../settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { canaryResults, storeCanaries } from '../watches/canaries.ts';
import { parseCanaries } from '../watches/canary-file.ts';
import type { WatchesParts } from '../watches/watches.ts';

/**
 * Stores the canaries of SIGHTLINE_CANARIES as watches, and adds their metric; returns what reads their results. Throws a SettingError for a wrong
 * file. A gateway without the setting leaves those of the others where they share a store.
 */
export async function openCanaries(
  { SIGHTLINE_CANARIES: path, DATABASE_URL: shared }: Settings,
  { store }: OpenAccounts,
  { metrics }: Metrics,
  log: WatchesParts['log'],
): Promise<() => Promise<readonly CanaryResult[]>> {
  const results = async () => canaryResults(store, await store.now());
  if (path === null && shared !== null) return results;
  const text =
    path === null
      ? '{}'
      : await readFile(path, 'utf8').catch((error: Error) => {
          throw new SettingError(`SIGHTLINE_CANARIES names a file that is not read: ${unreadFile(path, error)}.`);
        });
  await storeCanaries(store, parseCanaries(text), await store.now());
  if (path !== null)
    metrics('sightline_canaries', 'Canaries: 1 where the last lookup met its facts.', async () => {
      try {
        return Object.fromEntries((await results()).map(({ name, ok }) => [name, Number(ok)]));
      } catch (error) {
        log('warn', 'the metric of the canaries is missing', { reason: (error as Error).message });
        return {};
      }
    });
  return results;
}
