import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import { accountClient } from '../app/client.ts';
import { moment, number } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { Paged } from '../parts/paged.tsx';
import { DataTable } from '../parts/table.tsx';

const KINDS: Readonly<Record<string, string>> = {
  grant: 'granted',
  hold: 'held',
  capture: 'charged',
  release: 'given back',
  expire: 'hold expired',
};
const signed = (value: number): string => (value > 0 ? `+${number(value)}` : number(value));

/** Every entry of the ledger, newest first, filtered by receipt. */
export function Ledger() {
  const { query } = useRoute();
  const { route } = useLocation();
  const typed = useSignal(query.receipt ?? '');
  const receipt = query.receipt ?? '';
  return (
    <Page title="Ledger" ofAccount>
      <form
        class="toolbar"
        onSubmit={(e) => {
          e.preventDefault();
          route(typed.value.trim() ? `/console/ledger?receipt=${encodeURIComponent(typed.value.trim())}` : '/console/ledger');
        }}
      >
        <label>
          Receipt
          <input
            type="search"
            value={typed.value}
            onInput={(e) => {
              typed.value = e.currentTarget.value;
            }}
          />
        </label>
        <button type="submit">Filter</button>
        {receipt && <a href="/console/ledger">Show all</a>}
      </form>
      <section class="panel" aria-label="Entries">
        <Paged
          keys={[receipt]}
          load={async (after, signal) => {
            const { entries, after: next } = await accountClient().account.ledger(
              { limit: 100, after, ...(receipt && { receipt }) },
              { signal },
            );
            return { rows: entries, after: next };
          }}
        >
          {(rows) => (
            <DataTable
              caption="Entries of the ledger"
              rows={rows}
              keyOf={(_, at) => at}
              none="No entries."
              columns={[
                { name: 'Time', of: (e) => moment(e.at) },
                { name: 'Kind', of: (e) => KINDS[e.kind] ?? e.kind },
                { name: 'Credits', numeric: true, of: (e) => signed(e.credits) },
                { name: 'Held', numeric: true, of: (e) => signed(e.held) },
                { name: 'Operation', of: (e) => e.operation ?? '–' },
                {
                  name: 'Receipt',
                  of: (e) => (e.receipt ? <a href={`/console/ledger?receipt=${encodeURIComponent(e.receipt)}`}>{e.receipt}</a> : '–'),
                },
                {
                  name: 'Request',
                  of: (e) => (e.requestId ? <a href={`/console/requests/${encodeURIComponent(e.requestId)}`}>{e.requestId}</a> : '–'),
                },
                { name: 'Key', of: (e) => e.keyId ?? '–' },
                { name: 'Note', of: (e) => [e.note, e.reference].filter(Boolean).join(' · ') || '–' },
              ]}
            />
          )}
        </Paged>
      </section>
    </Page>
  );
}
