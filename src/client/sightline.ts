import type { WatchChange } from '../contract/account/watch-schemas.ts';
import type { OperationId } from '../contract/operations/index.ts';
import { type AccountMethods, type Ask, accountMethods } from './account.ts';
import { type Answer, type Call, callOf } from './call.ts';
import { type FetchLike, realTiming, sleep } from './fetch.ts';
import { type Areas, areasOf, type LookupInput, methodOf, type ResourceOf } from './lookups.ts';
import { USUAL_DEADLINE_MS } from './methods.ts';
import { CALL_OPTIONS, type CallOptions, type ClientOptions } from './options.ts';
import { demandNames, pathOf } from './path.ts';
import { type Action, createSend, exchange, type Send } from './send.ts';
import { createTokenSource } from './token.ts';
import { type ChangesQuery, type WatchMethods, watchMethods } from './watches.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const ACCOUNT_DEADLINE_MS = 60_000;
/** What a call may take beyond the deadline of its operation: the way there and back. */
const GRACE_MS = 5_000;
const deadlineOf = (id: OperationId): number => (methodOf(id).deadlineMs ?? USUAL_DEADLINE_MS) + GRACE_MS;

/** An environment variable, where there are any (Node, Deno, Bun). */
const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];

/** Without trailing slash. Throws a TypeError. */
function checkedUrl(given: string | undefined): string {
  if (!given) throw new TypeError('Sightline needs the URL of the service: baseUrl or SIGHTLINE_URL.');
  if (!/^https?:\/\/[^/@?#\s]+(\/[^@?#\s]*)?$/.test(given))
    throw new TypeError('baseUrl must be an http(s) URL without credentials, query and fragment, such as https://sightline.example.');
  return given.replace(/\/+$/, '');
}

/** Header values: an error of fetch would quote a wrong one, and it may be a secret. */
function checkedHeader(name: string, value: string): string {
  if (!/^[\t\x20-\x7e]+$/.test(value)) throw new TypeError(`${name} must be printable ASCII characters.`);
  return value;
}

/** Client of the service: a method for each operation under its area, and the account. Errors are SightlineErrors. */
export class Sightline {
  declare readonly searchengine: Areas['searchengine'];
  declare readonly shortvideo: Areas['shortvideo'];
  declare readonly microblog: Areas['microblog'];
  declare readonly forum: Areas['forum'];
  declare readonly appmarket: Areas['appmarket'];
  declare readonly traffic: Areas['traffic'];
  declare readonly registration: Areas['registration'];
  readonly account: AccountMethods;
  /** Stored lookups that tell what changed. */
  readonly watches: WatchMethods;
  readonly #send: Send;
  readonly #deadlineMs: number | undefined;

  /** Throws a TypeError for wrong options. */
  constructor(options: ClientOptions = {}) {
    const { baseUrl: url, apiKey: key, oauth, headers = {}, fetch: given, ...others } = options;
    const { deadlineMs, maxBytes = MAX_BYTES, maxRetries = 4, bodyFault = () => null, timing = realTiming, ...unknown } = others;
    for (const name in unknown) throw new TypeError(`There is no option "${name}".`);
    const baseUrl = checkedUrl(url ?? environment('SIGHTLINE_URL'));
    const apiKey = oauth || key === null ? null : (key ?? environment('SIGHTLINE_API_KEY'));
    if (apiKey === undefined) throw new TypeError('Sightline needs credentials: apiKey (null: none), oauth or SIGHTLINE_API_KEY.');
    if (apiKey !== null) checkedHeader('apiKey', apiKey);
    for (const [name, value] of Object.entries(headers)) checkedHeader(`Header ${name}`, value);
    const fetch: FetchLike = given ?? ((url, request) => globalThis.fetch(url, request));
    const postForm = (body: string, signal: AbortSignal) => {
      const formHeaders = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
      const request = { method: 'POST', headers: formHeaders, body, signal, credentials: 'omit' } as const;
      return exchange(fetch, `${baseUrl}/v1/oauth/token`, request, maxBytes);
    };
    const tokens = oauth ? createTokenSource(oauth, timing, postForm) : null;
    this.#send = createSend({ baseUrl, apiKey, tokens, headers, maxBytes, maxRetries, bodyFault, fetch, timing });
    this.#deadlineMs = deadlineMs;
    const areas = areasOf((id, input, o) => this.lookup(id, input as LookupInput<typeof id>, o));
    Object.assign(this, areas);
    const ask: Ask = (path, o, action) => this.#get(path, o, ACCOUNT_DEADLINE_MS, action);
    this.account = accountMethods(ask);
    this.watches = watchMethods(ask, (ms, signal) => sleep(timing, ms, signal));
  }

  /** What the watches of the account find, one after the other and without end; begins after the cursor, or with the first change. */
  changes(query?: ChangesQuery, options?: CallOptions): AsyncGenerator<WatchChange, void, undefined> {
    return this.watches.changes(query, options);
  }

  /** A lookup by the id of its operation. */
  lookup<Id extends OperationId>(operation: Id, input: LookupInput<Id>, options?: CallOptions): Call<ResourceOf<Id>> {
    return this.#get(() => pathOf(operation, input), options, deadlineOf(operation));
  }

  /** `path` runs within the promise: what it throws rejects the call. */
  #get<T>(path: () => string, options: CallOptions = {}, usualMs: number, action?: Action): Call<T> {
    const deadlineMs = options.deadlineMs ?? this.#deadlineMs ?? usualMs;
    const answer = async () => {
      demandNames(options, 'option', CALL_OPTIONS);
      return this.#send(path(), { ...options, deadlineMs }, action);
    };
    return callOf(answer() as Promise<Answer<T>>); // the resource was checked against the contract by the service
  }
}
