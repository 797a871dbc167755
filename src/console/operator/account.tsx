import { useSignal } from '@preact/signals';
import { useLocation, useRoute } from 'preact-iso/router';
import { actingFor, api } from '../app/api.ts';
import { moment, number } from '../parts/format.ts';
import { ActionDialog, Input } from '../parts/inputs.tsx';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { Facts } from '../parts/stated.tsx';
import type { AccountSummary } from './admin-api.ts';

type Action = 'grant' | 'rename' | 'suspend' | 'resume' | 'delete';
const NAMES: Readonly<Record<Action, string>> = {
  grant: 'Grant or take credits',
  rename: 'Rename',
  suspend: 'Suspend',
  resume: 'Resume',
  delete: 'Delete',
};

interface FormProps {
  readonly account: AccountSummary;
  readonly path: string;
  readonly done: () => Promise<void>;
  readonly onClose: () => void;
}

function Grant({ account, path, done, onClose }: FormProps) {
  const credits = useSignal('');
  const note = useSignal('');
  const reference = useSignal('');
  return (
    <ActionDialog
      title={`Credits of ${account.name}`}
      action="Write to the ledger"
      onClose={onClose}
      run={async () => {
        const body = { credits: Number(credits.value), note: note.value, ...(reference.value && { reference: reference.value }) };
        await api(`${path}/grants`, { method: 'POST', body });
        await done();
      }}
    >
      <Input name="Credits" type="number" value={credits} required about="A negative number takes credits." />
      <Input name="Reason" value={note} required about="It is written to the ledger, where the holder reads it." />
      <Input name="Reference" value={reference} about="Optional: the same reference is applied once." />
    </ActionDialog>
  );
}

function Rename({ account, path, done, onClose }: FormProps) {
  const name = useSignal(account.name);
  return (
    <ActionDialog
      title={`Rename ${account.name}`}
      action="Rename"
      onClose={onClose}
      run={async () => {
        await api(path, { method: 'PATCH', body: { name: name.value } });
        await done();
      }}
    >
      <Input name="Name" value={name} required />
    </ActionDialog>
  );
}

function Confirm({ account, path, done, onClose, action }: FormProps & { readonly action: 'suspend' | 'resume' }) {
  return (
    <ActionDialog
      title={`${NAMES[action]} ${account.name}`}
      action={NAMES[action]}
      dangerous={action === 'suspend'}
      onClose={onClose}
      run={async () => {
        await api(`${path}/${action}`, { method: 'POST', body: {} });
        await done();
      }}
    >
      <p>{action === 'suspend' ? 'Its keys and clients are refused until it is resumed.' : 'Its keys and clients work again.'}</p>
    </ActionDialog>
  );
}

/** Deletion asks for the name of the account. */
function Delete({ account, path, onClose }: FormProps) {
  const typed = useSignal('');
  const { route } = useLocation();
  return (
    <ActionDialog
      title={`Delete ${account.name}`}
      action="Delete for good"
      dangerous
      onClose={onClose}
      run={async () => {
        if (typed.value !== account.name) throw new Error(`Type the name of the account, ${account.name}, to confirm.`);
        await api(path, { method: 'DELETE' });
        if (actingFor.value === account.accountId) actingFor.value = null;
        route('/console/accounts');
      }}
    >
      <p>
        Its keys and clients are revoked, its {number(account.balance)} free credits and its name are removed. Ledger, audit log and usage
        stay. This cannot be undone.
      </p>
      <Input name="Name of the account" value={typed} required />
    </ActionDialog>
  );
}

function Details({ account, path, done }: Omit<FormProps, 'onClose'>) {
  const open = useSignal<Action | null>(null);
  const form = {
    account,
    path,
    done,
    onClose: () => {
      open.value = null;
    },
  };
  const actions: readonly Action[] = ['grant', 'rename', account.suspendedAt ? 'resume' : 'suspend', 'delete'];
  return (
    <section class="panel" aria-label="Account">
      <Facts
        facts={[
          ['Name', account.name],
          ['Id', <code key="id">{account.accountId}</code>],
          ['Created', moment(account.createdAt)],
          ['Free credits', number(account.balance)],
          ['Held', number(account.held)],
          ['State', account.suspendedAt ? `suspended since ${moment(account.suspendedAt)}` : 'active'],
        ]}
      />
      <div class="actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            class={action === 'delete' ? 'danger' : undefined}
            onClick={() => {
              open.value = action;
            }}
          >
            {NAMES[action]}
          </button>
        ))}
      </div>
      <nav aria-label="Of this account">
        <ul class="actions">
          {['usage', 'ledger', 'requests', 'keys'].map((page) => (
            <li key={page}>
              <a
                href={`/console/${page}`}
                onClick={() => {
                  actingFor.value = account.accountId;
                }}
              >
                {page.charAt(0).toUpperCase() + page.slice(1)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {open.value === 'grant' && <Grant {...form} />}
      {open.value === 'rename' && <Rename {...form} />}
      {(open.value === 'suspend' || open.value === 'resume') && <Confirm {...form} action={open.value} />}
      {open.value === 'delete' && <Delete {...form} />}
    </section>
  );
}

/** One account: its state, its credits and what the operator can do with it. */
export function Account() {
  const { params } = useRoute();
  const path = `/accounts/${encodeURIComponent(params.accountId ?? '')}`;
  const { loaded, reload } = useLoaded((signal) => api<AccountSummary>(path, { signal }), [path]);
  return (
    <Page title="Account">
      <p>
        <a href="/console/accounts">All accounts</a>
      </p>
      <Show loaded={loaded}>{(account) => <Details account={account} path={path} done={reload} />}</Show>
    </Page>
  );
}
