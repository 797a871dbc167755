import { community } from '../../parameters/forum.ts';
import { inPath, sortIn } from '../../parameters/parameter.ts';
import { defineOperation } from '../define.ts';
import { after, postPage } from '../forum.ts';

export const FORUM_SORTS = ['hot', 'new', 'top', 'rising'] as const;

export const forumCommunity = defineOperation({
  ...postPage,
  id: 'forum-community',
  method: 'community',
  path: '/v1/forum/communities/{community}',
  summary: 'One page of posts of a community',
  parameters: [
    inPath('community', community, 'Name of the community.', 'acmewidgets'),
    sortIn('sort', FORUM_SORTS, 'Order of the posts.', 'hot'),
    after,
  ],
});
