/** Data of an answer, with what its headers say. */
export interface Answer<T> {
  readonly data: T;
  /** The body that `data` was parsed from. */
  readonly text: string;
  readonly credits: {
    /** Charged for this answer. */
    readonly charged: number;
    /** Left on the account; null where the service does not say. */
    readonly remaining: number | null;
  };
  /** Where the answer came from; null for account endpoints. `collapsed`: from a lookup that another request had begun. */
  readonly cache: 'hit' | 'miss' | 'stale' | 'collapsed' | null;
  /** Time since the source was read. */
  readonly ageMs: number | null;
  /** Source of the data. */
  readonly source: string | null;
  readonly requestId: string | null;
  /** Id of the charge in the ledger; null: nothing was charged. */
  readonly receipt: string | null;
  /** Fields of the resource that the source's page had but that could not be read, as dotted paths. */
  readonly unread: readonly string[];
}

/** A call under way: await it for the data, or `withResponse()` for data and headers. */
export type Call<T> = Promise<T> & { withResponse(): Promise<Answer<T>> };

export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((got) => got.data);
  return Object.assign(data, {
    withResponse() {
      data.catch(() => {}); // its caller awaits the answer instead
      return answer;
    },
  });
}

function cacheOf(field: string | null): Answer<unknown>['cache'] {
  if (!field) return null;
  if (/;\s*hit\b/.test(field)) return /;\s*ttl=-/.test(field) ? 'stale' : 'hit';
  if (/;\s*fwd-status=/.test(field)) return 'stale';
  return /;\s*collapsed\b/.test(field) ? 'collapsed' : 'miss';
}

export const numberIn = (field: string | null): number | null => (field && /^\d+$/.test(field) ? Number(field) : null);

export function answerOf<T>(data: T, text: string, headers: { get(name: string): string | null }): Answer<T> {
  const age = numberIn(headers.get('age'));
  return {
    data,
    text,
    credits: { charged: numberIn(headers.get('x-credits-charged')) ?? 0, remaining: numberIn(headers.get('x-credits-remaining')) },
    cache: cacheOf(headers.get('cache-status')),
    ageMs: age === null ? null : age * 1000,
    source: headers.get('x-data-source'),
    requestId: headers.get('x-request-id'),
    receipt: headers.get('x-receipt'),
    unread: (headers.get('x-fields-unread') ?? '').split(/\s*,\s*/).filter(Boolean),
  };
}
