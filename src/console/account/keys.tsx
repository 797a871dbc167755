import { useSignal } from '@preact/signals';
import { session } from '../app/session.ts';
import { moment, number } from '../parts/format.ts';
import { ActionDialog } from '../parts/inputs.tsx';
import { Show, useLoaded } from '../parts/load.tsx';
import { Page } from '../parts/page.tsx';
import { SecretDialog } from '../parts/secret.tsx';
import { DataTable } from '../parts/table.tsx';
import { createKey, editKey, type Key, listKeys, rerollKey, revokeKey } from './key-api.ts';
import { KeyForm } from './key-form.tsx';

const GRACES = [
  [0, 'Revoke it now'],
  [3_600_000, 'Valid for another hour'],
  [86_400_000, 'Valid for another day'],
  [604_800_000, 'Valid for another week'],
] as const;

/** What limits a key, in words. */
function limitsOf(key: Key): string {
  const limits = [
    key.operations?.join(', '),
    key.addresses && `from ${key.addresses.join(', ')}`,
    key.creditsPerDay !== null && `${number(key.creditsPerDay)} credits a day`,
    key.creditsPerMonth !== null && `${number(key.creditsPerMonth)} credits a month`,
    key.ratePerSecond !== null && `${number(key.ratePerSecond)} requests a second`,
    key.rateBurst !== null && `${number(key.rateBurst)} at once`,
  ];
  return limits.filter(Boolean).join(' · ') || 'none';
}
const stateOf = (key: Key): string =>
  key.revokedAt !== null ? `revoked ${moment(key.revokedAt)}` : key.expiresAt !== null ? `ends ${moment(key.expiresAt)}` : 'valid';

type Open =
  | { readonly what: 'create' }
  | { readonly what: 'edit' | 'reroll' | 'revoke'; readonly key: Key }
  | { readonly what: 'secret'; readonly secret: string };

function Reroll({ subject, done, onClose }: { subject: Key; done: (secret: string) => void; onClose: () => void }) {
  const grace = useSignal(0);
  return (
    <ActionDialog
      title={`Replace ${subject.label || subject.keyId}`}
      action="Make the new key"
      onClose={onClose}
      run={async () => done((await rerollKey(subject.keyId, grace.value)).key)}
    >
      <p>A new key with the same rights, limits and spent credits takes its place.</p>
      <fieldset>
        <legend>The old key</legend>
        {GRACES.map(([ms, words]) => (
          <p key={ms}>
            <label>
              <input
                type="radio"
                name="grace"
                checked={grace.value === ms}
                onChange={() => {
                  grace.value = ms;
                }}
              />{' '}
              {words}
            </label>
          </p>
        ))}
      </fieldset>
    </ActionDialog>
  );
}

/** The keys of the account: create, limit, replace, revoke. */
export function Keys() {
  const { loaded, reload } = useLoaded(listKeys, []);
  const open = useSignal<Open | null>(null);
  const close = (): void => {
    if (open.value?.what !== 'secret') open.value = null;
  };
  const showSecret = (secret: string): void => {
    open.value = { what: 'secret', secret };
    void reload();
  };
  const now = open.value;
  const mayChange = session.value?.kind === 'operator' || session.value?.manages === true;
  return (
    <Page
      title="Keys"
      ofAccount
      actions={
        mayChange && (
          <button
            type="button"
            class="primary"
            onClick={() => {
              open.value = { what: 'create' };
            }}
          >
            Create a key
          </button>
        )
      }
    >
      <section class="panel" aria-label="Keys">
        <Show loaded={loaded}>
          {(keys) => (
            <DataTable
              caption="Keys of the account"
              rows={keys}
              keyOf={(k) => k.keyId}
              none="No keys."
              columns={[
                {
                  name: 'Key',
                  of: (k) => (
                    <div style={{ paddingInlineStart: `${k.depth * 1.25}rem` }}>
                      <strong>{k.label || 'no label'}</strong>
                      <br />
                      <span class="small">
                        {k.keyId} · <code>{k.hint}…</code>
                        {k.manages && ' · manages keys'}
                        {k.madeBy !== null && ` · made by ${k.madeBy}`}
                      </span>
                    </div>
                  ),
                },
                { name: 'State', of: stateOf },
                { name: 'Limits', of: limitsOf },
                { name: 'Created', of: (k) => moment(k.createdAt) },
                { name: 'Last used', of: (k) => (k.lastUsedAt ? moment(k.lastUsedAt) : 'never') },
                {
                  name: 'Actions',
                  of: (k) =>
                    mayChange &&
                    k.revokedAt === null && (
                      <div class="actions">
                        {(['edit', 'reroll', 'revoke'] as const).map((what) => (
                          <button
                            key={what}
                            type="button"
                            class="quiet"
                            aria-label={`${{ edit: 'Edit', reroll: 'Replace', revoke: 'Revoke' }[what]} ${k.label || k.keyId}`}
                            onClick={() => {
                              open.value = { what, key: k };
                            }}
                          >
                            {{ edit: 'Edit', reroll: 'Replace', revoke: 'Revoke' }[what]}
                          </button>
                        ))}
                      </div>
                    ),
                },
              ]}
            />
          )}
        </Show>
      </section>
      {now?.what === 'create' && (
        <KeyForm
          title="Create a key"
          action="Create"
          given={null}
          onClose={close}
          save={async (limits, manage) => showSecret((await createKey(limits, manage)).key)}
        />
      )}
      {now?.what === 'edit' && (
        <KeyForm
          title={`Edit ${now.key.label || now.key.keyId}`}
          action="Save"
          given={now.key}
          onClose={close}
          save={async (limits) => {
            await editKey(now.key.keyId, limits);
            await reload();
          }}
        />
      )}
      {now?.what === 'reroll' && <Reroll subject={now.key} done={showSecret} onClose={close} />}
      {now?.what === 'revoke' && (
        <ActionDialog
          title={`Revoke ${now.key.label || now.key.keyId}`}
          action="Revoke"
          dangerous
          onClose={close}
          run={async () => {
            await revokeKey(now.key.keyId);
            await reload();
          }}
        >
          <p>Requests with this key and with the keys that it made are refused from now on, and its sessions end. This cannot be undone.</p>
        </ActionDialog>
      )}
      {now?.what === 'secret' && (
        <SecretDialog
          title="The new key"
          secret={now.secret}
          onClose={() => {
            open.value = null;
          }}
        />
      )}
    </Page>
  );
}
