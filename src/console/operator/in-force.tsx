import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { FleetState } from '../../contract/admin/fleet-schema.ts';
import { admin } from '../parts/admin.tsx';
import { Pill } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';

const LOOK_EVERY_MS = 500;
/** Processes follow within a second: after this many looks those that did not are said to be late. */
const MOST_LOOKS = 10;

const isWhole = ({ gateways, workers, credentials }: NonNullable<FleetState>): boolean =>
  credentials.gateways === gateways && credentials.workers === workers;

/** How many processes of a fleet have loaded what was entered; of a single process nothing. `since`: when it was entered. */
export function InForce({ since }: { readonly since: string }) {
  const seen = useSignal<FleetState>(null);
  const isLate = useSignal(false);
  useEffect(() => {
    const ended = new AbortController();
    async function look(): Promise<void> {
      for (let looks = 1; looks <= MOST_LOOKS; looks++) {
        seen.value = await admin('showFleet', {}, ended.signal);
        if (!seen.value || isWhole(seen.value)) return;
        isLate.value = looks === MOST_LOOKS;
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
    }
    isLate.value = false;
    look().catch(() => {
      // the page of the fleet says why it cannot be read
      if (!ended.signal.aborted) seen.value = null;
    });
    return () => ended.abort();
  }, [since]);
  if (!seen.value) return null;
  const { gateways, workers, credentials } = seen.value;
  return (
    <p role="status">
      <Pill tone={isWhole(seen.value) ? 'good' : isLate.value ? 'warn' : 'plain'} text="In force" /> in {credentials.gateways} of{' '}
      {plural(gateways, 'gateway')}
      {workers > 0 && ` and ${credentials.workers} of ${plural(workers, 'worker')}`}
      {isLate.value && (
        <>
          . Not in <code class="long">{credentials.behind.join(', ')}</code>: {credentials.behind.length === 1 ? 'it lacks' : 'each lacks'}{' '}
          DATABASE_URL, or has another SIGHTLINE_SECRET.
        </>
      )}
    </p>
  );
}
