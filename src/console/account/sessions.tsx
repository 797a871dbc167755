import type { ConsoleSessions } from '../../contract/contract-view.ts';
import { api, forget } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import type { Column } from '../parts/columns.tsx';
import { Pill } from '../parts/display.tsx';
import { shortTime } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';

const SESSIONS = '/console/api/sessions';
type Session = ConsoleSessions['sessions'][number];
const whereOf = ({ current }: Session): string => (current ? 'this browser' : 'elsewhere');
const COLUMNS: readonly Column<Session>[] = [
  { id: 'created', name: 'Signed in', as: 'time', value: (s) => s.createdAt },
  { id: 'used', name: 'Last used', as: 'time', value: (s) => s.lastUsedAt },
  { id: 'ends', name: 'Ends at the latest', as: 'time', value: (s) => s.expiresAt },
  { id: 'here', name: 'Where', value: whereOf, of: (s) => (s.current ? <Pill tone="good" text="This browser" /> : whereOf(s)) },
];

const end = async (path: string, isOwn: boolean): Promise<void> => {
  await api(path, { method: 'DELETE' });
  if (isOwn) forget();
};

export const Sessions = () => (
  <ListPage
    title="Sessions"
    icon="shield"
    none="No sessions"
    columns={COLUMNS}
    keyOf={(s) => s.sessionId}
    load={async (_, signal) => (await api<ConsoleSessions>(SESSIONS, { signal })).sessions}
    actions={(s, done) => (
      <Act
        name="Sign out"
        of={`the session of ${shortTime(s.createdAt)}`}
        style="quiet"
        says={s.current ? 'You sign in again to work here.' : 'The other browser is signed out with its next request.'}
        run={() => end(`${SESSIONS}/${encodeURIComponent(s.sessionId)}`, s.current)}
        done={done}
      />
    )}
    acts={() => <Act name="Sign out everywhere" says="All of these sessions end now, this one included." run={() => end(SESSIONS, true)} />}
  />
);
