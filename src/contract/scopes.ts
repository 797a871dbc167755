import { type AreaId, areaList, operationList } from './operations/index.ts';

/** A scope of an access token: an area of operations, the account, or the writing of watches. */
export type Scope = AreaId | 'account' | 'watches';

/** What a scope allows, in the words of the consent page. */
export const SCOPES: ReadonlyMap<Scope, string> = new Map<Scope, string>([
  ...areaList.map(({ id, scope }) => [id, scope] as const),
  [
    'account',
    'Read balance, usage, ledger, requests and watches of the account: also prices, what all of its keys looked up, and of webhook addresses the host and the last characters',
  ],
  [
    'watches',
    'Create watches of what it may look up, and change, run and delete those that it created: their checks spend its credits, also while you are away, and tell an address that the app chooses what changed; they stop when this access ends',
  ],
]);
export const ALL_SCOPES: readonly Scope[] = [...SCOPES.keys()];

export const isScope = (text: string): text is Scope => (ALL_SCOPES as readonly string[]).includes(text);

/** Whether the scope is an area, which allows lookups. */
export const isArea = (scope: Scope): boolean => scope !== 'account' && scope !== 'watches';

export const operationsOf = (scopes: readonly string[]): string[] =>
  operationList.filter((o) => scopes.includes(o.area.id)).map((o) => o.id);
