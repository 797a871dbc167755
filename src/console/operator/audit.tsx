import { signal } from '@preact/signals';
import type { AuditEntry, AuditReport } from '../../contract/admin/schemas.ts';
import { keyName, readKeyNames } from '../account/key-names.tsx';
import { AdminAct, admin } from '../parts/admin.tsx';
import { filterOf } from '../parts/filters.tsx';
import { capital, number } from '../parts/format.ts';
import { ListPage, rowsUpTo } from '../parts/grid.tsx';
import { LoadedPage } from '../parts/page.tsx';
import { type Stat, Stats } from '../parts/stats.tsx';
import type { Column } from '../parts/table.tsx';

const PAGE = 200;
/** Names of accounts by their ids, as they were read last; an account that is gone stands for itself. */
const accounts = signal<ReadonlyMap<string, string>>(new Map());
/** Of a session that its holder opened without a key: who acts is its account. */
const CONSOLE = 'console:';

/** Reads the names of accounts, keys and clients where an entry names one that is new. */
async function readNames(entries: readonly AuditEntry[], ended: AbortSignal): Promise<void> {
  const ids = entries.flatMap(({ subject, actor, facts: { accountId } }) => [
    ...[subject, actor],
    ...(typeof accountId === 'string' ? [accountId] : []),
  ]);
  await readKeyNames(
    ids.map((keyId) => ({ keyId })),
    ended,
  );
  const unnamed = ids.map((id) => id.replace(CONSOLE, '')).filter((id) => keyName(id) === id);
  if (unnamed.every((id) => accounts.value.has(id))) return;
  const found = await admin('listAccounts', {}, ended);
  accounts.value = new Map([...unnamed.map((id) => [id, id] as const), ...found.map(({ accountId, name }) => [accountId, name] as const)]);
}
function subjectName(id: string): string {
  if (id.startsWith(CONSOLE)) return `${subjectName(id.slice(CONSOLE.length))}, console`;
  return accounts.value.get(id) ?? keyName(id);
}
const Named = ({ id }: { id: string }) => <span title={id}>{subjectName(id)}</span>;

const factsOf = ({ facts }: AuditEntry): string => JSON.stringify(facts);
const namedFactsOf = ({ facts }: AuditEntry): string =>
  JSON.stringify(facts, (_, value: unknown) => (typeof value === 'string' ? subjectName(value) : value));
const COLUMNS: readonly Column<AuditEntry>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (e) => e.at },
  { id: 'action', name: 'Action', value: (e) => e.action },
  { id: 'subject', name: 'Subject', value: (e) => subjectName(e.subject), of: (e) => <Named id={e.subject} /> },
  { id: 'actor', name: 'Who', value: (e) => subjectName(e.actor), of: (e) => <Named id={e.actor} /> },
  {
    id: 'facts',
    name: 'Facts',
    value: factsOf,
    of: (e) => (
      <code class="facts-text" title={factsOf(e)}>
        {namedFactsOf(e)}
      </code>
    ),
  },
  { id: 'seq', name: 'No.', as: 'number', value: (e) => e.seq },
  { id: 'subjectid', name: 'Subject id', as: 'code', value: (e) => e.subject, hidden: true },
  { id: 'actorid', name: 'Who, id', as: 'code', value: (e) => e.actor, hidden: true },
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
      load={async (before, ended) => {
        const query = { limit: PAGE, action, subject, ...(before && { before: Number(before) }) };
        const entries = await admin('auditLog', query, ended);
        await readNames(entries, ended);
        return rowsUpTo(entries, PAGE, (e) => e.seq);
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
