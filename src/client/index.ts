export type { WatchImport } from '../contract/account/watch-list-schemas.ts';
export type { Watch, WatchChange, WatchEdit } from '../contract/account/watch-schemas.ts';
export type { Answer, Call } from './call.ts';
export { type ErrorCode, type ServiceCode, SightlineError } from './error.ts';
export type { FetchAnswer, FetchLike, FetchRequest } from './fetch.ts';
export type { LookupInput, PageItem, ResourceOf } from './lookups.ts';
export type { CallOptions, ClientOptions, OAuthClient, PageOptions } from './options.ts';
export { Sightline } from './sightline.ts';
export type { NewWatch, NewWatchList } from './watches.ts';
