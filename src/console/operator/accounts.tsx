import { useSignal } from '@preact/signals';
import { actingFor, api } from '../app/api.ts';
import { moment, number } from '../parts/format.ts';
import { ActionDialog, Input } from '../parts/inputs.tsx';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { DataTable } from '../parts/table.tsx';
import type { AccountSummary } from './admin-api.ts';

function CreateAccount({ done, onClose }: { done: () => Promise<void>; onClose: () => void }) {
  const name = useSignal('');
  const credits = useSignal('');
  return (
    <ActionDialog
      title="Create an account"
      action="Create"
      onClose={onClose}
      run={async () => {
        await api('/accounts', { method: 'POST', body: { name: name.value, ...(credits.value && { credits: Number(credits.value) }) } });
        await done();
      }}
    >
      <Input name="Name" value={name} required />
      <Input name="Credits" type="number" value={credits} about="Empty: the free credits of a new account." />
    </ActionDialog>
  );
}

/** All accounts with their credits. */
export function Accounts() {
  const { loaded, reload } = useLoaded((signal) => api<readonly AccountSummary[]>('/accounts', { signal }), []);
  const creating = useSignal(false);
  return (
    <Page
      title="Accounts"
      actions={
        <button
          type="button"
          class="primary"
          onClick={() => {
            creating.value = true;
          }}
        >
          Create an account
        </button>
      }
    >
      <section class="panel" aria-label="Accounts">
        <Show loaded={loaded}>
          {(accounts) => (
            <DataTable
              caption="Accounts"
              rows={accounts}
              keyOf={(a) => a.accountId}
              none="No accounts."
              columns={[
                { name: 'Name', of: (a) => <a href={`/console/accounts/${encodeURIComponent(a.accountId)}`}>{a.name}</a> },
                { name: 'Id', of: (a) => <code>{a.accountId}</code> },
                {
                  name: 'State',
                  of: (a) =>
                    a.suspendedAt ? (
                      <span class="label bad">suspended {moment(a.suspendedAt)}</span>
                    ) : (
                      <span class="label good">active</span>
                    ),
                },
                { name: 'Credits', numeric: true, of: (a) => number(a.balance) },
                { name: 'Held', numeric: true, of: (a) => number(a.held) },
                { name: 'Created', of: (a) => moment(a.createdAt) },
                {
                  name: 'Actions',
                  of: (a) =>
                    actingFor.value === a.accountId ? (
                      'chosen'
                    ) : (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Choose ${a.name}`}
                        onClick={() => {
                          actingFor.value = a.accountId;
                        }}
                      >
                        Choose
                      </button>
                    ),
                },
              ]}
            />
          )}
        </Show>
      </section>
      {creating.value && (
        <CreateAccount
          done={reload}
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
    </Page>
  );
}
