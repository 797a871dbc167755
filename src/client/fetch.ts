/** The part of `fetch` that the client uses: the global one fits, and so does any function of this form. */
export type FetchLike = (url: string, request: FetchRequest) => Promise<FetchAnswer>;

export interface FetchRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly signal: AbortSignal;
  readonly redirect: 'manual';
  readonly cache?: 'no-store';
  readonly credentials: 'same-origin' | 'omit';
}
/** Past the cache of a browser. A worker of an early compatibility date has none, and throws where a request names one. */
export const NO_STORE = typeof Request === 'function' && 'cache' in Request.prototype ? ({ cache: 'no-store' } as const) : {};

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The decoded body in parts: the rest of one that is too large is not read. Without it `text` is read whole. */
  readonly body?: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null;
  text(): Promise<string>;
}

async function* partsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

/** The body of an answer as text; null where it is larger than `maxBytes`. */
export async function readText(answer: FetchAnswer, maxBytes: number): Promise<string | null> {
  const { body } = answer;
  if (!body) {
    const text = await answer.text();
    return text.length > maxBytes ? null : text;
  }
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  // not every browser iterates over a stream
  for await (const part of 'getReader' in body ? partsOf(body) : body) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return null;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

export interface Timing {
  now(): number;
  /** Calls `run` once after `ms`, unless the returned function is called before. */
  after(ms: number, run: () => void): () => void;
  random(): number;
}

const MAX_TIMER_MS = 2_147_483_647;

export const realTiming: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.ceil(ms), MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when the signal aborts. */
export const sleep = (timing: Timing, ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = timing.after(ms, end);
    signal?.addEventListener('abort', end);
  });
