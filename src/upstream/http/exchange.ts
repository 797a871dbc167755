import type { Dispatcher } from 'undici';
import type { HttpRequest } from '../ports.ts';
import { Body } from './body.ts';
import { type Patience, type Watch, watch } from './deadline.ts';
import { TooLarge, TooSlow } from './failures.ts';

/** One request and its answer as received: still encoded, redirects not followed. */
export type Transfer =
  | { ok: true; status: number; headers: Record<string, string>; body: Buffer }
  /** `error` null: the signal fired. `begun`: part of the answer had arrived. */
  | { ok: false; error: unknown; begun: boolean };

/** Names in lower case. Repeated fields are joined by ", "; Set-Cookie by a line feed, because its values contain commas. */
function headersOf(raw: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in raw) {
    const value = raw[name];
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(name === 'set-cookie' ? '\n' : ', ');
  }
  return headers;
}

/**
 * Sends one request and reads the whole body, at most `maxBytes`. Uses the dispatcher directly, because a stream per answer costs more than
 * the rest of the request. Never rejects. When the signal fires the connection is closed.
 */
export function transfer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: Patience & Pick<HttpRequest, 'onBytes'> & { readonly maxBytes: number },
  signal: AbortSignal,
): Promise<Transfer> {
  const { maxBytes } = limits;
  return new Promise((resolve) => {
    let connection: Dispatcher.DispatchController | null = null;
    let silence: Watch | null = null;
    let over = false;
    let status = 0;
    let headers: Record<string, string> = {};
    const body = new Body();

    const end = (result: Transfer) => {
      if (over) return;
      over = true;
      signal.removeEventListener('abort', stop);
      silence?.end();
      resolve(result);
    };
    const fail = (error: unknown) => end({ ok: false, error, begun: status !== 0 });
    const stop = () => {
      fail(null);
      connection?.abort(new Error('stopped'));
    };
    const giveUp = (controller: Dispatcher.DispatchController, error: Error) => {
      fail(error);
      controller.abort(error);
    };
    const tooLarge = (bytes: number) => new TooLarge(`${bytes} bytes, ${maxBytes} allowed`);
    if (signal.aborted) return fail(null);
    signal.addEventListener('abort', stop, { once: true });
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        connection = controller;
        if (over) controller.abort(new Error('stopped'));
        else silence = watch(limits, (phase) => giveUp(controller, new TooSlow(`no further byte of the ${phase}`)));
      },
      onResponseStart(controller, statusCode, raw) {
        silence?.heard(statusCode >= 200);
        if (statusCode < 200) return;
        status = statusCode;
        headers = headersOf(raw);
        const stated = Number(headers['content-length'] ?? 0);
        if (stated > maxBytes && options.method !== 'HEAD') giveUp(controller, tooLarge(stated));
      },
      onResponseData(controller, chunk) {
        if (over) return;
        silence?.heard(true);
        if (body.size + chunk.length > maxBytes) giveUp(controller, tooLarge(body.size + chunk.length));
        else body.add(chunk);
        limits.onBytes?.(body.size, Number(headers['content-length']) || null);
      },
      onResponseEnd: () => end({ ok: true, status, headers, body: body.join() }),
      onResponseError: (_, error) => fail(error),
    });
  });
}
