import { useSignal } from '@preact/signals';
import type { Account, AccountUsage } from '../../contract/account/schemas.ts';
import { csvOf } from '../../contract/csv.ts';
import { accountClient } from '../app/client.ts';
import { credits } from '../app/session.ts';
import { Bars, Columns } from '../charts/bars.tsx';
import { download } from '../parts/files.ts';
import { moment, number, plural } from '../parts/format.ts';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { Facts, Metrics } from '../parts/stated.tsx';
import { DataTable } from '../parts/table.tsx';
import { byDayAndOperation, creditsByDay, creditsByOperation } from './usage-sums.ts';

const DAY_MS = 86_400_000;
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

function Balance({ account }: { account: Account }) {
  const { key, limits } = account;
  return (
    <section class="panel" aria-label="Balance">
      <Metrics
        metrics={[
          ['Credits', number(account.credits.balance)],
          ['Held for running lookups', number(account.credits.held)],
          ['Requests a second', number(limits.ratePerSecond)],
          ['At once', number(limits.burst)],
        ]}
      />
      <Facts
        facts={[
          ['Account', `${account.name} (${account.accountId})`],
          ['This session uses', `${key.label || 'no label'} (${key.keyId})`],
          ['It ends', key.expiresAt ? moment(key.expiresAt) : 'never'],
          ['Operations', key.operations ? key.operations.join(', ') : 'all'],
        ]}
      />
    </section>
  );
}

function Charges({ usage }: { usage: AccountUsage }) {
  const rows = byDayAndOperation(usage.days);
  const total = rows.reduce((sum, r) => sum + r.credits, 0);
  const requests = rows.reduce((sum, r) => sum + r.requests, 0);
  const save = (): void =>
    download(
      `usage-${usage.from}-${usage.to}.csv`,
      'text/csv',
      csvOf({ columns: ['day', 'operation', 'requests', 'credits'], rows: rows.map((r) => [r.day, r.operation, r.requests, r.credits]) }),
    );
  return (
    <>
      <section class="panel" aria-label="Credits charged">
        <p>
          {plural(total, 'credit')} charged for {plural(requests, 'request')} from {usage.from} to {usage.to} (UTC).
        </p>
        <Columns title="Credits by day" bars={creditsByDay(usage)} format={number} heads={['Day', 'Credits']} />
        <Bars title="Credits by operation" bars={creditsByOperation(rows)} format={number} heads={['Operation', 'Credits']} />
      </section>
      <section class="panel" aria-label="By day and operation">
        <div class="toolbar">
          <h2>By day and operation</h2>
          <button type="button" class="quiet" onClick={save}>
            Download CSV
          </button>
        </div>
        <DataTable
          caption="Requests and credits by day and operation"
          rows={rows}
          keyOf={(r) => `${r.day} ${r.operation}`}
          none="No requests in these days."
          columns={[
            { name: 'Day', of: (r) => r.day },
            { name: 'Operation', of: (r) => r.operation },
            { name: 'Requests', numeric: true, of: (r) => number(r.requests) },
            { name: 'Errors', numeric: true, of: (r) => number(r.errors) },
            { name: 'Credits', numeric: true, of: (r) => number(r.credits) },
          ]}
        />
      </section>
    </>
  );
}

/** Balance, and credits charged by day and operation. */
export function Usage() {
  const from = useSignal(dayBefore(29));
  const to = useSignal(dayBefore(0));
  const account = useLoaded(async (signal) => {
    const { data, credits: left } = await accountClient().account.get({ signal }).withResponse();
    if (left.remaining !== null) credits.value = left.remaining;
    return data;
  }, []);
  const usage = useLoaded(
    async (signal) => {
      const query = { from: from.value, to: to.value, limit: 10_000 };
      const days: AccountUsage['days'] = [];
      for await (const entry of accountClient().account.usage.all(query, { signal })) days.push(entry);
      return { from: from.value, to: to.value, days, after: null, hasMore: false };
    },
    [from.value, to.value],
  );
  return (
    <Page title="Usage" ofAccount>
      <Show loaded={account.loaded}>{(value) => <Balance account={value} />}</Show>
      <div class="toolbar">
        {(
          [
            ['From', from],
            ['To', to],
          ] as const
        ).map(([name, value]) => (
          <label key={name}>
            {name}
            <input
              type="date"
              required
              value={value.value}
              onChange={(e) => {
                if (e.currentTarget.value) value.value = e.currentTarget.value;
              }}
            />
          </label>
        ))}
      </div>
      <Show loaded={usage.loaded}>{(value) => <Charges usage={value} />}</Show>
    </Page>
  );
}
