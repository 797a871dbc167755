import type { Dispatcher } from 'undici';
import { after, type Clock } from '../../runtime/clock.ts';
import type { HttpRequest } from '../ports.ts';
import { TooLarge, TooSlow } from './failures.ts';

/** Abort reason as a string: the default DOMException with its stack costs more than a request. */
const OVER = 'over';

/** Runs `work` under a signal that fires with `signal` or after `timeoutMs`, whichever is first. Its timer ends with it. */
export async function within<T>(
  clock: Clock,
  timeoutMs: number | undefined,
  signal: AbortSignal,
  work: (signal: AbortSignal, untilMs: number) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal, Number.POSITIVE_INFINITY);
  const over = new AbortController();
  const end = () => over.abort(OVER);
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const cancel = after(clock, timeoutMs, end);
  try {
    return await work(over.signal, clock.now() + timeoutMs);
  } finally {
    cancel();
    signal.removeEventListener('abort', end);
  }
}

/** The signal that ends a request. An answer that other attempts wait for, too, is ended by its time limit alone. */
export const signalOf = ({ shared, attempt }: Pick<HttpRequest, 'shared' | 'attempt'>): AbortSignal =>
  shared ? new AbortController().signal : attempt.signal;

/** Time to connect, from the request to the first byte of the answer, and the longest silence within its body. */
export const CONNECT_TIMEOUT_MS = 5_000;
export const HEADERS_TIMEOUT_MS = 10_000;
export const BODY_TIMEOUT_MS = 10_000;

export interface Patience {
  readonly clock: Clock;
  readonly headersMs: number;
  readonly bodyMs: number;
}
export type StallTimer = ReturnType<typeof startStallTimer>;

/** Calls `late` after a silence longer than the phase allows. One timer serves many bytes: it checks the time when it fires. */
export function startStallTimer({ clock, headersMs, bodyMs }: Patience, late: (phase: 'headers' | 'body') => void) {
  let sinceMs = clock.now();
  let answering = false;
  const look = (): void => {
    const leftMs = sinceMs + (answering ? bodyMs : headersMs) - clock.now();
    if (leftMs <= 0) late(answering ? 'body' : 'headers');
    // at most `bodyMs`: the body may begin meanwhile, and its limit may end first
    else cancel = after(clock, Math.min(leftMs, bodyMs), look);
  };
  let cancel = (): void => {};
  look();
  return {
    /** Bytes arrived. `begun`: the answer has begun. */
    heard(begun: boolean): void {
      sinceMs = clock.now();
      answering = begun;
    },
    end: (): void => cancel(),
  };
}

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

/** Sends one request and reads its body. Without undici's stream per answer, which costs more than the rest. Never rejects. */
export function transfer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: Patience & Pick<HttpRequest, 'onBytes'> & { readonly maxBytes: number },
  signal: AbortSignal,
): Promise<Transfer> {
  const { maxBytes } = limits;
  return new Promise((resolve) => {
    let connection: Dispatcher.DispatchController | null = null;
    let silence: StallTimer | null = null;
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
        else silence = startStallTimer(limits, (phase) => giveUp(controller, new TooSlow(`no further byte of the ${phase}`)));
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

/** Collects the bytes of a body. Memory grows with the number of bytes, not with the number of chunks. */
export class Body {
  #bytes: Buffer = Buffer.alloc(0);
  size = 0;

  add(chunk: Buffer): void {
    const end = this.size + chunk.length;
    // the first chunk is used as it is: most answers have no other
    if (this.size === 0) this.#bytes = chunk;
    else {
      if (end > this.#bytes.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(2 * end, 16_384));
        this.#bytes.copy(larger, 0, 0, this.size);
        this.#bytes = larger;
      }
      chunk.copy(this.#bytes, this.size);
    }
    this.size = end;
  }
  join(): Buffer {
    return this.#bytes.subarray(0, this.size);
  }
}
