import { signal } from '@preact/signals';
import type { ConsoleSession } from '../../contract/console-session.ts';
import type { ContractView } from '../../contract/contract-view.ts';
import { ApiError, actingFor, api } from './api.ts';

export type Credentials = { readonly code: string } | { readonly apiKey: string } | { readonly adminToken: string };

/** Undefined while it is not known; null when signed out. */
export const session = signal<ConsoleSession | null | undefined>(undefined);
export const contract = signal<ContractView | null>(null);
/** The key that the person signed in with, for snippets. It is held in memory alone and is gone after a reload. */
export const apiKey = signal<string | null>(null);
/** Credits of the account, as the last answer stated them. */
export const credits = signal<number | null>(null);
/** Why the person has to sign in. */
export const signInError = signal<string | null>(null);

/** The contract needs no session: it is requested beside the sign-in. */
let contractComing: Promise<ContractView> | null = null;
const readContract = (): Promise<ContractView> => {
  contractComing ??= api<ContractView>('/console/api/contract').catch((error: unknown) => {
    contractComing = null;
    throw error;
  });
  return contractComing;
};

async function enter(entered: ConsoleSession): Promise<void> {
  contract.value ??= await readContract();
  if (entered.kind === 'account') actingFor.value = null;
  session.value = entered;
}

export async function signIn(given: Credentials): Promise<void> {
  signInError.value = null;
  const entered = await api<ConsoleSession>('/console/api/session', { method: 'POST', body: given });
  apiKey.value = 'apiKey' in given ? given.apiKey : null;
  await enter(entered);
}

/** Signs in with the one-time code of the address, or continues the session of the cookie. The code leaves the address at once. */
export async function resume(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(null, '', location.pathname + location.search);
  // a failure is met where the contract is awaited
  readContract().catch(() => undefined);
  try {
    if (code !== null) await signIn({ code });
    else await enter(await api<ConsoleSession>('/console/api/session'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (code !== null || error.status !== 401) signInError.value = error.message;
    session.value = null;
  }
}

export async function signOut(): Promise<void> {
  await api('/console/api/session', { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  });
  forget();
}

/** What this page knows of the session is dropped: it ended here or at the service. */
export function forget(): void {
  apiKey.value = null;
  credits.value = null;
  actingFor.value = null;
  session.value = null;
}
