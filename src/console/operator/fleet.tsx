import { api } from '../app/api.ts';
import { number } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { Metrics } from '../parts/stated.tsx';
import type { FleetState } from './admin-api.ts';

/** The processes of the fleet. */
export function Fleet() {
  const { loaded, reload } = useLoaded((signal) => api<FleetState>('/fleet', { signal }), []);
  return (
    <Page
      title="Fleet"
      actions={
        <button type="button" onClick={() => void reload()}>
          Read again
        </button>
      }
    >
      <section class="panel" aria-label="Fleet">
        <Show loaded={loaded}>
          {(fleet) =>
            fleet === null ? (
              <p>This service runs as one process: REDIS_URL is not set, so that there is no fleet.</p>
            ) : (
              <Metrics
                metrics={[
                  ['Redis', fleet.up ? 'reached' : 'not reached'],
                  ['Gateways', number(fleet.gateways)],
                  ['Workers', number(fleet.workers)],
                ]}
              />
            )
          }
        </Show>
      </section>
    </Page>
  );
}
