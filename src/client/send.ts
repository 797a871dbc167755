import { type Answer, answerOf, numberIn } from './call.ts';
import { connectionReason, errorIn, parseBody, SightlineError, unexpected } from './error.ts';
import { type FetchAnswer, type FetchLike, type FetchRequest, NO_STORE, readText, sleep } from './fetch.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import type { TokenSource } from './token.ts';

const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;

type Settled<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };
/** The options of the client with their defaults. */
export interface SendParts extends Settled<Omit<ClientOptions, 'oauth' | 'deadlineMs'>> {
  readonly tokens: TokenSource | null;
}

/** What a request does beside reading: sent once, because a repetition could do it twice. */
export interface Action {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: object;
}

/** Sends GET requests: attempts until there is an answer, a final error or the end of the deadline. Rejects with a SightlineError. */
export type Send = (path: string, options: CallOptions & { readonly deadlineMs: number }, action?: Action) => Promise<Answer<unknown>>;

/** Seconds that a retry may take until the service reads it: a busy service, a slow network, a clock that was set. */
const ARRIVAL_S = 10;

/** Directives of one attempt. `lateS` above 0: an answer that may be charged was lost, so that the retry also accepts what is in the cache since. */
function directives(options: CallOptions, lateS: number): string {
  const { maxAge, noCache, onlyIfCached, staleIfError, maxStale = 0 } = options;
  const age = noCache ? 0 : maxAge;
  return [
    noCache && !lateS ? 'no-cache' : age !== undefined && `max-age=${age + lateS}`,
    onlyIfCached && 'only-if-cached',
    staleIfError !== undefined && `stale-if-error=${staleIfError}`,
    // always there: where a request has no Cache-Control, fetch adds `no-cache` (because of its cache mode no-store)
    `max-stale=${maxStale + lateS}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** Reads the whole answer. Throws CONNECTION_FAILED or ANSWER_TOO_LARGE. */
export async function exchange(
  fetch: FetchLike,
  url: string,
  request: Omit<FetchRequest, 'redirect' | 'cache'>,
  maxBytes: number,
): Promise<{ answer: FetchAnswer; body: string }> {
  let answer: FetchAnswer;
  let body: string | null;
  try {
    answer = await fetch(url, { ...request, redirect: 'manual', ...NO_STORE });
    body = await readText(answer, maxBytes);
  } catch (error) {
    const message = `No answer from ${new URL(url).origin}: ${connectionReason(error)}.`;
    throw new SightlineError('CONNECTION_FAILED', message, { retryable: true, charged: null, cause: error });
  }
  if (body !== null) return { answer, body };
  throw new SightlineError('ANSWER_TOO_LARGE', `The answer is larger than ${maxBytes} bytes once decoded: raise maxBytes to read it.`, {
    status: answer.status,
    requestId: answer.headers.get('x-request-id'),
    charged: numberIn(answer.headers.get('x-credits-charged')),
  });
}

export function createSend(parts: SendParts): Send {
  const { timing, tokens, apiKey } = parts;

  async function attempt(
    path: string,
    options: CallOptions,
    lateS: number,
    signal: AbortSignal,
    action: Action | undefined,
    mayRenew = true,
  ): Promise<Answer<unknown>> {
    const token = await tokens?.token();
    const { maxCredits, requestId } = options;
    const request = {
      method: action?.method ?? 'GET',
      ...(action?.body && { body: JSON.stringify(action.body) }),
      headers: {
        ...parts.headers,
        accept: 'application/json',
        ...(action?.body && { 'content-type': 'application/json' }),
        'cache-control': directives(options, lateS),
        ...(apiKey !== null && { 'x-api-key': apiKey }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(maxCredits !== undefined && { 'x-max-credits': String(maxCredits) }),
        ...(requestId !== undefined && { 'x-request-id': requestId }),
      },
      signal,
      credentials: apiKey === null && !tokens ? 'same-origin' : 'omit',
    } as const;
    const { answer, body } = await exchange(parts.fetch, `${parts.baseUrl}${path}`, request, parts.maxBytes);
    if (![200, 201, 204].includes(answer.status)) {
      if (answer.status === 401 && token !== undefined && tokens && mayRenew) {
        // a token may be revoked before its end
        tokens.refused(token);
        return attempt(path, options, lateS, signal, action, false);
      }
      throw errorIn(answer, body, timing);
    }
    const isOurs = answer.headers.get('x-request-id') !== null;
    if (answer.status === 204 && isOurs) return answerOf<unknown>(undefined, '', answer.headers);
    const data = isOurs ? parseBody(body) : null;
    if (!data) throw unexpected(answer, timing, 'the body is not an answer of the service');
    const fault = parts.bodyFault(request.method, path, data);
    if (fault !== null) throw unexpected(answer, timing, `${parts.baseUrl} does not answer as Sightline does: ${fault}`);
    return answerOf<unknown>(data, body, answer.headers);
  }

  function waitAfter(error: SightlineError, attempts: number, maxRetries: number): number | null {
    if (!error.retryable || attempts > maxRetries) return null;
    const jitterMs = timing.random() * Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** (attempts - 1));
    return (error.retryAfterMs ?? 0) + jitterMs;
  }

  return async (path, options, action) => {
    const { deadlineMs, signal } = options;
    const maxRetries = action ? 0 : (options.maxRetries ?? parts.maxRetries);
    const began = timing.now();
    const ending = new AbortController();
    let last: SightlineError | null = null;
    let lost = false;
    let ended: SightlineError | null = null;
    let end: (error: SightlineError) => void;
    const over = new Promise<never>((_, reject) => {
      end = (error) => {
        ended ??= error;
        reject(ended);
        ending.abort(ended);
      };
    });
    over.catch(() => {}); // the attempt that races with it reports the reason
    const abort = () => end(new SightlineError('ABORTED', 'The call was aborted.', { charged: null, cause: signal?.reason }));
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    const cancel = timing.after(deadlineMs, () => {
      const more = last ? `; the last attempt: ${last.message}` : '.';
      const facts = { retryable: true, charged: null, cause: last };
      end(new SightlineError('DEADLINE_EXCEEDED', `No answer within ${deadlineMs} ms${more}`, facts));
    });
    try {
      for (let attempts = 1; ; attempts++) {
        if (ended) throw ended;
        try {
          const lateS = lost ? Math.max(0, Math.ceil((timing.now() - began) / 1000)) + ARRIVAL_S : 0;
          return await Promise.race([attempt(path, options, lateS, ending.signal, action), over]);
        } catch (thrown) {
          if (ended) throw ended;
          if (!(thrown instanceof SightlineError)) throw thrown;
          // what an earlier attempt was charged is not known
          last = lost ? new SightlineError(thrown.code, thrown.message, { ...thrown, charged: null, cause: thrown.cause }) : thrown;
          lost ||= thrown.charged !== 0;
        }
        const waitMs = waitAfter(last, attempts, maxRetries);
        if (waitMs === null || timing.now() - began + waitMs >= deadlineMs) throw last;
        await sleep(timing, waitMs, ending.signal);
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      cancel();
    }
  };
}
