/** Checked by the compiler: each `@ts-expect-error` fails the type check where the line below it is accepted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode, PageItem, ResourceOf, ServiceCode, Sightline, SightlineError } from '../../src/client/index.ts';
import type { METHODS } from '../../src/client/methods.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import type { OperationId, Resource } from '../../src/contract/operations/index.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(_?: T): void => {};

type Methods = typeof METHODS;
/** What each method of the client returns, and what the contract says of its operation. */
type Returned = { [A in keyof Methods]: { [M in keyof Methods[A]]: M extends keyof Sightline[A] ? Answer<Sightline[A][M]> : never } };
type Promised = {
  [A in keyof Methods]: { [M in keyof Methods[A]]: Methods[A][M] extends { id: infer Id extends OperationId } ? Resource<Id> : never };
};
type Answer<M> = M extends (...args: never[]) => infer Returns ? Awaited<Returns> : never;
holds<Equal<Returned, Promised>>();
holds<Equal<Returned['registration']['domain'], Resource<'registration'>>>();
// @ts-expect-error the answer of another operation
holds<Equal<Returned['registration']['domain'], Resource<'traffic'>>>();

export async function wrongCalls(client: Sightline): Promise<void> {
  // @ts-expect-error a required parameter of the query is missing
  client.searchengine.serp({ depth: 10 });
  // @ts-expect-error a required parameter of the path is missing
  client.forum.comments({});
  // @ts-expect-error there is no such parameter
  client.forum.comments({ postId: 'a', sort: 'new' });
  // @ts-expect-error there is no such device
  client.searchengine.serp({ keyword: 'a', device: 'tablet' });
  // @ts-expect-error there is no such order
  client.forum.community({ community: 'a', sort: 'best' });
  // @ts-expect-error a number is needed
  client.searchengine.serp({ keyword: 'a', depth: '10' });
  // @ts-expect-error there is no such method
  client.forum.posts({ community: 'a' });
  // @ts-expect-error an app has no pages
  client.appmarket.app.all({ handle: 'a' });
  // @ts-expect-error there is no such option
  client.traffic.domain({ domain: 'a' }, { retries: 1 });
  // @ts-expect-error there is no such operation
  client.lookup('forum', { community: 'a' });
  // @ts-expect-error the parameters are those of another operation
  client.account.price('serp', { domain: 'a' });
  // @ts-expect-error the resource has no such field
  (await client.registration.domain({ domain: 'a' })).expires;
}

export async function pages(client: Sightline): Promise<void> {
  for await (const post of client.forum.community.all({ community: 'a' }, { limit: 5 }))
    holds<Equal<typeof post, ResourceOf<'forum-community'>['posts'][number]>>();
  for await (const app of client.appmarket.keywords.all({ keyword: 'a' })) holds<Equal<typeof app, PageItem<'app-keywords'>>>();
  for await (const entry of client.account.ledger.all()) holds<Equal<(typeof entry)['credits'], number>>();
}

/** The type of the codes is exhaustive: a code that is left out would reach the last line with another type than never. */
export function everyCode({ code }: SightlineError): string {
  switch (code) {
    case 'INVALID_REQUEST':
    case 'UNAUTHORIZED':
    case 'INSUFFICIENT_CREDITS':
    case 'FORBIDDEN':
    case 'NOT_FOUND':
    case 'METHOD_NOT_ALLOWED':
    case 'REQUEST_TOO_LARGE':
    case 'RATE_LIMITED':
    case 'INTERNAL_ERROR':
    case 'NOT_IMPLEMENTED':
      return 'of the request, or the service';
    case 'UPSTREAM_FAILED':
    case 'UPSTREAM_UNREACHABLE':
    case 'UPSTREAM_TIMEOUT':
    case 'UPSTREAM_BLOCKED':
    case 'UPSTREAM_RATE_LIMITED':
    case 'UPSTREAM_CHANGED':
      return 'of the source';
    case 'OVERLOADED':
    case 'UNAVAILABLE':
    case 'NOT_CACHED':
      return 'of the moment';
    case 'CONNECTION_FAILED':
    case 'DEADLINE_EXCEEDED':
    case 'ABORTED':
    case 'UNEXPECTED_ANSWER':
    case 'ANSWER_TOO_LARGE':
    case 'CURSOR_REPEATED':
      return 'of the client';
    default:
      holds<Equal<typeof code, never>>();
      return code;
  }
}
// @ts-expect-error there is no such code
export const noCode: ErrorCode = 'TEAPOT';

test('the codes of the service in the type are those of the error table', () => {
  const codes = new Set((Object.keys(ERRORS) as ErrorName[]).map(codeOf));
  const typed: Record<ServiceCode, true> = {
    INVALID_REQUEST: true,
    UNAUTHORIZED: true,
    INSUFFICIENT_CREDITS: true,
    FORBIDDEN: true,
    NOT_FOUND: true,
    METHOD_NOT_ALLOWED: true,
    REQUEST_TOO_LARGE: true,
    RATE_LIMITED: true,
    INTERNAL_ERROR: true,
    NOT_IMPLEMENTED: true,
    UPSTREAM_FAILED: true,
    UPSTREAM_UNREACHABLE: true,
    UPSTREAM_TIMEOUT: true,
    UPSTREAM_BLOCKED: true,
    UPSTREAM_RATE_LIMITED: true,
    UPSTREAM_CHANGED: true,
    OVERLOADED: true,
    UNAVAILABLE: true,
    NOT_CACHED: true,
  };
  assert.deepEqual([...codes].sort(), Object.keys(typed).sort());
});
