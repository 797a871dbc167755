import { type Area, operationList } from './operations/index.ts';

/** What an access token may be used for: an area of operations, or the caller's own account. */
export type Scope = Area | 'account';

export const SCOPES: Readonly<Record<Scope, string>> = {
  searchengine: 'Search results',
  shortvideo: 'Short videos',
  microblog: 'Microblog posts',
  forum: 'The discussion platform',
  appmarket: 'The app marketplace',
  traffic: 'Website traffic',
  registration: 'Domain registration',
  account: 'Balance, usage, ledger and prices of the own account',
};
export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

export const isScope = (text: string): text is Scope => Object.hasOwn(SCOPES, text);

/** Operations that these scopes allow. */
export const operationsOf = (scopes: readonly string[]): string[] => operationList.filter((o) => scopes.includes(o.area)).map((o) => o.id);
