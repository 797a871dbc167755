import { community } from '../../parameters/forum.ts';
import { optional, required, sortIn, textUpTo } from '../../parameters/parameter.ts';
import { defineOperation } from '../define.ts';
import { after, postPage } from '../forum.ts';

export const FORUM_SEARCH_SORTS = ['relevance', 'new', 'top', 'comments'] as const;

export const forumSearch = defineOperation({
  ...postPage,
  id: 'forum-search',
  method: 'search',
  path: '/v1/forum/search',
  summary: 'One page of posts found by text',
  parameters: [
    required('query', textUpTo(512), 'Search terms, 1 to 512 characters.', 'acme widgets'),
    sortIn('sort', FORUM_SEARCH_SORTS, 'Order of the posts.', 'relevance'),
    after,
    optional('community', community, 'Search in this community alone.', 'acmewidgets'),
  ],
});
