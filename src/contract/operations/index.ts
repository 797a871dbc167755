import { app } from './app/operation.ts';
import { appDeveloper } from './app-developer/operation.ts';
import { appKeywords } from './app-keywords/operation.ts';
import { appReviews } from './app-reviews/operation.ts';
import { appstoreCategory } from './appstore-category/operation.ts';
import { appstoreReviews } from './appstore-reviews/operation.ts';
import { type Area, type Defined, tableOf } from './define.ts';
import { forumComments } from './forum-comments/operation.ts';
import { forumCommunity } from './forum-community/operation.ts';
import { forumSearch } from './forum-search/operation.ts';
import { microblogPost } from './microblog-post/operation.ts';
import { registration } from './registration/operation.ts';
import { serp } from './serp/operation.ts';
import { shortVideo } from './short-video/operation.ts';
import { traffic } from './traffic/operation.ts';

/** The fourteen operations of the specification. Routes, OpenAPI description, scopes, command line and tests iterate over this table. */
export const OPERATIONS = tableOf(
  serp,
  shortVideo,
  microblogPost,
  forumCommunity,
  forumSearch,
  forumComments,
  app,
  appReviews,
  appstoreReviews,
  appKeywords,
  appDeveloper,
  appstoreCategory,
  traffic,
  registration,
);

type Table = typeof OPERATIONS;
export type OperationId = keyof Table;
type Inputs = { readonly [Id in OperationId]: Table[Id] extends Defined<string, string, infer I, infer _R> ? I : never };
type Resources = { readonly [Id in OperationId]: Table[Id] extends Defined<string, string, infer _I, infer R> ? R : never };

export type Input<Id extends OperationId = OperationId> = Inputs[Id];
export type Resource<Id extends OperationId = OperationId> = Resources[Id];
export type AreaId = Table[OperationId]['area']['id'];
export type Operation = Defined<OperationId, AreaId, Input, Resource>;

export const operationList: readonly Operation[] = Object.values(OPERATIONS);
export const areaList: readonly Area<AreaId>[] = [...new Set(operationList.map((o) => o.area))];

/** `forum-comments` → `forumComments`, the OpenAPI operationId. */
export const camelCase = (id: string): string => id.replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
export const operationOf = (id: string): Operation | undefined => operationList.find((o) => o.id === id || camelCase(o.id) === id);

/** Credits by operation, as configured; for `serp` credits per ten results. Default: 1. */
export type Prices = Readonly<Partial<Record<OperationId, number>>>;

/** Credits of an answer at these prices; `delivered` as in `Operation.price`. A page without results costs 1 at any price. */
export function priceOf<Id extends OperationId>(prices: Prices, id: Id, input: Input<Id>, delivered?: number): number {
  if (delivered === 0) return 1;
  const operation: Operation = OPERATIONS[id];
  return operation.price(input, delivered) * (prices[id] ?? 1);
}

export function priceInWords(prices: Prices, operation: Pick<Operation, 'id' | 'priceInWords'>): string {
  const unit = prices[operation.id] ?? 1;
  return unit === 1 ? operation.priceInWords : operation.priceInWords.replace('1 credit', `${unit} credits`);
}
