import type { AuditEntry, AuditReport } from '../../contract/admin/schemas.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { Stats } from '../parts/card.tsx';
import { filterOf } from '../parts/filters.tsx';
import { number } from '../parts/format.ts';
import { ListPage } from '../parts/list-page.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { type Column, pageOf } from '../parts/rows.ts';

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
        return pageOf(await admin('auditLog', query, signal), PAGE, (e) => e.seq);
      }}
      filters={['_action', '_subject']}
      acts={() => (
        <>
          <AdminAct
            action="verifyLedger"
            then={wordsOf}
            name="Verify ledger"
            says="Reads every account's chain and compares sums and hashes. Nothing is changed; a large ledger takes minutes."
          />
          <AdminAct
            action="verifyAudit"
            then={wordsOf}
            name="Verify audit log"
            says="Reads the whole chain and compares accounts, keys, clients and sessions with its events. Nothing is changed."
          />
        </>
      )}
    />
  );
}

export const Fleet = () => (
  <LoadedPage title="Fleet" load={(signal) => admin('showFleet', {}, signal)} isLive>
    {(fleet) =>
      fleet === null ? (
        <p class="none">This service runs as one process: REDIS_URL is not set, so that there is no fleet.</p>
      ) : (
        <Stats
          stats={[
            ['Redis', fleet.up ? 'reached' : 'not reached'],
            ['Gateways', number(fleet.gateways)],
            ['Workers', number(fleet.workers)],
          ]}
        />
      )
    }
  </LoadedPage>
);
