import type { AccountRequest, AccountRequests } from '../../contract/account/schemas.ts';
import { operationChoices, operationIcon, operationName, requestAt } from '../app/operations.ts';
import { api, contract } from '../app/session.ts';
import { Check } from '../parts/controls.tsx';
import { StatusPill } from '../parts/display.tsx';
import { filterOf, Ranges, rangeOf, setFilters } from '../parts/filters.tsx';
import { inWords, plural } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import { Icon } from '../parts/icons.tsx';
import { Readable } from '../parts/readable.tsx';
import type { Column } from '../parts/table.tsx';
import { KEY_COLUMNS, keyFilter, readKeyNames } from './key-names.tsx';

export const parametersInWords = ({ parameters }: Pick<AccountRequest, 'parameters'>): string => inWords(parameters ?? {});

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
  {
    id: 'question',
    name: 'Question',
    value: parametersInWords,
    of: (r) => <span class="cut" children={<Readable text={parametersInWords(r) || '–'} />} />,
  },
  { id: 'status', name: 'Status', value: (r) => r.status, of: (r) => <StatusPill status={r.status}> {reasonOf(r)}</StatusPill> },
  { id: 'took', name: 'Took', as: 'duration', value: (r) => r.durationMs },
  { id: 'credits', name: 'Credits', as: 'number', value: (r) => r.credits },
  { id: 'source', name: 'Source', value: (r) => r.source, roomy: true },
  { id: 'cache', name: 'Cache', value: (r) => r.cache, roomy: true },
  ...KEY_COLUMNS,
  { id: 'label', name: 'Label', value: (r) => r.label, hidden: true },
  { id: 'id', name: 'Request id', as: 'code', value: (r) => r.requestId, hidden: true },
];

/** The reader's own, in which times are shown. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

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
        await readKeyNames(page.requests, signal);
        return { rows: page.requests, after: page.after };
      }}
      summary={(rows) => (
        <>
          <span>{summaryOf(rows)}</span>
          <span>Times in {zone}</span>
        </>
      )}
      filters={[
        { id: '_op', name: 'Operation', choices: operationChoices() },
        { id: '_status', name: 'Status', choices: ['errors', ...statuses].map((s) => [String(s), String(s)] as const) },
        keyFilter(),
        '_source',
        '_label',
      ]}
    >
      <Ranges names={['today', '7d', '30d']} usual="7d" />
      <Check text="Account requests" isOn={withAccount !== ''} set={(isOn) => setFilters({ _account: isOn ? '1' : '' })} />
    </ListPage>
  );
}
