/** A failure of the connection or the transfer. Times in ms; `Infinity` waits until the client disconnects. */
export type Fault =
  /** The response headers are delayed. */
  | { readonly kind: 'slow-headers'; readonly ms: number }
  /** Half of the body, a pause, then the rest. */
  | { readonly kind: 'slow-body'; readonly ms: number }
  /** The connection is reset before the first byte. */
  | { readonly kind: 'reset' }
  /** The connection is reset after half of the body. */
  | { readonly kind: 'reset-body' }
  /** The connection closes normally after half of the bytes of Content-Length. */
  | { readonly kind: 'truncated' }
  /** The body ends normally, but its gzip stream is truncated. */
  | { readonly kind: 'truncated-gzip' }
  /** The body with another content type. Default application/octet-stream. */
  | { readonly kind: 'wrong-type'; readonly contentType?: string }
  /** An endless redirect to the same URL. */
  | { readonly kind: 'redirect-loop' }
  /** A body of this many bytes. Default 100 MB. */
  | { readonly kind: 'huge'; readonly bytes?: number }
  /** A small gzip body that decompresses to this many bytes. Default 100 MB. */
  | { readonly kind: 'bomb'; readonly bytes?: number }
  /** A status with headers, such as 429 with or without Retry-After, or 5xx. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** 200 with an empty body. */
  | { readonly kind: 'empty' };

export interface Faults {
  /** Applies the fault to the next `times` (default 1) matching requests. A string matches URLs with that prefix: `https://host/path`, `whois://host`. */
  next(where: string | RegExp, fault: Fault, times?: number): void;
  /** Takes the fault for this URL from the list; null if there is none. */
  take(url: string): Fault | null;
  clear(): void;
}

/** A list of faults; the oldest that matches is used first. */
export function createFaults(): Faults {
  let script: { where: string | RegExp; fault: Fault; left: number }[] = [];
  return {
    next(where, fault, times = 1) {
      script.push({ where, fault, left: times });
    },
    take(url) {
      const step = script.find(({ where }) => (typeof where === 'string' ? url.startsWith(where) : where.test(url)));
      if (!step) return null;
      step.left--;
      if (step.left <= 0) script = script.filter((s) => s !== step);
      return step.fault;
    },
    clear() {
      script = [];
    },
  };
}
