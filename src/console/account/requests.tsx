import type { AccountLedger, AccountRequest, AccountRequests } from '../../contract/account/schemas.ts';
import { operationChoices, operationIcon, operationName, requestAt } from '../app/operations.ts';
import { at } from '../app/place.ts';
import { api, contract } from '../app/session.ts';
import { Check } from '../parts/controls.tsx';
import { StatusPill } from '../parts/display.tsx';
import { filterOf, Ranges, rangeOf, setFilters } from '../parts/filters.tsx';
import { inWords, number, plural } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import { Icon } from '../parts/icons.tsx';
import type { Column } from '../parts/table.tsx';

export const receiptAt = (receipt: string): string => at(`/console/ledger?receipt=${encodeURIComponent(receipt)}`);

export const askedOf = ({ parameters }: Pick<AccountRequest, 'parameters'>): string => inWords(parameters ?? {});

const reasonOf = ({ code }: AccountRequest): string | undefined =>
  code
    ?.replace(/^UPSTREAM_/, '')
    .replaceAll('_', ' ')
    .toLowerCase();

export const OperationName = ({ id }: { id: string }) => (
  <span class="with-icon" title={id}>
    <Icon name={operationIcon(id)} />
    {operationName(id)}
  </span>
);

const REQUESTS: readonly Column<AccountRequest>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (r) => r.at },
  { id: 'op', name: 'Operation', value: (r) => operationName(r.operation), of: (r) => <OperationName id={r.operation} /> },
  { id: 'question', name: 'Question', value: askedOf, of: (r) => <span class="cut">{askedOf(r) || '–'}</span> },
  { id: 'status', name: 'Status', value: (r) => r.status, of: (r) => <StatusPill status={r.status}> {reasonOf(r)}</StatusPill> },
  { id: 'took', name: 'Took', as: 'duration', value: (r) => r.durationMs },
  { id: 'credits', name: 'Credits', as: 'number', value: (r) => r.credits },
  { id: 'source', name: 'Source', value: (r) => r.source },
  { id: 'cache', name: 'Cache', value: (r) => r.cache },
  { id: 'key', name: 'Key', value: (r) => r.keyId },
  { id: 'label', name: 'Label', value: (r) => r.label, hidden: true },
  { id: 'id', name: 'Request id', as: 'code', value: (r) => r.requestId, hidden: true },
];

const summaryOf = (rows: readonly AccountRequest[]): string => {
  const credits = rows.reduce((sum, r) => sum + r.credits, 0);
  const errors = rows.filter((r) => r.status >= 400).length;
  return `${plural(rows.length, 'request')} here · ${plural(credits, 'credit')} · ${plural(errors, 'error')}`;
};

export function Requests() {
  const { from, to } = rangeOf('7d');
  const [operation, status, key, source, label, withAccount] = ['_op', '_status', '_key', '_source', '_label', '_account'].map(filterOf);
  const query = {
    ...{ from, to, limit: 50, operation, key, source, label },
    kind: status === 'errors' ? 'error' : withAccount || operation ? undefined : 'lookup',
    status: status === 'errors' ? undefined : status,
  };
  const { errors = [] } = contract.value ?? {};
  const statuses = [...new Set([200, 304, ...errors.map((e) => e.status)])].sort((a, b) => a - b);
  return (
    <ListPage
      title="Requests"
      icon="list"
      none="No requests with these filters"
      columns={REQUESTS}
      keyOf={(r) => r.requestId}
      hrefOf={(r) => requestAt(r.requestId)}
      load={async (after, signal) => {
        const page = await api<AccountRequests>('/v1/account/requests', { query: { ...query, after }, signal });
        return { rows: page.requests, after: page.after };
      }}
      summary={(rows) => (
        <>
          <span>{summaryOf(rows)}</span>
          <span>Times are UTC</span>
        </>
      )}
      filters={[
        { id: '_op', name: 'Operation', choices: operationChoices() },
        { id: '_status', name: 'Status', choices: ['errors', ...statuses].map((s) => [String(s), String(s)] as const) },
        '_key',
        '_source',
        '_label',
      ]}
    >
      <Ranges names={['today', '7d', '30d']} usual="7d" />
      <Check text="Account requests" isOn={withAccount !== ''} set={(isOn) => setFilters({ _account: isOn ? '1' : '' })} />
    </ListPage>
  );
}

type Entry = AccountLedger['entries'][number];
const KINDS = { grant: 'Granted', hold: 'Held', capture: 'Charged', release: 'Given back', expire: 'Hold expired' } as const;
const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value));
const codeLink = (text: string | null, href: (text: string) => string, shown = text) =>
  text && (
    <a href={href(text)} title={text}>
      <code>{shown}</code>
    </a>
  );

export const entryKey = ({ at: when, kind, receipt, reference }: Entry): string => `${when} ${kind} ${receipt ?? reference}`;
export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (e) => e.at },
  { id: 'kind', name: 'Entry', value: (e) => KINDS[e.kind] },
  { id: 'for', name: 'For', value: (e) => (e.operation ? operationName(e.operation) : inWords([e.note, e.reference])) },
  { id: 'credits', name: 'Credits', as: 'number', value: (e) => e.credits, of: (e) => signed(e.credits) },
  { id: 'held', name: 'Held', as: 'number', value: (e) => e.held, of: (e) => signed(e.held) },
  { id: 'request', name: 'Request', value: (e) => e.requestId, of: (e) => codeLink(e.requestId, requestAt) },
  { id: 'receipt', name: 'Receipt', value: (e) => e.receipt, of: (e) => codeLink(e.receipt, receiptAt, `…${e.receipt?.slice(-8)}`) },
  { id: 'key', name: 'Key', value: (e) => e.keyId },
];

export const Ledger = () => (
  <ListPage
    title="Ledger"
    icon="ledger"
    none="No entries"
    columns={ENTRY_COLUMNS}
    keyOf={entryKey}
    load={async (after, signal) => {
      const page = await api<AccountLedger>('/v1/account/ledger', { query: { limit: 50, after, receipt: filterOf('receipt') }, signal });
      return { rows: page.entries, after: page.after };
    }}
    filters={[{ id: 'receipt', name: 'Receipt' }]}
  />
);
