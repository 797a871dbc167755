import type { Input, OperationId, Resource } from '../contract/operations/index.ts';

export const USUAL_DEADLINE_MS = 30_000;

interface Method {
  readonly id: OperationId;
  readonly path: `/v1/${string}`;
  /** Required parameters of the query; those of the path are in `path`. */
  readonly needs?: readonly string[];
  /** Names in the URL of input fields that are called otherwise. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Field of the resource with the entries of a page. */
  readonly items?: string;
  /** Deadline of a lookup; default: USUAL_DEADLINE_MS. */
  readonly deadlineMs?: number;
  /** What leads to the next page: the cursor `after` of the resource, or a page number. */
  readonly next?: 'after' | 'page';
}

/** The operations by area and method. A test compares it with the table of the contract. */
export const METHODS = {
  searchengine: { serp: { id: 'serp', path: '/v1/searchengine/serp', needs: ['keyword'], deadlineMs: 120_000 } },
  shortvideo: { video: { id: 'short-video', path: '/v1/shortvideo/videos', needs: ['url'] } },
  microblog: { post: { id: 'microblog-post', path: '/v1/microblog/posts', needs: ['url'] } },
  forum: {
    community: { id: 'forum-community', path: '/v1/forum/communities/{community}', items: 'posts', next: 'after' },
    search: { id: 'forum-search', path: '/v1/forum/search', needs: ['query'], items: 'posts', next: 'after' },
    comments: { id: 'forum-comments', path: '/v1/forum/posts/{postId}/comments', deadlineMs: 90_000 },
  },
  appmarket: {
    app: { id: 'app', path: '/v1/appmarket/apps/{handle}' },
    reviews: { id: 'app-reviews', path: '/v1/appmarket/apps/{handle}/reviews', items: 'reviews', next: 'page' },
    appstoreReviews: {
      id: 'appstore-reviews',
      path: '/v1/appmarket/appstore/app/{handle}/reviews',
      renamed: { sort: 'sort_by' },
      items: 'reviews',
      next: 'page',
    },
    keywords: { id: 'app-keywords', path: '/v1/appmarket/apps/keywords', needs: ['keyword'], items: 'apps', next: 'page' },
    developer: { id: 'app-developer', path: '/v1/appmarket/apps/developers/{handle}' },
    category: { id: 'appstore-category', path: '/v1/appmarket/appstore/category/{handle}', items: 'apps', next: 'page' },
  },
  traffic: { domain: { id: 'traffic', path: '/v1/traffic/domains/{domain}' } },
  registration: { domain: { id: 'registration', path: '/v1/website/whois/domains/{domain}' } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Method>>>>;

type Table = typeof METHODS;
type Defined = { [A in keyof Table]: Table[A][keyof Table[A]] }[keyof Table];
type ById<Id extends OperationId> = Extract<Defined, { readonly id: Id }>;

type InPath<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | InPath<Rest> : never;
type Needed<M> =
  | (M extends { readonly path: infer P extends string } ? InPath<P> : never)
  | (M extends { readonly needs: readonly (infer N)[] } ? N : never);
type Flat<T> = { [K in keyof T]: T[K] };

/** Parameters of a lookup. Types and enums are those of the contract; what has a default there may be left out. */
export type LookupInput<Id extends OperationId = OperationId> = Id extends OperationId
  ? Flat<
      { readonly [K in keyof Input<Id> as K extends Needed<ById<Id>> ? K : never]: Input<Id>[K] } & {
        readonly [K in keyof Input<Id> as K extends Needed<ById<Id>> ? never : K]?: Input<Id>[K] | undefined;
      }
    >
  : never;
/** Resource of an operation. */
export type ResourceOf<Id extends OperationId> = Resource<Id>;

/** Ids of the operations that answer in pages. */
export type PagedId = Extract<Defined, { readonly items: string }>['id'];
type ItemsField<Id extends PagedId> = ById<Id> extends { readonly items: infer F } ? F : never;
/** An entry of a page. */
export type PageItem<Id extends PagedId> =
  Resource<Id> extends { readonly [K in ItemsField<Id> & string]: readonly (infer T)[] } ? T : never;

/** Areas and their methods, each with the id of its operation. */
export type MethodIds = { readonly [A in keyof Table]: { readonly [M in keyof Table[A]]: IdOf<Table[A][M]> } };
type IdOf<M> = M extends { readonly id: infer Id extends OperationId } ? Id : never;

/** Method of an operation. */
export function methodOf(id: OperationId): Method {
  for (const area of Object.values(METHODS)) for (const method of Object.values<Method>(area)) if (method.id === id) return method;
  throw new TypeError(`There is no operation ${JSON.stringify(id)}.`);
}
