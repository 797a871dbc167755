import type { ErrorName } from '../contract/errors.ts';
import type { Answer } from '../upstream/answer.ts';
import type { Evidence } from './evidence.ts';

/** One attempt at one source; policy depends on the tag alone. `what`: a neutral sentence for clients; `detail`: for the operator's log. */
export type Outcome<R = unknown> = Found<R> | NotFound;
export interface Found<R = unknown> {
  tag: 'found';
  resource: R;
  /** Number of results, if the platform has fewer than requested (search results). */
  delivered?: number;
  /** Dotted paths in the resource, without indexes (`apps.rating`): stated by the source, not understood, null or empty here. */
  unread?: readonly string[];
  /** A further request failed: the answer is fresh no longer than this, so that the next lookup asks again. */
  freshAtMostMs?: number;
  /** Of an answer that says that there is nothing: an unregistered name, a search without a hit. */
  evidence?: Evidence;
}
export type NotFound =
  /** It does not exist, or not publicly: 404. */
  | { tag: 'absent'; evidence: Evidence; what: string; detail?: string }
  /** `final`: blocks this item, not the source: no other source is tried, the breaker does not count it. `known`: found by the shared check. */
  | { tag: 'blocked'; what: string; detail?: string; final?: true; known?: true }
  /** `counts: false`: our own pace or a known wait, not the source's answer: it neither rests the source nor counts for the breaker. */
  | { tag: 'limited'; what: string; detail?: string; retryAfterMs: number | null; counts?: false }
  /** `retryAfterMs`: the source is not called before (open breaker), or as it states itself. */
  | { tag: 'unreachable'; what: string; detail?: string; retryAfterMs?: number }
  | { tag: 'timeout'; what: string; detail?: string; retryAfterMs?: number }
  /**
   * The answer has an unknown shape. `cause`: it is not the platform's (`foreign`), or it is, and does not say why this item is not shown
   * (`unexplained`). `counts: false`: the platform's own statement about this item. `advice`: what the caller can ask instead.
   */
  | { tag: 'changed'; what: string; detail?: string; counts?: false; cause?: 'foreign' | 'unexplained'; advice?: string }
  /**
   * Our request was not accepted, or (`account`) our credentials, or a limit of our account. `retryAfterMs`: until that limit is reset.
   * `counts: false`: not asked, because that limit is known. `notServed`: the source lacks this region or language: 501, where no other answers.
   * `input`: because of what was asked, whoever asks.
   */
  | {
      tag: 'refused';
      what: string;
      detail?: string;
      account?: true;
      retryAfterMs?: number;
      counts?: false;
      notServed?: true;
      input?: true;
    };
export type Tag = Outcome['tag'];

export const found = <R>(resource: R, delivered?: number, unread: readonly string[] = []): Found<R> => ({
  tag: 'found',
  resource,
  ...(delivered !== undefined && { delivered }),
  ...(unread.length > 0 && { unread: [...new Set(unread)] }),
});
/** The outcome with the unread fields of its answer, besides those that it names already. */
export const withUnread = <O extends Outcome>(outcome: O, unread: readonly string[]): O =>
  outcome.tag === 'found' && unread.length > 0 ? { ...outcome, unread: [...new Set([...(outcome.unread ?? []), ...unread])] } : outcome;
const INCOMPLETE_FRESH_MS = 600_000;
const INCOMPLETE_FRESH_MAX_MS = 3_600_000;
/**
 * An answer that lacks what a further request should have brought: those fields are unread, and it is fresh for ten minutes, or until the time
 * that the failure states (`retryAfterMs`) if that is later, an hour at most.
 */
export function incomplete<R>(outcome: Found<R>, unread: readonly string[], retryAfterMs?: number | null): Found<R> {
  const atMostMs = Math.min(Math.max(INCOMPLETE_FRESH_MS, retryAfterMs ?? 0), INCOMPLETE_FRESH_MAX_MS);
  return { ...withUnread(outcome, unread), freshAtMostMs: Math.min(outcome.freshAtMostMs ?? atMostMs, atMostMs) };
}
const make =
  <T extends Exclude<Tag, 'found' | 'absent' | 'limited'>>(tag: T) =>
  (what: string, detail?: string) =>
    detail === undefined ? { tag, what } : { tag, what, detail };
/** The one way to say that something is not there: by what the platform itself says. */
export const absent = (evidence: Evidence, what: string, detail?: string) =>
  detail === undefined ? { tag: 'absent' as const, evidence, what } : { tag: 'absent' as const, evidence, what, detail };
/** The one way to sell an answer that says that there is nothing, such as a search without a hit. */
export const foundNothing = <R>(evidence: Evidence, ...answer: Parameters<typeof found<R>>): Found<R> => ({
  ...found(...answer),
  evidence,
});
export const blocked = make('blocked');
export const finallyBlocked = (what: string, detail?: string): NotFound => ({ ...blocked(what, detail), final: true });
export const unreachable = make('unreachable');
export const timeout = make('timeout');
export const changed = make('changed');
/** What anybody may send (a proxy's page, a bare 404): it says nothing of what was asked for. */
export const foreign = (what: string, detail?: string) => ({ ...changed(what, detail), cause: 'foreign' as const });
/** The platform does not show an item, for a reason that it does not state or that is not known. */
export const unexplained = (what: string, detail?: string) => ({ ...changed(what, detail), cause: 'unexplained' as const });
export const refused = make('refused');
/** Because of what was asked: nobody finds more in a log. */
export const refusedInput = (what: string, detail?: string): NotFound => ({
  ...refused(what, detail),
  input: true,
});
export const notServed = (what: string, detail: string): NotFound => ({ ...refused(what, detail), notServed: true });
/** Our credentials, or a limit of our own account at the platform: the operator's matter, until it is reset. */
export const refusedAccount = (what: string, detail?: string, untilMs: number | null = null): Extract<NotFound, { tag: 'refused' }> => ({
  ...refused(what, detail),
  account: true,
  ...(untilMs !== null && { retryAfterMs: untilMs }),
});
/** `retryAfterMs`: as stated by the platform; null if it states none. */
export const limited = (what: string, retryAfterMs: number | null = null, detail?: string) =>
  detail === undefined ? { tag: 'limited' as const, what, retryAfterMs } : { tag: 'limited' as const, what, retryAfterMs, detail };

const QUEUED_MS = 60_000;
/** The provider has accepted the task and will answer later: no other lookup has to wait for it. */
export const queued = ({ headers, atMs }: Answer, detail: string): NotFound => ({
  ...limited('The data provider has queued the search and has no answer yet.', retryAfterMs(headers, atMs) ?? QUEUED_MS, detail),
  counts: false,
});

interface StatusWords {
  /** Who answered, as the subject of a sentence; default: the platform. */
  readonly who?: string;
  /** Of 404, 410 and 451, which anybody may send: they do not prove that what was asked for is absent. */
  readonly gone?: string;
  readonly credentials?: readonly number[];
  /** Where the answer states it elsewhere than in `Retry-After`. */
  readonly waitMs?: number | null;
  readonly detail?: string;
}
export function failureOfStatus(
  { status, headers, atMs }: Answer,
  { who = 'The platform', gone, credentials = [], waitMs = retryAfterMs(headers, atMs), detail = `HTTP ${status}` }: StatusWords,
): NotFound {
  if (status === 429) return limited(`${who} limits the number of requests.`, waitMs, detail);
  if (gone !== undefined && (status === 404 || status === 410 || status === 451)) return foreign(gone, detail);
  if (credentials.includes(status)) return refusedAccount(`${who} did not accept this service's credentials.`, detail);
  if (status === 402) return blocked(`${who} asks for payment before it answers.`, detail);
  if (status === 401 || status === 403) return blocked(`${who} refused the request.`, detail);
  if (status >= 500) return unreachable(`${who} failed on its side.`, detail);
  return refused(`${who} did not accept the request.`, detail);
}

export const tooComplex = () => changed('The answer is too deeply nested or has too many elements to be read.');

export const errorOf = {
  found: null,
  absent: 'NOT_FOUND',
  blocked: 'UPSTREAM_BLOCKED',
  limited: 'UPSTREAM_RATE_LIMITED',
  unreachable: 'UPSTREAM_UNREACHABLE',
  timeout: 'UPSTREAM_TIMEOUT',
  changed: 'UPSTREAM_CHANGED',
  refused: 'UPSTREAM_FAILED',
} as const satisfies Record<Tag, ErrorName | null>;

export const MAX_WAIT_MS = 86_400_000;

/** `Retry-After` as ms: seconds or an HTTP date, a day at most; null if absent or malformed. */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const value = headers['retry-after']?.trim();
  if (!value) return null;
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_WAIT_MS);
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? null : Math.min(Math.max(0, atMs - nowMs), MAX_WAIT_MS);
}
