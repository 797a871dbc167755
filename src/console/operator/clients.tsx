import { useSignal } from '@preact/signals';
import { actingFor, api } from '../app/api.ts';
import { contract } from '../app/session.ts';
import { moment } from '../parts/format.ts';
import { ActionDialog, Input } from '../parts/inputs.tsx';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { DataTable } from '../parts/table.tsx';
import type { Client } from './admin-api.ts';

function CreateClient({ done, onClose }: { done: (secret: string) => void; onClose: () => void }) {
  const label = useSignal('');
  const scopes = useSignal<ReadonlySet<string>>(new Set());
  const toggle = (id: string): void => {
    const next = new Set(scopes.value);
    if (!next.delete(id)) next.add(id);
    scopes.value = next;
  };
  return (
    <ActionDialog
      title="Create an OAuth client"
      action="Create"
      onClose={onClose}
      run={async () => {
        const body = { accountId: actingFor.value, label: label.value, scopes: scopes.value.size ? [...scopes.value] : null };
        done((await api<Client & { readonly clientSecret: string }>('/clients', { method: 'POST', body })).clientSecret);
      }}
    >
      <Input name="Label" value={label} />
      <fieldset>
        <legend>Scopes; none chosen: all</legend>
        <div class="choices">
          {[...(contract.value?.areas.map((a) => a.id) ?? []), 'account'].map((id) => (
            <label key={id}>
              <input type="checkbox" checked={scopes.value.has(id)} onChange={() => toggle(id)} /> {id}
            </label>
          ))}
        </div>
      </fieldset>
    </ActionDialog>
  );
}

/** OAuth clients: create, revoke. */
export function Clients() {
  const { loaded, reload } = useLoaded(
    (signal) => api<readonly Client[]>('/clients', { query: { accountId: actingFor.value }, signal }),
    [actingFor.value],
  );
  const creating = useSignal(false);
  const secret = useSignal<string | null>(null);
  const revoking = useSignal<Client | null>(null);
  return (
    <Page
      title="OAuth clients"
      ofAccount
      actions={
        <button
          type="button"
          class="primary"
          onClick={() => {
            creating.value = true;
          }}
        >
          Create a client
        </button>
      }
    >
      <section class="panel" aria-label="OAuth clients">
        <Show loaded={loaded}>
          {(clients) => (
            <DataTable
              caption="OAuth clients"
              rows={clients}
              keyOf={(c) => c.clientId}
              none="No clients."
              columns={[
                {
                  name: 'Client',
                  of: (c) => (
                    <>
                      <strong>{c.label || 'no label'}</strong>
                      <br />
                      <code class="small">{c.clientId}</code>
                    </>
                  ),
                },
                { name: 'Scopes', of: (c) => c.scopes?.join(', ') ?? 'all' },
                {
                  name: 'State',
                  of: (c) => (c.revokedAt ? `revoked ${moment(c.revokedAt)}` : c.expiresAt ? `ends ${moment(c.expiresAt)}` : 'valid'),
                },
                { name: 'Created', of: (c) => moment(c.createdAt) },
                { name: 'Last used', of: (c) => (c.lastUsedAt ? moment(c.lastUsedAt) : 'never') },
                {
                  name: 'Actions',
                  of: (c) =>
                    c.revokedAt === null && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={`Revoke ${c.label || c.clientId}`}
                        onClick={() => {
                          revoking.value = c;
                        }}
                      >
                        Revoke
                      </button>
                    ),
                },
              ]}
            />
          )}
        </Show>
      </section>
      {creating.value && (
        <CreateClient
          done={(made) => {
            secret.value = made;
            void reload();
          }}
          onClose={() => {
            creating.value = false;
          }}
        />
      )}
      {secret.value !== null && (
        <SecretDialog
          title="The secret of the new client"
          secret={secret.value}
          onClose={() => {
            secret.value = null;
          }}
        />
      )}
      {revoking.value && (
        <ActionDialog
          title={`Revoke ${revoking.value.label || revoking.value.clientId}`}
          action="Revoke"
          dangerous
          onClose={() => {
            revoking.value = null;
          }}
          run={async () => {
            await api(`/clients/${encodeURIComponent(revoking.value?.clientId ?? '')}/revoke`, { method: 'POST', body: {} });
            await reload();
          }}
        >
          <p>The client and all of its tokens are refused from now on. This cannot be undone.</p>
        </ActionDialog>
      )}
    </Page>
  );
}
