import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { CanaryResult } from '../contract/admin/schemas.ts';
import { type Canaries, type CanariesParts, parseCanaries, startCanaries } from '../orchestrator/canaries.ts';
import { SettingError, type Settings } from '../settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Lookups } from './service.ts';

/** Last results, so that a restart neither forgets them nor repeats the lookups. */
const FILE = 'canaries.json';

/** Starts the canaries of SIGHTLINE_CANARIES, with their metric; null where the setting is not set. Throws a SettingError for a wrong file. */
export async function openCanaries(
  settings: Settings,
  { orchestrator, clock }: Lookups,
  log: CanariesParts['log'],
  metrics: Metrics,
): Promise<Canaries | null> {
  const path = settings.SIGHTLINE_CANARIES;
  if (path === null) return null;
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new SettingError(`SIGHTLINE_CANARIES names a file that cannot be read: ${error.message}`);
  });
  const file = join(resolve(settings.SIGHTLINE_DATA_DIR), FILE);
  const canaries = startCanaries({
    canaries: parseCanaries(text),
    orchestrator,
    settings,
    clock,
    newRequestId: () => `canary-${randomUUID()}`,
    log,
    saved: await savedIn(file),
    async save(results) {
      try {
        await writeFile(`${file}.new`, JSON.stringify(results), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } catch (error) {
        const reason = (error as Error).message;
        log('warn', 'canaries: the results cannot be written, a restart would repeat the lookups', { file, reason });
      }
    },
  });
  metrics.metrics('sightline_canaries', 'Canaries: 1 where the last lookup met its facts.', () =>
    Object.fromEntries(canaries.results().map(({ name, ok }) => [name, Number(ok)])),
  );
  return canaries;
}

/** The results in the file; none if there is no file or it is damaged: then the lookups are made again. */
async function savedIn(file: string): Promise<readonly CanaryResult[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]';
    throw error;
  });
  try {
    const results: unknown = JSON.parse(text);
    return Array.isArray(results)
      ? results.filter((r): r is CanaryResult => !Number.isNaN(Date.parse(String(r?.at)))).map((r) => ({ ...r, past: r.past ?? [] }))
      : [];
  } catch {
    return []; // damaged: the next run writes it again
  }
}
