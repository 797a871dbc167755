// Written by npm run generate from src/contract.

export const USUAL_DEADLINE_MS = 30000;
/** The operations by area and method. */
export const METHODS = {
  searchengine: {
    serp: {
      id: 'serp',
      path: '/v1/searchengine/serp',
      needs: ['keyword'],
      takes: ['location', 'language', 'device', 'depth', 'engine'],
      deadlineMs: 120000,
    },
  },
  shortvideo: { video: { id: 'short-video', path: '/v1/shortvideo/videos', needs: ['url'] } },
  microblog: { post: { id: 'microblog-post', path: '/v1/microblog/posts', needs: ['url'] } },
  forum: {
    community: {
      id: 'forum-community',
      path: '/v1/forum/communities/{community}',
      takes: ['sort', 'after'],
      items: 'posts',
      next: 'after',
    },
    search: {
      id: 'forum-search',
      path: '/v1/forum/search',
      needs: ['query'],
      takes: ['sort', 'after', 'community'],
      items: 'posts',
      next: 'after',
    },
    comments: { id: 'forum-comments', path: '/v1/forum/posts/{postId}/comments', deadlineMs: 90000 },
  },
  appmarket: {
    app: { id: 'app', path: '/v1/appmarket/apps/{handle}' },
    reviews: { id: 'app-reviews', path: '/v1/appmarket/apps/{handle}/reviews', takes: ['page', 'sort'], items: 'reviews', next: 'page' },
    appstoreReviews: {
      id: 'appstore-reviews',
      path: '/v1/appmarket/appstore/app/{handle}/reviews',
      takes: ['page', 'sort'],
      renamed: { sort: 'sort_by' },
      items: 'reviews',
      next: 'page',
    },
    keywords: { id: 'app-keywords', path: '/v1/appmarket/apps/keywords', needs: ['keyword'], takes: ['page'], items: 'apps', next: 'page' },
    developer: { id: 'app-developer', path: '/v1/appmarket/apps/developers/{handle}' },
    category: { id: 'appstore-category', path: '/v1/appmarket/appstore/category/{handle}', takes: ['page'], items: 'apps', next: 'page' },
  },
  traffic: { domain: { id: 'traffic', path: '/v1/traffic/domains/{domain}' } },
  registration: { domain: { id: 'registration', path: '/v1/website/whois/domains/{domain}' } },
} as const;
/** Codes of the service, and whether a retry may help within minutes. */
export const RETRYABLE = {
  INVALID_REQUEST: false,
  UNAUTHORIZED: false,
  INSUFFICIENT_CREDITS: false,
  FORBIDDEN: false,
  NOT_FOUND: false,
  METHOD_NOT_ALLOWED: false,
  REQUEST_TOO_LARGE: false,
  RATE_LIMITED: true,
  INTERNAL_ERROR: true,
  NOT_IMPLEMENTED: false,
  UPSTREAM_FAILED: 'stated',
  UPSTREAM_UNREACHABLE: true,
  UPSTREAM_TIMEOUT: true,
  UPSTREAM_BLOCKED: false,
  UPSTREAM_RATE_LIMITED: true,
  UPSTREAM_CHANGED: false,
  UNAVAILABLE: true,
  OVERLOADED: true,
  NOT_CACHED: false,
} as const;
