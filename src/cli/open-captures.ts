import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { capturesOfRequest } from '../captures/capture-files.ts';
import { type Captures, type CapturesParts, createCaptures } from '../captures/captures.ts';
import type { Admin } from '../contract/admin/actions.ts';
import { createUuid7 } from '../runtime/uuid.ts';
import type { Settings } from '../settings.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Folder of the captures of all processes that share the data folder. */
export const capturesFolder = (settings: Pick<Settings, 'SIGHTLINE_DATA_DIR'>): string =>
  join(resolve(settings.SIGHTLINE_DATA_DIR), 'captures');

/** The admin actions, with the captures of a request in its explanation. */
export const withCaptures = <A extends Pick<Admin, 'explainRequest'>>(admin: A, settings: Pick<Settings, 'SIGHTLINE_DATA_DIR'>): A => ({
  ...admin,
  async explainRequest({ requestId }) {
    const explanation = await admin.explainRequest({ requestId });
    return { ...explanation, captures: await capturesOfRequest(capturesFolder(settings), explanation.requestId) };
  },
});

/** The captures of this process and their metric; none where they are off. A process of a fleet has a folder of its own. */
export function openCaptures(
  settings: Settings,
  { clock, log, metrics, isLost }: Pick<CapturesParts, 'clock' | 'log' | 'isLost'> & { readonly metrics: Metrics },
): Captures | undefined {
  if (settings.SIGHTLINE_CAPTURE === 'off') return;
  const folder = capturesFolder(settings);
  const own = `${hostname().replace(/[^\w-]/g, '-')}-${randomBytes(6).toString('hex')}`;
  const captures = createCaptures({
    settings,
    clock,
    random: Math.random,
    newId: createUuid7(clock.now, randomBytes),
    folder,
    ownFolder: settings.REDIS_URL ? join(folder, own) : folder,
    log,
    isLost,
  });
  metrics.metrics('sightline_captures', 'Captures of upstream exchanges since the start.', captures.counts);
  return captures;
}
