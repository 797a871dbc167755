import type { ForumPostPage } from '../forum.ts';
import type { Presentation } from '../presentation.ts';

export const presentation: Presentation<ForumPostPage> = {
  name: 'Reddit search',
  icon: 'find',
  guidance: {
    title: 'Search of posts',
    use: 'Use to find Reddit posts that mention a product, brand or subject. To list a known community use forum_community.',
    fresh: 'Up to 5 min old.',
    limits: 'one page; `after` leads on; posts, not comments. Nothing found: an empty list, no error. null: left out by the platform.',
  },
  lines: ({ posts }) => [`${posts.length} posts, first: ${posts[0]?.title ?? ''}`],
};
