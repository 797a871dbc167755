import type { AuditEntry, AuditReport } from '../../contract/admin/schemas.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { type Stat, Stats } from '../parts/display.tsx';
import { filterOf } from '../parts/filters.tsx';
import { capital, number } from '../parts/format.ts';
import { ListPage, rowsUpTo } from '../parts/grid.tsx';
import { LoadedPage } from '../parts/page.tsx';
import type { Column } from '../parts/table.tsx';

const PAGE = 200;
const factsOf = ({ facts }: AuditEntry): string => JSON.stringify(facts);
const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (e) => e.at },
  { id: 'action', name: 'Action', value: (e) => e.action },
  { id: 'subject', name: 'Subject', as: 'code', value: (e) => e.subject },
  { id: 'actor', name: 'Who', value: (e) => e.actor },
  { id: 'facts', name: 'Facts', value: factsOf, of: (e) => <code class="facts-text">{factsOf(e)}</code> },
  { id: 'seq', name: 'No.', as: 'number', value: (e) => e.seq },
];

const wordsOf = ({ entries, faults }: AuditReport): string =>
  faults.length === 0
    ? `${number(entries)} entries: sums and chain are valid.`
    : `${faults.length} faults: ${faults.slice(0, 5).join('; ')}`;

export function Audit() {
  const [action, subject] = [filterOf('_action'), filterOf('_subject')];
  return (
    <ListPage
      title="Audit log"
      icon="shield"
      none="No entry with these filters"
      columns={COLUMNS}
      keyOf={(e) => e.seq}
      load={async (before, signal) => {
        const query = { limit: PAGE, action, subject, ...(before && { before: Number(before) }) };
        return rowsUpTo(await admin('auditLog', query, signal), PAGE, (e) => e.seq);
      }}
      filters={['_action', '_subject']}
      acts={() => (
        <>
          <AdminAct action="verifyLedger" then={wordsOf} />
          <AdminAct action="verifyAudit" then={wordsOf} />
        </>
      )}
    />
  );
}

export const Fleet = () => (
  <LoadedPage title="Fleet" load={(signal) => admin('showFleet', {}, signal)} isLive>
    {(fleet) => {
      if (fleet === null) return <p class="none">This service runs as one process: REDIS_URL is not set, so that there is no fleet.</p>;
      const counts = (['gateways', 'workers'] as const).map((name): Stat => [capital(name), number(fleet[name])]);
      return <Stats stats={[['Redis', fleet.up ? 'reached' : 'not reached'], ...counts]} />;
    }}
  </LoadedPage>
);
