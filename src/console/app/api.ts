import { signal } from '@preact/signals';

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

/** The account that an operator acts for; null for the holder of an account, whose session names it. */
export const actingFor = signal<string | null>(null);

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The path with its query; empty values are left out. */
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
        ...(actingFor.value !== null && path.startsWith('/v1/') && { 'X-Sightline-Account': actingFor.value }),
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

/** The error that an answer states. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    return new ApiError(error.code, response.status, error.message);
  } catch {
    return new ApiError('UNEXPECTED', response.status, `The service answered ${response.status} without an error that can be read.`);
  }
}

/** Sends a request and reads its JSON. Throws ApiError for every answer that is not 2xx. */
export async function api<T>(path: string, request: ApiRequest = {}): Promise<T> {
  const response = await send(path, request);
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as T;
}
