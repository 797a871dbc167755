import { facts, number, type Presentation } from '../presentation.ts';
import type { ShortVideo } from './operation.ts';

export const presentation: Presentation<ShortVideo> = {
  name: 'TikTok video',
  icon: 'video',
  guidance: {
    title: 'Short video',
    use: 'Use for caption, counts, author and music of one public video (TikTok) by its URL. Not for search, comments or downloads.',
    fresh: 'Up to 10 min old.',
    limits: 'one video; its media URLs expire within hours. Removed or private: NOT_FOUND. null: withheld, not zero.',
  },
  lines: ({ author, metrics }) => [`@${author.handle}: ${facts(number(metrics.views, 'views'), number(metrics.likes, 'likes'))}`],
};
