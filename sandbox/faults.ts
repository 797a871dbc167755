/** What can go wrong outside, beyond what a platform itself would answer. Times in ms; `Infinity` hangs until the client leaves. */
export type Fault =
  /** The answer begins only after this time. */
  | { readonly kind: 'slow-headers'; readonly ms: number }
  /** Half of the body, this time of silence, the rest. */
  | { readonly kind: 'slow-body'; readonly ms: number }
  /** The connection is reset before any byte. */
  | { readonly kind: 'reset' }
  /** The connection is reset after half of the body. */
  | { readonly kind: 'reset-body' }
  /** The connection ends in good order, but half of the promised bytes never come. */
  | { readonly kind: 'truncated' }
  /** A body that ends in good order, cut in the middle of its gzip stream. */
  | { readonly kind: 'truncated-gzip' }
  /** The body under another content type. Default application/octet-stream. */
  | { readonly kind: 'wrong-type'; readonly contentType?: string }
  /** A redirect to the same address, forever. */
  | { readonly kind: 'redirect-loop' }
  /** A body of this many bytes. Default 100 MB. */
  | { readonly kind: 'huge'; readonly bytes?: number }
  /** A small gzip body that unfolds to this many bytes. Default 100 MB. */
  | { readonly kind: 'bomb'; readonly bytes?: number }
  /** A bare status with its headers: 429 with or without retry-after, 5xx. */
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** 200 without a byte. */
  | { readonly kind: 'empty' };

export interface Faults {
  /** The next `times` (default 1) requests there go wrong. A string is the beginning of an address: `https://host/path`, `whois://host`. */
  next(where: string | RegExp, fault: Fault, times?: number): void;
  /** The fault for this address, which is used up by it; null: none. */
  take(url: string): Fault | null;
  clear(): void;
}

/** A script of faults, the oldest that fits first. */
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
