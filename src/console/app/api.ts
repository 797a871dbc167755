import { place } from './place.ts';

/** An error answer of the service: its code and words. Without an answer the code is `UNREACHABLE`. */
export class ApiError extends Error {
  readonly code: string;
  /** 0 without an answer. */
  readonly status: number;
  constructor(code: string, status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
  }
}

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export function withQuery(path: string, query: ApiRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length ? `${path}?${new URLSearchParams(pairs)}` : path;
}

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
/** Sends a request and reads its JSON. */
export const api = async <T>(path: string, request: ApiRequest = {}): Promise<T> => (await received(path, request)).json() as Promise<T>;
