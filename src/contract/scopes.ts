import { type AreaId, areaList, operationList } from './operations/index.ts';

/** A scope of an access token: an area of operations, or the account. */
export type Scope = AreaId | 'account';

export const SCOPES: ReadonlyMap<Scope, string> = new Map<Scope, string>([
  ...areaList.map(({ id, scope }) => [id, scope] as const),
  ['account', 'Balance, usage, ledger and prices of the own account'],
]);
export const ALL_SCOPES: readonly Scope[] = [...SCOPES.keys()];

export const isScope = (text: string): text is Scope => (ALL_SCOPES as readonly string[]).includes(text);

export const operationsOf = (scopes: readonly string[]): string[] =>
  operationList.filter((o) => scopes.includes(o.area.id)).map((o) => o.id);
