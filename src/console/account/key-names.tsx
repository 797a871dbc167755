import { signal } from '@preact/signals';
import { place } from '../app/place.ts';
import { session } from '../app/session.ts';
import { admin, owner } from '../parts/admin.tsx';
import type { Filter } from '../parts/filters.tsx';
import type { Column } from '../parts/table.tsx';

/** What stands in place of a key where a session or the operator sent the request. */
const SESSIONS: ReadonlyMap<string, string> = new Map([
  ['console', 'Console'],
  ['operator', 'Operator'],
]);
const NONE = { account: '', names: new Map<string, string>() };
/** Labels of the keys and OAuth clients of an account by their ids, as they were read last. */
const known = signal(NONE);
const namesHere = (): ReadonlyMap<string, string> => (known.value.account === (place.value.account ?? '') ? known.value : NONE).names;

/** What a key is called: its label, else its first and last characters. */
export const keyLabel = ({ label, hint }: { readonly label: string; readonly hint: string }): string => label || hint;

/** Reads the labels again where an id is new. Ids without a label stand for themselves: OAuth clients, which the operator alone reads. */
export async function readKeyNames(rows: readonly { readonly keyId: string | null }[], ended: AbortSignal): Promise<void> {
  const names = namesHere();
  if (rows.every(({ keyId }) => keyId === null || SESSIONS.has(keyId) || names.has(keyId))) return;
  const [keys, clients] = await Promise.all([
    admin('listKeys', owner(), ended),
    session.value?.kind === 'operator' ? admin('listClients', owner(), ended) : [],
  ]);
  const read = new Map(rows.flatMap(({ keyId }) => (keyId === null ? [] : [[keyId, keyId] as const])));
  for (const key of keys) read.set(key.keyId, keyLabel(key));
  for (const { clientId, label } of clients) read.set(clientId, label || clientId);
  known.value = { account: place.value.account ?? '', names: read };
}

export const keyName = (id: string): string => SESSIONS.get(id) ?? namesHere().get(id) ?? id;
export const KeyName = ({ id }: { id: string }) => <span title={id}>{keyName(id)}</span>;

type Keyed = { readonly keyId: string | null };
/** The key of a row by its label; its id is a column that can be chosen. */
export const KEY_COLUMNS: readonly Column<Keyed>[] = [
  { id: 'key', name: 'Key', value: (r) => r.keyId && keyName(r.keyId), of: (r) => r.keyId && <KeyName id={r.keyId} />, roomy: true },
  { id: 'keyid', name: 'Key id', as: 'code', value: (r) => r.keyId, hidden: true },
];

/** A filter by key, with the keys that were read. */
export function keyFilter(): Filter {
  const choices = [...SESSIONS, ...namesHere()];
  return { id: '_key', name: 'Key', choices };
}
