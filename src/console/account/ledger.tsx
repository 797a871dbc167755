import type { AccountLedger } from '../../contract/account/schemas.ts';
import { operationName, requestAt } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { api } from '../app/session.ts';
import { filterOf, Ranges, rangeOf } from '../parts/filters.tsx';
import { inWords, number } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import type { Column } from '../parts/table.tsx';
import { KEY_COLUMNS, readKeyNames } from './key-names.tsx';
import { OperationName } from './requests.tsx';

type Entry = AccountLedger['entries'][number];
export const receiptAt = (receipt: string): string => pageAt(`/console/ledger?receipt=${encodeURIComponent(receipt)}`);

const KINDS = { grant: 'Granted', capture: 'Charged', release: 'Given back', expire: 'Hold expired' } as const;
const entryInWords = ({ kind, held, credits }: Entry): string =>
  kind === 'hold' ? `Held: ${number(held)}` : kind === 'grant' && credits < 0 ? 'Taken' : KINDS[kind];
/** `+5` or `−5`, with the sign for minus of the fonts. */
const signed = (value: number): string => (value > 0 ? `+${number(value)}` : value < 0 ? `−${number(-value)}` : '0');

export const entryKey = ({ at: when, kind, receipt, reference }: Entry): string => `${when} ${kind} ${receipt ?? reference}`;
/** A lookup with what it was charged, and the balance after it. */
export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  { id: 'at', name: 'Time', as: 'time', value: (e) => e.at },
  {
    id: 'for',
    name: 'For',
    value: (e) => (e.operation ? operationName(e.operation) : inWords([e.note, e.reference])),
    of: (e) => (e.operation ? <OperationName id={e.operation} /> : inWords([e.note, e.reference])),
  },
  { id: 'state', name: 'State', value: entryInWords },
  { id: 'credits', name: 'Credits', as: 'number', value: (e) => e.credits, of: (e) => signed(e.credits) },
  { id: 'balance', name: 'Balance after', as: 'number', value: (e) => e.balance },
  ...KEY_COLUMNS,
  { id: 'request', name: 'Request id', as: 'code', value: (e) => e.requestId, hidden: true },
  { id: 'label', name: 'Label', value: (e) => e.label, hidden: true },
  { id: 'receipt', name: 'Receipt', as: 'code', value: (e) => e.receipt, hidden: true },
];

/** One line a lookup; of one receipt its hold and the end of it. */
export function Ledger() {
  const receipt = filterOf('receipt');
  const { from, to } = rangeOf('all');
  // the entries of a receipt are shown whenever they were
  const query = { limit: 50, ...(receipt ? { receipt } : { by: 'lookup', from, to }) };
  return (
    <ListPage
      title="Ledger"
      about="One line for each lookup, with what it was charged. The balance includes credits that are held."
      icon="ledger"
      none="No entries"
      columns={ENTRY_COLUMNS}
      keyOf={entryKey}
      hrefOf={(e) => e.requestId && requestAt(e.requestId)}
      load={async (after, signal) => {
        const page = await api<AccountLedger>('/v1/account/ledger', { query: { ...query, after }, signal });
        await readKeyNames(page.entries, signal);
        return { rows: page.entries, after: page.after };
      }}
      filters={[{ id: 'receipt', name: 'Receipt' }]}
    >
      <Ranges names={['7d', '30d', '90d', 'all']} usual="all" />
    </ListPage>
  );
}
