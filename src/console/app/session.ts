import { signal } from '@preact/signals';
import type { Account } from '../../contract/account/schemas.ts';
import type { Watches } from '../../contract/account/watch-schemas.ts';
import type { ConsoleSession, ContractView } from '../../contract/contract-view.ts';
import { addressOf, go, place } from './place.ts';

/** An error answer of the service: its code and words. Without an answer the code is `UNREACHABLE`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  /** 0 without an answer. */
  readonly status: number;
  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export function withQuery(path: string, query: ApiRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => ((value ?? '') === '' ? [] : [[name, String(value)]]));
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/** A path with the values of its `{name}`. */
export const filled = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')));

/**
 * Sends a request with the session's cookie. The browser's HTTP cache is passed by, so that every answer states its own charge; the neutral
 * `max-stale=0` keeps fetch from adding `no-cache`, which would order a new lookup.
 */
export async function send(path: string, { method = 'GET', query, body, headers, signal }: ApiRequest = {}): Promise<Response> {
  // the account that an operator works as; a session of an account names its own
  const { account } = place.value;
  try {
    return await fetch(withQuery(path, query), {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      headers: {
        Accept: 'application/json',
        'Cache-Control': 'max-stale=0',
        'X-Sightline-Console': '1',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(account !== null && path.startsWith('/v1/') && { 'X-Sightline-Account': account }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError('UNREACHABLE', 0, 'The service did not answer. Is it still running?');
  }
}

export function errorIn(status: number, body: unknown): { readonly code: string; readonly message: string } {
  const { code, message } = ((body as { error?: { code?: unknown; message?: unknown } } | null)?.error ?? {}) as Record<string, unknown>;
  return {
    code: typeof code === 'string' ? code : 'UNEXPECTED',
    message: typeof message === 'string' ? message : `The service answered ${status} without an error that can be read.`,
  };
}

/** Sends a request. Throws ApiError for every answer that is not 2xx. */
export async function received(path: string, request: ApiRequest = {}): Promise<Response> {
  const response = await send(path, request);
  if (response.ok) return response;
  const { code, message } = errorIn(response.status, await response.json().catch(() => null));
  throw new ApiError(code, response.status, message);
}
/** The JSON of an answer; undefined of one without a body. */
export async function api<T>(path: string, request: ApiRequest = {}): Promise<T> {
  const response = await received(path, request);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

/** Undefined while it is not known; null when signed out. */
export const session = signal<ConsoleSession | null | undefined>(undefined);
export const contract = signal<ContractView | null>(null);
/** The account whose things are shown: that of the session, or the one that an operator works as. */
export const accountHere = (): string => place.value.account ?? session.value?.accountId ?? '';
/** The key that the person signed in with, for snippets. It is held in memory alone and is gone after a reload. */
export const apiKey = signal<string | null>(null);
/** Credits of the account, as the last answer stated them. */
export const credits = signal<number | null>(null);
/** Dates of watched domains that are near or over; null: not known. */
export const dueSoon = signal<number | null>(null);
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

export async function signIn(
  given: { code: string } | { apiKey: string } | { operatorKey: string } | { adminToken: string },
): Promise<void> {
  signInError.value = null;
  const entered = await api<ConsoleSession>('/console/api/session', { method: 'POST', body: given });
  apiKey.value = 'apiKey' in given ? given.apiKey : null;
  await enter(entered);
}

/** A page without the number is no failure: what could not be read is not known. */
export async function readCredits(): Promise<void> {
  const { account } = place.value;
  const hasAccount = session.value?.kind === 'account' || account !== null;
  const read = hasAccount ? await api<Account>('/v1/account').catch(() => null) : null;
  if (account === place.value.account) credits.value = read && read.credits.balance - read.credits.held;
}

export async function readDueSoon(): Promise<void> {
  const { account } = place.value;
  const hasAccount = session.value?.kind === 'account' || account !== null;
  const read = hasAccount ? await api<Watches>('/v1/account/watches', { query: { limit: 1 } }).catch(() => null) : null;
  if (account === place.value.account) dueSoon.value = read?.dueSoon ?? null;
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

/** A session that only reads makes no key, watch or target: the service refuses it. */
export const mayManage = (): boolean => session.value?.kind !== 'account' || session.value.manages;

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
  dueSoon.value = null;
  session.value = null;
}
