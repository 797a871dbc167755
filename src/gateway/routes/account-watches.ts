import Negotiator from 'negotiator';
import type { Caller } from '../../accounts/types.ts';
import type { AccountInput, EndpointId } from '../../contract/account/endpoints.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { PageQuery } from '../../watches/feed.ts';
import type { AccountWatches } from '../../watches/watches.ts';
import { jsonOf, readBody } from '../http/request.ts';
import type { AccountHandler, RouteDependencies } from '../parts.ts';

const MAX_BODY_BYTES = 65_536;
const TYPES = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson',
} as const;
type Format = keyof typeof TYPES;

/** The format that `Accept` (RFC 9110, 12.5.1) prefers; of equal ones the first. */
export function preferredOf<F extends Format>(accept: string | undefined, formats: readonly [F, ...F[]]): F {
  const typeOf = (format: F): string => TYPES[format].split(';', 1)[0] ?? '';
  const chosen = accept === undefined ? undefined : new Negotiator({ headers: { accept } }).mediaType(formats.map(typeOf));
  return formats.find((format) => typeOf(format) === chosen) ?? formats[0];
}

type WatchEndpointId = Extract<EndpointId, 'account-changes' | `account-watch${string}`>;
type Answer<Id extends WatchEndpointId> = (
  watches: AccountWatches,
  caller: Caller,
  input: AccountInput<Id>,
  body: () => Promise<unknown>,
) => Promise<object>;

export const page = ({ after, limit }: { readonly after?: number; readonly limit: number }): PageQuery => ({ after: after ?? null, limit });

export function watchesOf({ watches }: RouteDependencies): AccountWatches {
  if (watches) return watches;
  throw new ServiceError('NOT_IMPLEMENTED', 'This process makes no watches.');
}

/** The handler of an endpoint that answers with JSON. `body` reads the JSON of the request. */
const json =
  <Id extends WatchEndpointId>(answer: Answer<Id>): AccountHandler<Id> =>
  async (routes, { request }, caller, input) => {
    const body = async () => jsonOf(request, await readBody(request, MAX_BODY_BYTES, `The body is ${MAX_BODY_BYTES} bytes at most.`));
    return { json: await answer(watchesOf(routes), caller, input, body) };
  };

export const watchHandlers: { readonly [Id in WatchEndpointId]: AccountHandler<Id> } = {
  'account-watches': json((watches, caller, input) => watches.list(caller, page(input))),
  'account-watch-create': json(async (watches, caller, _input, body) => watches.create(caller, await body())),
  'account-watch': json((watches, caller, { watchId }) => watches.show(caller, watchId)),
  'account-watch-edit': json(async (watches, caller, { watchId }, body) => watches.edit(caller, watchId, await body())),
  'account-watch-delete': json(async (watches, caller, { watchId }) => {
    await watches.remove(caller, watchId);
    return { watchId, deleted: 'yes' };
  }),
  'account-watch-run': json((watches, caller, { watchId }) => watches.run(caller, watchId)),
  /** A page as JSON, or the whole as CSV or NDJSON. */
  async 'account-watch-history'(routes, { request }, caller, { watchId, format, ...input }) {
    const chosen = format ?? preferredOf(request.headers.accept, ['json', 'csv', 'ndjson']);
    if (chosen === 'json') return { json: await watchesOf(routes).history(caller, watchId, page(input)) };
    const text = await watchesOf(routes).export(caller, watchId, chosen);
    return { bytes: Buffer.from(text), headers: ['Content-Type', TYPES[chosen], 'Vary', 'Accept'] };
  },
  'account-watch-deliveries': json((watches, caller, { watchId, limit }) => watches.deliveries(caller, watchId, limit)),
  'account-watch-repeat': json((watches, caller, { watchId, cursor }) => watches.repeat(caller, watchId, cursor)),
  'account-changes': json((watches, caller, input) => watches.changes(caller, page(input), input.watch ?? null)),
};
