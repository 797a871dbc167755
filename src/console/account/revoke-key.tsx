import { useSignal } from '@preact/signals';
import type { ListedKey } from '../../contract/admin/schemas.ts';
import { api, session } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { admin } from '../parts/admin.tsx';
import { plural } from '../parts/format.ts';
import { useLoaded } from '../parts/page.tsx';
import { watchPath } from '../watches/watch.tsx';

/** Revokes a key. It says first how many watches stop with it, and offers to take them over. */
export function RevokeKey({ of: { keyId, label }, done }: { of: ListedKey; done: () => unknown }) {
  const isOpen = useSignal(false);
  const count = (signal?: AbortSignal) => admin('previewRevokeKey', { keyId }, signal);
  const { loaded, value: here } = useLoaded(async (signal) => (isOpen.value ? count(signal) : null), [keyId, isOpen.value]);
  const stops = here?.watchIds.length ?? 0;
  // what this session takes over would end with it
  const endsHere = here?.keyIds.includes(session.value?.keyId ?? '') === true;
  const words = here
    ? stops === 0
      ? 'No watch stops with it.'
      : `${plural(stops, 'watch stops', 'watches stop')} with it.`
    : (loaded.failed ?? 'Counting its watches…');
  return (
    <Act
      name="Revoke"
      of={label || keyId}
      style="danger"
      says="It, its sessions and the keys that it made are refused from now on. This cannot be undone."
      opens={() => (isOpen.value = true)}
      form={
        <p role="status">
          <strong>{words}</strong>
          {stops > 0 && endsHere && ' This session ends with it too: sign in with another key that manages the account to take them over.'}
        </p>
      }
      ask={
        stops > 0 && !endsHere
          ? [
              {
                ...{ id: 'watches', name: 'Its watches', required: true, value: 'take' },
                choices: [
                  ['take', 'Take them over: from now on they are paid by this session'],
                  ['stop', 'Let them stop: each says so once, and can be taken over later'],
                ],
              },
            ]
          : []
      }
      run={async (form) => {
        const { watchIds } = here ?? (await count());
        if (!here && watchIds.length > 0)
          throw new Error(`${plural(watchIds.length, 'watch stops', 'watches stop')} with it: say what becomes of them.`);
        // before the key ends, so that no check is missed
        if (form.get('watches') === 'take')
          for (const watchId of watchIds) await api(watchPath(watchId), { method: 'PATCH', body: { takeOver: true } });
        await admin('revokeKey', { keyId, stopWatches: true });
      }}
      done={done}
    />
  );
}
