import { actingFor, api } from '../app/api.ts';

/** As the service states a key; instants are RFC 3339. */
export interface Key {
  readonly keyId: string;
  readonly label: string;
  /** First characters of the key. */
  readonly hint: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  readonly operations: readonly string[] | null;
  readonly addresses: readonly string[] | null;
  readonly creditsPerDay: number | null;
  readonly creditsPerMonth: number | null;
  readonly ratePerSecond: number | null;
  readonly rateBurst: number | null;
  readonly replacedBy: string | null;
  /** Key, or session opened by a link, that made it; null: the operator. */
  readonly madeBy: string | null;
  /** It may make, change, replace and revoke keys. */
  readonly manages: boolean;
}
/** A key of the list, in which each key follows the one that made it. */
export interface ListedKey extends Key {
  /** Number of makers above it. */
  readonly depth: number;
}
/** The only answer with the secret. */
export interface NewKey extends Key {
  readonly key: string;
}
export type KeyLimits = Pick<
  Key,
  'label' | 'expiresAt' | 'operations' | 'addresses' | 'creditsPerDay' | 'creditsPerMonth' | 'ratePerSecond' | 'rateBurst'
>;

/** The holder manages the keys of the own account; an operator those of the account that is chosen, by the admin API. */
const base = (): string => (actingFor.value === null ? '/console/api/keys' : '/keys');
const owner = () => (actingFor.value === null ? {} : { accountId: actingFor.value });

export const listKeys = (signal: AbortSignal): Promise<readonly ListedKey[]> => api(base(), { query: owner(), signal });
export const createKey = (limits: KeyLimits, manage: boolean): Promise<NewKey> =>
  api(base(), { method: 'POST', body: { ...owner(), ...limits, manage } });
export const editKey = (keyId: string, limits: KeyLimits): Promise<Key> => api(`${base()}/${keyId}`, { method: 'PATCH', body: limits });
export const rerollKey = (keyId: string, graceMs: number): Promise<NewKey> =>
  api(`${base()}/${keyId}/reroll`, { method: 'POST', body: { graceMs } });
export const revokeKey = (keyId: string): Promise<Key> => api(`${base()}/${keyId}/revoke`, { method: 'POST', body: {} });
