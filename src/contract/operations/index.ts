import type { TSchema } from 'typebox';
import { readAppHandle, readHandle } from '../parameters/app-handle.ts';
import { readDomain } from '../parameters/domain-name.ts';
import { readAfter, readCommunity, readForumPostId } from '../parameters/forum.ts';
import { readCountry, readLanguage } from '../parameters/iso.ts';
import { inPath, optional, type Parameter, pageSchema, readInteger, readOneOf, readText, required } from '../parameters/parameter.ts';
import { readPostUrl } from '../parameters/post-url.ts';
import { readVideoUrl } from '../parameters/video-url.ts';
import * as appmarket from './appmarket.ts';
import * as forum from './forum.ts';
import { freshFor } from './freshness.ts';
import { MicroblogPost } from './microblog.ts';
import { DomainRegistration } from './registration.ts';
import * as searchengine from './searchengine.ts';
import { ShortVideo } from './shortvideo.ts';
import { TrafficEstimate } from './traffic.ts';

/** What each operation asks: the input that sources get. */
export interface Inputs {
  serp: {
    keyword: string;
    location: string;
    language: string;
    device: 'desktop' | 'mobile';
    depth: number;
    engine: 'engine_a' | 'engine_b';
  };
  'short-video': { url: string };
  'microblog-post': { url: string };
  'forum-community': { community: string; sort: (typeof forum.FORUM_SORTS)[number]; after?: string };
  'forum-search': { query: string; sort: (typeof forum.FORUM_SEARCH_SORTS)[number]; after?: string; community?: string };
  'forum-comments': { postId: string };
  app: { handle: string };
  'app-reviews': { handle: string; page: number; sort: (typeof appmarket.REVIEW_SORTS)[number] };
  'appstore-reviews': { handle: string; page: number; sort: (typeof appmarket.REVIEW_SORTS)[number] };
  'app-keywords': { keyword: string; page: number };
  'app-developer': { handle: string };
  'appstore-category': { handle: string; page: number };
  traffic: { domain: string };
  registration: { domain: string };
}
export type OperationId = keyof Inputs;

/** What each operation answers. */
export interface Resources {
  serp: searchengine.SearchResult;
  'short-video': ShortVideo;
  'microblog-post': MicroblogPost;
  'forum-community': forum.ForumPostPage;
  'forum-search': forum.ForumPostPage;
  'forum-comments': forum.ForumThread;
  app: appmarket.AppProfile;
  'app-reviews': appmarket.AppReviewPage;
  'appstore-reviews': appmarket.AppReviewPage;
  'app-keywords': appmarket.AppKeywordRanking;
  'app-developer': appmarket.DeveloperProfile;
  'appstore-category': appmarket.CategoryDetail;
  traffic: TrafficEstimate;
  registration: DomainRegistration;
}

export type Area = 'searchengine' | 'shortvideo' | 'microblog' | 'forum' | 'appmarket' | 'traffic' | 'registration';

export interface Operation<Id extends OperationId = OperationId> {
  /** Number in the specification. */
  readonly number: number;
  readonly id: Id;
  readonly area: Area;
  /** Template of the specification, with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly resourceName: string;
  readonly resource: TSchema;
  /** Credits of an answer; `delivered` results cost less where fewer came than were asked for. */
  readonly price: (input: Inputs[Id], delivered?: number) => number;
  readonly priceWords: string;
  /** How long an answer is fresh, from the moment it was read. */
  readonly freshForMs: (resource: Resources[Id], nowMs: number) => number;
  /** How long a stale copy may be kept after it was read. */
  readonly keepForMs: number;
}

const HOUR = 3_600_000;
const one = () => 1;
const ordinary = { price: one, priceWords: '1 credit', keepForMs: 24 * HOUR };
const page = optional({
  name: 'page',
  default: 1,
  description: 'Page number, 1 or more.',
  example: 1,
  schema: pageSchema,
  read: readInteger(1, 100_000),
});
const handle = (description: string, example: string, read = readHandle) =>
  inPath({ name: 'handle', description, example, schema: { type: 'string', minLength: 1 }, read });
const after = optional({
  name: 'after',
  description: 'Cursor: `after` of the page before.',
  example: 't3_1abc6d',
  schema: { type: 'string' },
  read: readAfter,
});
const oneOf = (values: readonly string[]) => ({ type: 'string', enum: [...values] });
const domain = (privateRegistries: boolean) =>
  inPath({
    name: 'domain',
    description: 'Domain name; a host name is reduced to its registrable domain.',
    example: 'acme-widgets.com',
    schema: { type: 'string', minLength: 1 },
    read: readDomain({ privateRegistries }),
  });
const sortBy = (name: string) =>
  optional({
    name,
    field: 'sort',
    default: 'relevance',
    description: 'Order of the reviews.',
    example: 'newest',
    schema: oneOf(appmarket.REVIEW_SORTS),
    read: readOneOf(appmarket.REVIEW_SORTS),
  });

type Table = { readonly [Id in OperationId]: Operation<Id> };

/** The fourteen operations of the specification. Gateway, OpenAPI, command line, client and tests all loop over this table. */
export const OPERATIONS: Table = {
  serp: {
    ...ordinary,
    number: 1,
    id: 'serp',
    area: 'searchengine',
    path: '/v1/searchengine/serp',
    summary: 'Rankings and features of the result page for one keyword',
    parameters: [
      required({
        name: 'keyword',
        description: 'What is searched for, 1 to 700 characters.',
        example: 'running shoes',
        schema: { type: 'string', minLength: 1, maxLength: 700 },
        read: readText(700),
      }),
      optional({
        name: 'location',
        default: 'US',
        description: 'ISO 3166-1 alpha-2 country.',
        example: 'US',
        schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
        read: readCountry,
      }),
      optional({
        name: 'language',
        default: 'en',
        description: 'ISO 639-1 language.',
        example: 'en',
        schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
        read: readLanguage,
      }),
      optional({
        name: 'device',
        default: 'desktop',
        description: 'Device the page is made for.',
        example: 'desktop',
        schema: oneOf(searchengine.DEVICES),
        read: readOneOf(searchengine.DEVICES),
      }),
      optional({
        name: 'depth',
        default: 10,
        description: 'Number of results, 1 to 200.',
        example: 10,
        schema: { type: 'integer', minimum: 1, maximum: 200 },
        read: readInteger(1, 200),
      }),
      optional({
        name: 'engine',
        default: 'engine_a',
        description: 'Search engine; never switched silently.',
        example: 'engine_a',
        schema: oneOf(searchengine.ENGINES),
        read: readOneOf(searchengine.ENGINES),
      }),
    ],
    resourceName: 'SearchResult',
    resource: searchengine.SearchResult,
    price: (input, delivered) => Math.max(1, Math.ceil(Math.min(input.depth, delivered ?? input.depth) / 10)),
    priceWords: '1 credit for each ten results of `depth`, begun tens counted; what the engine does not have is given back',
    freshForMs: freshFor.hours(1),
  },
  'short-video': {
    ...ordinary,
    number: 2,
    id: 'short-video',
    area: 'shortvideo',
    path: '/v1/shortvideo/videos',
    summary: 'One short video by its URL',
    parameters: [
      required({
        name: 'url',
        description: 'URL of the video, in any form that the platform hands out.',
        example: 'https://www.tiktok.com/@acmewidgets/video/7301234567890123456',
        schema: { type: 'string', minLength: 1 },
        read: readVideoUrl,
      }),
    ],
    resourceName: 'ShortVideo',
    resource: ShortVideo,
    freshForMs: freshFor.signedUrls,
  },
  'microblog-post': {
    ...ordinary,
    number: 3,
    id: 'microblog-post',
    area: 'microblog',
    path: '/v1/microblog/posts',
    summary: 'One microblog post by its URL',
    parameters: [
      required({
        name: 'url',
        description: 'URL of the post, in any form that the platform hands out.',
        example: 'https://x.com/acmewidgets/status/1801234567890123456',
        schema: { type: 'string', minLength: 1 },
        read: readPostUrl,
      }),
    ],
    resourceName: 'MicroblogPost',
    resource: MicroblogPost,
    freshForMs: freshFor.minutes(5),
  },
  'forum-community': {
    ...ordinary,
    number: 4,
    id: 'forum-community',
    area: 'forum',
    path: '/v1/forum/communities/{community}',
    summary: 'One page of posts of a community',
    parameters: [
      inPath({
        name: 'community',
        description: 'Name of the community.',
        example: 'acmewidgets',
        schema: { type: 'string', minLength: 1 },
        read: readCommunity,
      }),
      optional({
        name: 'sort',
        default: 'hot',
        description: 'Order of the posts.',
        example: 'hot',
        schema: oneOf(forum.FORUM_SORTS),
        read: readOneOf(forum.FORUM_SORTS),
      }),
      after,
    ],
    resourceName: 'ForumPostPage',
    resource: forum.ForumPostPage,
    keepForMs: 48 * HOUR,
    freshForMs: freshFor.minutes(5),
  },
  'forum-search': {
    ...ordinary,
    number: 5,
    id: 'forum-search',
    area: 'forum',
    path: '/v1/forum/search',
    summary: 'One page of posts found by text',
    parameters: [
      required({
        name: 'query',
        description: 'What is searched for, 1 to 512 characters.',
        example: 'acme widgets',
        schema: { type: 'string', minLength: 1, maxLength: 512 },
        read: readText(512),
      }),
      optional({
        name: 'sort',
        default: 'relevance',
        description: 'Order of the posts.',
        example: 'relevance',
        schema: oneOf(forum.FORUM_SEARCH_SORTS),
        read: readOneOf(forum.FORUM_SEARCH_SORTS),
      }),
      after,
      optional({
        name: 'community',
        description: 'Search in this community alone.',
        example: 'acmewidgets',
        schema: { type: 'string', minLength: 1 },
        read: readCommunity,
      }),
    ],
    resourceName: 'ForumPostPage',
    resource: forum.ForumPostPage,
    keepForMs: 48 * HOUR,
    freshForMs: freshFor.minutes(5),
  },
  'forum-comments': {
    ...ordinary,
    number: 6,
    id: 'forum-comments',
    area: 'forum',
    path: '/v1/forum/posts/{postId}/comments',
    summary: 'One post with all of its comments as a flat list',
    parameters: [
      inPath({
        name: 'postId',
        description: 'Id of the post.',
        example: '1abc01',
        schema: { type: 'string', minLength: 1 },
        read: readForumPostId,
      }),
    ],
    resourceName: 'ForumThread',
    resource: forum.ForumThread,
    keepForMs: 48 * HOUR,
    freshForMs: freshFor.minutes(5),
  },
  app: {
    ...ordinary,
    number: 7,
    id: 'app',
    area: 'appmarket',
    path: '/v1/appmarket/apps/{handle}',
    summary: 'Profile of one app',
    parameters: [handle('Handle of the app.', 'acme-reviews', readAppHandle)],
    resourceName: 'AppProfile',
    resource: appmarket.AppProfile,
    freshForMs: freshFor.hours(6),
  },
  'app-reviews': {
    ...ordinary,
    number: 8,
    id: 'app-reviews',
    area: 'appmarket',
    path: '/v1/appmarket/apps/{handle}/reviews',
    summary: 'One page of reviews of an app, ordered by `sort`',
    parameters: [handle('Handle of the app.', 'acme-reviews', readAppHandle), page, sortBy('sort')],
    resourceName: 'AppReviewPage',
    resource: appmarket.AppReviewPage,
    freshForMs: freshFor.hours(6),
  },
  'appstore-reviews': {
    ...ordinary,
    number: 9,
    id: 'appstore-reviews',
    area: 'appmarket',
    path: '/v1/appmarket/appstore/app/{handle}/reviews',
    summary: 'One page of reviews of an app under its app store path, ordered by `sort_by`',
    parameters: [handle('Handle of the app.', 'acme-reviews', readAppHandle), page, sortBy('sort_by')],
    resourceName: 'AppReviewPage',
    resource: appmarket.AppReviewPage,
    freshForMs: freshFor.hours(6),
  },
  'app-keywords': {
    ...ordinary,
    number: 10,
    id: 'app-keywords',
    area: 'appmarket',
    path: '/v1/appmarket/apps/keywords',
    summary: 'One page of the apps ranked for a keyword',
    parameters: [
      required({
        name: 'keyword',
        description: 'What is searched for, 1 to 200 characters.',
        example: 'product reviews',
        schema: { type: 'string', minLength: 1, maxLength: 200 },
        read: readText(200),
      }),
      page,
    ],
    resourceName: 'AppKeywordRanking',
    resource: appmarket.AppKeywordRanking,
    freshForMs: freshFor.hours(6),
  },
  'app-developer': {
    ...ordinary,
    number: 11,
    id: 'app-developer',
    area: 'appmarket',
    path: '/v1/appmarket/apps/developers/{handle}',
    summary: 'A developer with all apps',
    parameters: [handle('Handle of the developer.', 'acme-widgets')],
    resourceName: 'DeveloperProfile',
    resource: appmarket.DeveloperProfile,
    freshForMs: freshFor.hours(6),
  },
  'appstore-category': {
    ...ordinary,
    number: 12,
    id: 'appstore-category',
    area: 'appmarket',
    path: '/v1/appmarket/appstore/category/{handle}',
    summary: 'A category with one page of its apps',
    parameters: [handle('Handle of the category.', 'marketing-and-conversion-social-trust-product-reviews'), page],
    resourceName: 'CategoryDetail',
    resource: appmarket.CategoryDetail,
    freshForMs: freshFor.hours(6),
  },
  traffic: {
    ...ordinary,
    number: 13,
    id: 'traffic',
    area: 'traffic',
    path: '/v1/traffic/domains/{domain}',
    summary: 'Visit and engagement estimates of a domain',
    parameters: [domain(false)],
    resourceName: 'TrafficEstimate',
    resource: TrafficEstimate,
    freshForMs: freshFor.nextList,
  },
  registration: {
    ...ordinary,
    number: 14,
    id: 'registration',
    area: 'registration',
    path: '/v1/website/whois/domains/{domain}',
    summary: 'Registration of a domain',
    parameters: [domain(true)],
    resourceName: 'DomainRegistration',
    resource: DomainRegistration,
    freshForMs: freshFor.registration,
  },
};

export const operationList: readonly Operation[] = Object.values(OPERATIONS) as unknown as readonly Operation[];
/** `forum-comments` → `forumComments`, the OpenAPI operationId. */
export const camelCase = (id: string): string => id.replace(/-(\w)/g, (_, c: string) => c.toUpperCase());
/** By its id, or by its OpenAPI operationId. */
export const operationOf = (id: string): Operation | undefined => operationList.find((o) => o.id === id || camelCase(o.id) === id);
