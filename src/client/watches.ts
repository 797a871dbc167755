import { allWatches, dueFirst } from '../contract/account/all-watches.ts';
import type { AccountInput } from '../contract/account/endpoints.ts';
import type { NewTarget, Notify, NotifyTestResult } from '../contract/account/notify-schemas.ts';
import type { AccountSites, AppRankings, Rankings } from '../contract/account/ranking-schemas.ts';
import type { WatchImport } from '../contract/account/watch-list-schemas.ts';
import type {
  Calendar,
  Watch,
  WatchCalendar,
  WatchChange,
  WatchChanges,
  WatchCheck,
  WatchDeliveries,
  WatchEdit,
  Watches,
  WatchHistory,
} from '../contract/account/watch-schemas.ts';
import type { OperationId } from '../contract/operations/index.ts';
import type { Ask, Query } from './account.ts';
import type { Call } from './call.ts';
import type { CallOptions } from './options.ts';
import { queryOf } from './path.ts';

export interface NewWatch extends WatchEdit {
  readonly operation: OperationId;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly every: Watch['every'];
  readonly creditsPerMonth: number;
}
/** A list of lookups, of which each line becomes a watch. */
export interface NewWatchList extends Omit<WatchEdit, 'name' | 'paused' | 'takeOver'> {
  readonly operation: OperationId;
  readonly every: Watch['every'];
  /** A value a line, or CSV with a header, such as the export of a registrar. */
  readonly lines: string;
  /** Make them. Left out: the answer says which would be made, and what they cost. */
  readonly make?: boolean;
  /** Make the others where a line cannot be read; else nothing is made. */
  readonly skipInvalid?: boolean;
}
/** A target of messages; `as` may be left out where the host says it. */
export type NotifyTargetInput = Pick<NewTarget, 'to'> & Partial<NewTarget>;
export interface ChangesQuery {
  /** Cursor of the last change that was read; default: from the first change. */
  readonly after?: string | undefined;
  /** Only changes of this watch. */
  readonly watch?: string | undefined;
  /** Time between two requests where nothing is new. Default: 30 seconds. */
  readonly everyMs?: number | undefined;
}

/** The watches of the account. All of it is free but the checks. */
export type WatchMethods = ReturnType<typeof watchMethods>;

const EVERY_MS = 30_000;

export function watchMethods(ask: Ask, sleep: (ms: number, signal?: AbortSignal) => Promise<void>) {
  const all = '/v1/account/watches';
  const one = (watchId: string, more = '') => `${all}/${encodeURIComponent(watchId)}${more}`;
  const feed = (query?: Query<AccountInput<'account-changes'>>, options?: CallOptions): Call<WatchChanges> =>
    ask(() => `/v1/account/changes${queryOf(query)}`, options);
  const list = (query?: Query<AccountInput<'account-watches'>>, options?: CallOptions): Call<Watches> =>
    ask(() => `${all}${queryOf(query)}`, options);
  return {
    list,
    /** Watches with a date that lies ahead or is just over, the fewest days left first. */
    due: async (options?: CallOptions): Promise<readonly Watch[]> => dueFirst((await allWatches((page) => list(page, options))).watches),
    /** The answer has the secret of the webhook, this once. */
    create: (body: NewWatch, options?: CallOptions): Call<Watch> => ask(() => all, options, { method: 'POST', body }),
    /** Says which watches the lines of a list make and what they cost, and makes them with `make`. */
    import: (body: NewWatchList, options?: CallOptions): Call<WatchImport> => ask(() => `${all}/import`, options, { method: 'POST', body }),
    get: (watchId: string, options?: CallOptions): Call<Watch> => ask(() => one(watchId), options),
    edit: (watchId: string, body: WatchEdit, options?: CallOptions): Call<Watch> =>
      ask(() => one(watchId), options, { method: 'PATCH', body }),
    delete: (watchId: string, options?: CallOptions): Call<void> => ask(() => one(watchId), options, { method: 'DELETE' }),
    /** Checks a watch now. */
    run: (watchId: string, options?: CallOptions): Call<WatchCheck> => ask(() => one(watchId, '/run'), options, { method: 'POST' }),
    /** Checks with the numbers that they read, newest first. */
    history: (
      watchId: string,
      query?: Query<Pick<AccountInput<'account-watch-history'>, 'limit' | 'after'>>,
      options?: CallOptions,
    ): Call<WatchHistory> => ask(() => `${one(watchId, '/history')}${queryOf(query)}`, options),
    /** Messages to the webhook, or with `to: 'all'` to every target, newest first. */
    deliveries: (
      watchId: string,
      query?: Query<Pick<AccountInput<'account-watch-deliveries'>, 'limit' | 'after' | 'to'>>,
      options?: CallOptions,
    ): Call<WatchDeliveries> => ask(() => `${one(watchId, '/deliveries')}${queryOf(query)}`, options),
    /** Sends a message to the webhook again. */
    repeat: (watchId: string, cursor: string, options?: CallOptions): Call<WatchDeliveries> =>
      ask(() => one(watchId, `/deliveries/${encodeURIComponent(cursor)}/repeat`), options, { method: 'POST' }),
    /** Where messages of watches without targets of their own are sent, and how that went. */
    notify: (options?: CallOptions): Call<Notify> => ask(() => '/v1/account/notify', options),
    /** Sets where messages are sent. */
    setNotify: (targets: readonly NotifyTargetInput[], options?: CallOptions): Call<Notify> =>
      ask(() => '/v1/account/notify', options, { method: 'PUT', body: { notify: targets } }),
    /** Sends a test message to a target that is set (`targetId`), or to an address; `watchId`: to a target of this watch. */
    testNotify: (
      body: { readonly targetId: string } | NotifyTargetInput,
      watchId: string | null = null,
      options?: CallOptions,
    ): Call<NotifyTestResult> =>
      ask(() => (watchId === null ? '/v1/account/notify/test' : one(watchId, '/notify/test')), options, { method: 'POST', body }),
    sites: (options?: CallOptions): Call<AccountSites> => ask(() => '/v1/account/sites', options),
    setSites: (sites: Pick<AccountSites, 'own'> & Partial<AccountSites>, options?: CallOptions): Call<AccountSites> =>
      ask(() => '/v1/account/sites', options, { method: 'PUT', body: sites }),
    /** Places of the own site and its rivals for the watched keywords, from stored checks. */
    rankings: (
      query?: Query<Omit<AccountInput<'account-rankings'>, 'rest' | 'format' | 'title' | 'client' | 'sender'>>,
      options?: CallOptions,
    ): Call<Rankings> => ask(() => `/v1/account/rankings${queryOf(query)}`, options),
    /** Places of the own app and its rivals for the watched keywords of the app marketplace, from stored checks. */
    appRankings: (query?: Query<Omit<AccountInput<'account-app-rankings'>, 'rest' | 'format'>>, options?: CallOptions): Call<AppRankings> =>
      ask(() => `/v1/account/app-rankings${queryOf(query)}`, options),
    /** When the address of the calendar of due dates was made. */
    calendar: (options?: CallOptions): Call<Calendar> => ask(() => `${all}/calendar`, options),
    /** Makes the address of the calendar of due dates, which is shown this once; an earlier one ends. */
    makeCalendar: (options?: CallOptions): Call<WatchCalendar> => ask(() => `${all}/calendar`, options, { method: 'POST' }),
    endCalendar: (options?: CallOptions): Call<void> => ask(() => `${all}/calendar`, options, { method: 'DELETE' }),
    /** One page of the feed. */
    feed,
    /** Every change, until `signal` is aborted: pass `cursor` of the last one as `after` to resume. */
    async *changes(
      { after, watch, everyMs = EVERY_MS }: ChangesQuery = {},
      options?: CallOptions,
    ): AsyncGenerator<WatchChange, void, undefined> {
      let cursor = after;
      try {
        while (!options?.signal?.aborted) {
          const page: WatchChanges = await feed({ watch, ...(cursor !== undefined && { after: Number(cursor) }) }, options);
          yield* page.changes;
          cursor = page.after ?? cursor;
          if (!page.hasMore) await sleep(everyMs, options?.signal);
        }
      } catch (error) {
        // an abort ends it, also within a request
        if (!options?.signal?.aborted) throw error;
      }
    },
  };
}
