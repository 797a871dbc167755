import { signal } from '@preact/signals';
import type { Account } from '../../contract/account/schemas.ts';
import type { ConsoleSession, ContractView } from '../../contract/contract-view.ts';
import { ApiError, api } from './api.ts';
import { addressOf, go, place } from './place.ts';

export type Credentials = { readonly code: string } | { readonly apiKey: string } | { readonly adminToken: string };

/** Undefined while it is not known; null when signed out. */
export const session = signal<ConsoleSession | null | undefined>(undefined);
export const contract = signal<ContractView | null>(null);
/** The key that the person signed in with, for snippets. It is held in memory alone and is gone after a reload. */
export const apiKey = signal<string | null>(null);
/** Credits of the account, as the last answer stated them. */
export const credits = signal<number | null>(null);
export const signInError = signal<string | null>(null);

/** The contract needs no session: it is requested beside the sign-in. */
let contractComing: Promise<ContractView> | null = null;
async function readContract(): Promise<void> {
  contractComing ??= api<ContractView>('/console/api/contract');
  try {
    contract.value = await contractComing;
  } catch (error) {
    contractComing = null;
    throw error;
  }
}

async function enter(entered: ConsoleSession): Promise<void> {
  await readContract();
  // only an operator works as an account
  if (entered.kind === 'account' && place.value.account !== null) go(addressOf({ ...place.value, account: null }), { replace: true });
  session.value = entered;
}

export async function signIn(given: Credentials): Promise<void> {
  signInError.value = null;
  const entered = await api<ConsoleSession>('/console/api/session', { method: 'POST', body: given });
  apiKey.value = 'apiKey' in given ? given.apiKey : null;
  await enter(entered);
}

export async function readCredits(): Promise<void> {
  const { account } = place.value;
  if (session.value?.kind === 'operator' && account === null) {
    credits.value = null;
    return;
  }
  const { balance, held } = (await api<Account>('/v1/account')).credits;
  if (account === place.value.account) credits.value = balance - held;
}

/** Signs in with the one-time code of the address, or continues the session of the cookie. The code leaves the address at once. */
export async function resume(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code');
  if (code !== null) history.replaceState(history.state, '', location.pathname + location.search);
  // a failure is met where the contract is awaited
  readContract().catch(() => undefined);
  try {
    if (code !== null) await signIn({ code });
    else await enter(await api<ConsoleSession>('/console/api/session'));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (code !== null || error.status !== 401) signInError.value = error.message;
    // the sign-in asks for the credential of this entrance
    await readContract().catch(() => undefined);
    session.value = null;
  }
}

export async function signOut(): Promise<void> {
  await api('/console/api/session', { method: 'DELETE' }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
  });
  forget();
}

/** The session ended at the service. The address keeps the page and the form; the sign-in says so. */
export function sessionEnded(): void {
  if (!session.value) return;
  signInError.value = 'Your session has ended. Sign in again: this page and what you typed are kept.';
  forget();
}

export function forget(): void {
  apiKey.value = null;
  credits.value = null;
  session.value = null;
}
