import type { ForumPostPage } from '../forum.ts';
import type { Presentation } from '../presentation.ts';

export const presentation: Presentation<ForumPostPage> = {
  name: 'Reddit posts',
  icon: 'posts',
  guidance: {
    title: 'Posts of a community',
    use: 'Use to read the hot, new, top or rising posts of one subreddit. To find posts by text use forum_search.',
    fresh: 'Up to 5 min old.',
    limits: 'one page; `after` leads on. Private or unknown: NOT_FOUND. null: not stated, such as hidden scores.',
  },
  lines: ({ posts }) => [`${posts.length} posts, first: ${posts[0]?.title ?? ''}`],
};
