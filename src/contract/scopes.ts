import { type AreaId, areaList, operationList } from './operations/index.ts';

/** A scope of an access token: an area of operations, the account, or the writing of watches. */
export type Scope = AreaId | 'account' | 'watches';

/** What a scope allows, in the words of the consent page. */
export const SCOPES: ReadonlyMap<Scope, string> = new Map<Scope, string>([
  ...areaList.map(({ id, scope }) => [id, scope] as const),
  [
    'account',
    'Read your account: balance, usage, ledger, prices, the requests of all keys with what they looked up, and the watches of the areas above with what they found (of webhook addresses the host alone)',
  ],
  [
    'watches',
    'Create watches of the areas above, and change, run and delete those that it created: their checks spend credits of its day, also while you are away, and tell the address that the app names',
  ],
]);
export const ALL_SCOPES: readonly Scope[] = [...SCOPES.keys()];

export const isScope = (text: string): text is Scope => (ALL_SCOPES as readonly string[]).includes(text);

export const operationsOf = (scopes: readonly string[]): string[] =>
  operationList.filter((o) => scopes.includes(o.area.id)).map((o) => o.id);
