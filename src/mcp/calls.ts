import { SightlineError } from '../client/error.ts';
import type { NewWatch, NewWatchList } from '../client/watches.ts';
import type { AccountInput, EndpointId } from '../contract/account/endpoints.ts';
import type { Notify, NotifyTarget, NotifyTestResult } from '../contract/account/notify-schemas.ts';
import type { Account, AccountPrice } from '../contract/account/schemas.ts';
import type { WatchImport } from '../contract/account/watch-list-schemas.ts';
import type { Watch, WatchChanges, WatchEdit, Watches } from '../contract/account/watch-schemas.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Input, Operation, OperationId } from '../contract/operations/index.ts';
import type { LookupCall } from '../lookups/states.ts';
import { type CachedAnswer, type Freshness, ORDINARY } from '../orchestrator/types.ts';
import { type Clock, instant } from '../runtime/clock.ts';

export interface ToolLookup extends Omit<LookupCall, 'freshness' | 'signal'> {
  readonly texts: Readonly<Record<string, string>>;
  /** Only an answer that is in the cache, stale ones included. */
  readonly cachedOnly: boolean;
  readonly signal: AbortSignal;
}

/** A resource with what its headers would say. */
export interface ToolAnswer {
  readonly resource: Readonly<Record<string, unknown>>;
  readonly credits: number;
  readonly receipt: string | null;
  readonly source: string | null;
  readonly cache: string | null;
  /** When the source was read, RFC 3339; null where it is not known. */
  readonly readAt: string | null;
  readonly unread: readonly string[];
}

/** What tools do: for a caller of the service, through its HTTP interface, or on this machine's own sources. Each rejects with an error. */
export interface ToolCalls {
  lookup(lookup: ToolLookup): Promise<ToolAnswer>;
  /** Lookups of one call, which `work` makes by `lookup`. Over HTTP each is admitted, limited, recorded and charged like a request of its own. */
  several<T>(work: (lookup: ToolCalls['lookup']) => Promise<T>): Promise<T>;
  /** Credits that this call may cost, whatever its arguments say; null: no limit. */
  limit(): number | null;
  /** `texts`: the parameters by their names, of which `input` was read. */
  price(operation: Operation, texts: Readonly<Record<string, string>>, input: Input): Promise<AccountPrice>;
  account(): Promise<Account>;
  readonly watches: WatchCalls;
  /** Is told why a tool failed, also where it called nothing, because its arguments are wrong. */
  failed?(thrown: unknown): void;
}
export type ChangesPage = Omit<AccountInput<'account-changes'>, 'rest'>;
export interface WatchCalls {
  add(watch: NewWatch): Promise<Watch>;
  import(list: NewWatchList): Promise<WatchImport>;
  edit(watchId: string, edit: WatchEdit): Promise<Watch>;
  /** A watch, after a test message to each of its targets. */
  test(watchId: string): Promise<TestedWatch>;
  list(page: Omit<ChangesPage, 'order' | 'watch'>): Promise<Watches>;
  changes(page: ChangesPage): Promise<WatchChanges>;
}

/** How a test message to a target went; `ok` false with `error` also where none was sent. */
export type TestedTarget = Pick<NotifyTarget, 'targetId' | 'to'> & Pick<NotifyTestResult, 'ok' | 'error'> & Partial<NotifyTestResult>;
export type TestedWatch = Watch & { readonly tests: readonly TestedTarget[] };
/** How the targets of a watch are found and tested, as the caller may. */
export interface TestCalls {
  get(watchId: string): PromiseLike<Watch>;
  /** Those of the account. Rejects where the caller may not test them. */
  notify(): PromiseLike<Notify>;
  /** `watchId` null: a target of the account. */
  send(targetId: string, watchId: string | null): PromiseLike<NotifyTestResult>;
}
/** Sends a test message to each target that is told of a watch: its own, else those of the account. One that fails stops no other. */
export async function testWatch({ get, notify, send }: TestCalls, watchId: string): Promise<TestedWatch> {
  const watch = await get(watchId);
  const tests: TestedTarget[] = [];
  for (const { targetId, to } of watch.notify ?? (await notify()).notify) {
    const given = { targetId, to };
    try {
      tests.push({ ...given, ...(await send(targetId, watch.notify && watchId)) });
    } catch (error) {
      if (!(error instanceof ServiceError || error instanceof SightlineError)) throw error;
      tests.push({ ...given, ok: false, error: error.message });
    }
  }
  return { ...watch, tests };
}

/** The smaller of two limits; null: there is none. */
export const smaller = (a: number | null, b: number | null): number | null => (a === null ? b : b === null ? a : Math.min(a, b));

/** `limit`: credits that the call, or its session, may still spend; null: no limit. A month of a new watch counts as its price. */
export function demandWithin(limit: number | null, { creditsPerMonth }: Pick<NewWatch, 'creditsPerMonth'>): void {
  // a missing budget is refused with the estimate
  if (limit === null || !(creditsPerMonth > limit)) return;
  throw new ServiceError(
    'INSUFFICIENT_CREDITS',
    `Field creditsPerMonth is ${creditsPerMonth}, but this caller may spend ${limit} credits (SIGHTLINE_MCP_MAX_CREDITS, or the limit that its client sends): give less, or raise the limit. Nothing was done.`,
  );
}

/** A list of watches, made under a limit where their budgets together are within it. */
export async function importWithin(limit: number | null, list: NewWatchList, run: WatchCalls['import']): Promise<WatchImport> {
  if (limit !== null && list.make) demandWithin(limit, await run({ ...list, make: false }));
  return run(list);
}

/** The budget that a change of a watch gives to the caller's spending; null: none. Under a limit a watch is taken over or resumed with its budget alone. */
export function budgetOf(limit: number | null, { creditsPerMonth, takeOver, paused }: WatchEdit): number | null {
  if (limit !== null && creditsPerMonth === undefined && (takeOver || paused === false))
    throw new ServiceError(
      'INVALID_REQUEST',
      `Field creditsPerMonth is missing: this caller may spend ${limit} credits, so that a watch is taken over or resumed with a budget that is named.`,
    );
  if (creditsPerMonth === undefined) return null;
  demandWithin(limit, { creditsPerMonth });
  return creditsPerMonth;
}

/** What a tool calls: an operation, or an endpoint of the account (`operation` null). */
export interface ToolTarget {
  readonly id: OperationId | EndpointId;
  readonly operation: Operation | null;
}

/** What a lookup accepts: with `cachedOnly` any answer that is in the cache. */
export const freshnessOf = ({ cachedOnly }: ToolLookup): Freshness =>
  cachedOnly ? { ...ORDINARY, onlyIfCached: true, maxStaleMs: Number.POSITIVE_INFINITY } : ORDINARY;

export const answerOf = (
  { bytes, source, at, unread }: CachedAnswer,
  paid: Pick<ToolAnswer, 'credits' | 'receipt' | 'cache'>,
): ToolAnswer => ({
  resource: JSON.parse(bytes.toString()) as Record<string, unknown>,
  ...paid,
  source,
  readAt: instant(at),
  unread,
});

/** Time between two messages about a lookup that takes long. */
const EVERY_MS = 5_000;

interface Progress {
  /** Seconds since the call, of `total` at most. */
  readonly progress: number;
  readonly total: number;
  readonly message: string;
}

export interface Waiting {
  readonly clock: Clock;
  readonly deadlineMs: number;
  /** Time after which the caller wants no answer; null: that of the lookup. */
  readonly patienceMs: number | null;
  /** Sends progress to the client; null: the client did not ask for it. Never rejects. */
  readonly report: ((progress: Progress) => Promise<void>) | null;
}

interface Course extends Pick<Waiting, 'clock' | 'report'> {
  readonly signal: AbortSignal;
  /** When the call ends at the latest, counted from now. */
  readonly waitMs: number;
  /** How far it is, for people. */
  says(): string;
}

/** Runs `work`, reports progress meanwhile, and aborts its signal with the caller's. `tired` aborts it where the caller gives up. */
export async function whileReporting<T>(
  { clock, report, signal, waitMs, says }: Course,
  work: (signal: AbortSignal, tired: (afterMs: number) => AbortSignal) => Promise<T>,
): Promise<T> {
  const began = clock.now();
  const ended = new AbortController();
  const tired = new AbortController();

  async function reportProgress(): Promise<void> {
    for (;;) {
      await clock.sleep(EVERY_MS, ended.signal);
      if (ended.signal.aborted) return;
      const seconds = Math.round((clock.now() - began) / 1000);
      const message = `${says()}, for ${seconds} s now; it ends by ${instant(began + waitMs)}.`;
      await report?.({ progress: seconds, total: Math.ceil(waitMs / 1000), message });
    }
  }
  if (report) void reportProgress();
  try {
    return await work(AbortSignal.any([signal, tired.signal]), (afterMs) => {
      void clock.sleep(afterMs, ended.signal).then(() => {
        if (!ended.signal.aborted) tired.abort();
      });
      return tired.signal;
    });
  } finally {
    ended.abort();
  }
}

/** A lookup that reports progress while it runs and is cancelled when its caller gives up; other requests may still wait for its answer. */
export function waitFor(calls: ToolCalls, lookup: Omit<ToolLookup, 'asking'>, waiting: Waiting): Promise<ToolAnswer> {
  const { deadlineMs, patienceMs } = waiting;
  const waitMs = Math.min(deadlineMs, patienceMs ?? deadlineMs);
  let asked: string | null = null;
  const says = () => (asked === null ? 'Waiting for a source' : `Asking ${asked}`);
  return whileReporting({ ...waiting, signal: lookup.signal, waitMs, says }, async (signal, tired) => {
    const gaveUp = patienceMs === null ? null : tired(patienceMs);
    try {
      return await calls.lookup({ ...lookup, signal, asking: (source) => (asked = source) });
    } catch (thrown) {
      if (!gaveUp?.aborted) throw thrown;
      const words = `No answer within ${waitMs / 1000} s, as deadlineSeconds asks: call again with more, ${deadlineMs / 1000} at most.`;
      throw late(words, thrown);
    }
  });
}

/** The time of a caller is over. A remote service may have finished the lookup and charged for it. */
export const late = (words: string, thrown: unknown): Error =>
  thrown instanceof SightlineError
    ? new SightlineError('DEADLINE_EXCEEDED', words, { charged: thrown.charged, cause: thrown })
    : new ServiceError('UPSTREAM_TIMEOUT', words);
