import type { ConsoleSessions } from '../../contract/console-session.ts';
import { api } from '../app/api.ts';
import { forget } from '../app/session.ts';
import { moment } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';

type OpenSession = ConsoleSessions['sessions'][number];

/** Where one is signed in, and signing out there. */
export function Sessions() {
  const { loaded, reload } = useLoaded((signal) => api<ConsoleSessions>('/console/api/sessions', { signal }), []);
  const end = async (session: OpenSession): Promise<void> => {
    await api(`/console/api/sessions/${encodeURIComponent(session.sessionId)}`, { method: 'DELETE' });
    if (session.current) forget();
    else await reload();
  };
  const endAll = async (): Promise<void> => {
    await api('/console/api/sessions', { method: 'DELETE' });
    forget();
  };
  return (
    <Page
      title="Sessions"
      actions={
        <button type="button" onClick={() => void endAll()}>
          Sign out everywhere
        </button>
      }
    >
      <section class="panel" aria-label="Sessions">
        <Show loaded={loaded}>
          {({ sessions }) => (
            <DataTable
              caption="Sessions of the console"
              rows={sessions}
              keyOf={(s) => s.sessionId}
              columns={[
                { name: 'Signed in', of: (s) => moment(s.createdAt) },
                { name: 'Last used', of: (s) => moment(s.lastUsedAt) },
                { name: 'Ends at the latest', of: (s) => moment(s.expiresAt) },
                { name: 'Here', of: (s) => (s.current ? 'this browser' : '') },
                {
                  name: 'Actions',
                  of: (s) => (
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Sign out the session of ${moment(s.createdAt)}`}
                      onClick={() => void end(s)}
                    >
                      Sign out
                    </button>
                  ),
                },
              ]}
            />
          )}
        </Show>
      </section>
    </Page>
  );
}
