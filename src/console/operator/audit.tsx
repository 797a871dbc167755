import { api } from '../app/api.ts';
import { moment } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import type { AuditEntry } from './admin-api.ts';

const LIMIT = 500;

/** Who changed what, newest first. */
export function Audit() {
  const { loaded } = useLoaded((signal) => api<readonly AuditEntry[]>('/audit', { query: { limit: LIMIT }, signal }), []);
  return (
    <Page title="Audit log">
      <section class="panel" aria-label="Audit log">
        <Show loaded={loaded}>
          {(entries) => (
            <DataTable
              caption="Audit log"
              rows={entries}
              keyOf={(e) => e.seq}
              columns={[
                { name: 'No.', numeric: true, of: (e) => e.seq },
                { name: 'Time', of: (e) => moment(e.at) },
                { name: 'Who', of: (e) => e.actor },
                { name: 'Action', of: (e) => e.action },
                { name: 'Subject', of: (e) => <code>{e.subject}</code> },
                { name: 'Facts', of: (e) => <code class="small">{JSON.stringify(e.facts)}</code> },
              ]}
            />
          )}
        </Show>
        <p class="small">The newest {LIMIT} entries. “sightline audit verify” checks the whole chain.</p>
      </section>
    </Page>
  );
}
