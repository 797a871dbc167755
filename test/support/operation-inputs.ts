import type { OperationId } from '../../src/contract/operations/index.ts';

const VIDEO = 'https://www.tiktok.com/@acme/video/7301234567890123456';
const POST = 'https://x.com/acme/status/1801234567890123456';
export const SERP = { keyword: 'running shoes', location: 'US', language: 'en', device: 'desktop', depth: 10, engine: 'engine_a' } as const;
/** A valid input of each operation. */
export const INPUTS: Readonly<Record<OperationId, object>> = {
  serp: SERP,
  'short-video': { url: VIDEO },
  'microblog-post': { url: POST },
  'forum-community': { community: 'pics', sort: 'hot' },
  'forum-search': { query: 'shoes', sort: 'relevance' },
  'forum-comments': { postId: 'abc123' },
  app: { handle: 'acme' },
  'app-reviews': { handle: 'acme', page: 1, sort: 'relevance' },
  'appstore-reviews': { handle: 'acme', page: 1, sort_by: 'relevance' },
  'app-keywords': { keyword: 'email', page: 1 },
  'app-developer': { handle: 'acme' },
  'appstore-category': { handle: 'marketing', page: 1 },
  traffic: { domain: 'example.com' },
  registration: { domain: 'example.com' },
};
