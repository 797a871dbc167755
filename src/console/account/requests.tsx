import { useSignal } from '@preact/signals';
import type { AccountRequests } from '../../contract/account/schemas.ts';
import { api } from '../app/api.ts';
import { contract } from '../app/session.ts';
import { duration, moment, number } from '../parts/format.ts';
import { Page } from '../parts/page.tsx';
import { Paged } from '../parts/paged.tsx';
import { DataTable } from '../parts/table.tsx';

/** The requests of the account, newest first, with filters. Bodies are not part of the log. */
export function Requests() {
  const filters = useSignal({ operation: '', status: '', from: '', to: '' });
  const set = (name: keyof typeof filters.value) => (e: { currentTarget: { value: string } }) => {
    filters.value = { ...filters.value, [name]: e.currentTarget.value };
  };
  const { operation, status, from, to } = filters.value;
  return (
    <Page title="Requests" ofAccount>
      <div class="toolbar">
        <label>
          Operation
          <select value={operation} onChange={set('operation')}>
            <option value="">all</option>
            {contract.value?.operations.map((o) => (
              <option key={o.id} value={o.id}>
                {o.id}
              </option>
            ))}
          </select>
        </label>
        <label>
          Status
          <select value={status} onChange={set('status')}>
            <option value="">all</option>
            {[200, 304, ...new Set(contract.value?.errors.map((e) => e.status))].map((s) => (
              <option key={s} value={s}>
                {s}
              </option>
            ))}
          </select>
        </label>
        <label>
          From
          <input type="date" value={from} onChange={set('from')} />
        </label>
        <label>
          To
          <input type="date" value={to} onChange={set('to')} />
        </label>
      </div>
      <section class="panel" aria-label="Requests">
        <Paged
          keys={[operation, status, from, to]}
          load={async (after, signal) => {
            const page = await api<AccountRequests>('/v1/account/requests', {
              query: { operation, status, from, to, after, limit: 100 },
              ...(signal && { signal }),
            });
            return { rows: page.requests, after: page.after };
          }}
        >
          {(rows) => (
            <DataTable
              caption="Requests of the account"
              rows={rows}
              keyOf={(r, at) => `${r.requestId} ${at}`}
              none="No requests."
              columns={[
                { name: 'Time', of: (r) => <a href={`/console/requests/${encodeURIComponent(r.requestId)}`}>{moment(r.at)}</a> },
                { name: 'Operation', of: (r) => r.operation },
                {
                  name: 'Status',
                  of: (r) => (
                    <>
                      <span class={r.status < 400 ? 'status good' : 'status bad'}>{r.status}</span> {r.code}
                    </>
                  ),
                },
                { name: 'Source', of: (r) => r.source ?? '–' },
                { name: 'Cache', of: (r) => r.cache ?? '–' },
                { name: 'Credits', numeric: true, of: (r) => number(r.credits) },
                { name: 'Time taken', numeric: true, of: (r) => duration(r.durationMs) },
                { name: 'Key', of: (r) => r.keyId },
              ]}
            />
          )}
        </Paged>
      </section>
    </Page>
  );
}
