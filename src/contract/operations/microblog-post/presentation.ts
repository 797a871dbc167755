import { facts, number, type Presentation, text } from '../presentation.ts';
import type { MicroblogPost } from './operation.ts';

export const presentation: Presentation<MicroblogPost> = {
  name: 'X post',
  icon: 'comment',
  guidance: {
    title: 'Microblog post',
    use: 'Use to read a public post of X whose URL you have: text, engagement, attached media. Not for timelines, replies or search.',
    fresh: 'Up to 5 min old.',
    limits: 'a single post, without its thread. Deleted or protected: NOT_FOUND. null: the source does not show it.',
  },
  lines: ({ author, metrics, text: words }) => [
    `@${author.handle}: ${facts(number(metrics.likes, 'likes'), number(metrics.shares, 'shares'))}`,
    ...text(words),
  ],
};
