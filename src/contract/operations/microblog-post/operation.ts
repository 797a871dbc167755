import type { Static } from 'typebox';
import { required } from '../../parameters/parameter.ts';
import { postPartsOf, postUrlType } from '../../parameters/post-url.ts';
import { list, orNull, record, text, words } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, minutes } from '../define.ts';

export const MicroblogPost = record({
  postId: text('Id of the post.'),
  text: orNull.text('Text with short links expanded and the links of media cut.'),
  url: orNull.url('Address of the post.'),
  publishedAt: orNull.instant('When it was published.'),
  language: orNull.text('Language as the platform writes it.'),
  conversationId: orNull.text('Id of the post that began the conversation.'),
  isQuote: orNull.flag('Quotes another post.'),
  media: list(
    record({ url: orNull.url('Picture, or best variant of the video.'), thumbnailUrl: orNull.url('Preview picture.') }),
    'Media of the post.',
  ),
  links: words('Links in the text, expanded.'),
  hashtags: words("Hashtags without #, in the author's case."),
  metrics: record({
    views: orNull.count('Views.'),
    likes: orNull.count('Likes.'),
    comments: orNull.count('Replies.'),
    shares: orNull.count('Reposts.'),
    quotes: orNull.count('Quotes.'),
    bookmarks: orNull.count('Bookmarks.'),
  }),
  author: record({
    handle: orNull.text('Handle without @.'),
    name: orNull.text('Display name.'),
    avatarUrl: orNull.url('Picture of the author.'),
    isVerified: orNull.flag('Verified by the platform, paid marks included.'),
  }),
});
export type MicroblogPost = Static<typeof MicroblogPost>;

export const microblogPost = defineOperation({
  id: 'microblog-post',
  method: 'post',
  area: AREAS.microblog,
  path: '/v1/microblog/posts',
  summary: 'One microblog post by its URL',
  parameters: [
    required(
      'url',
      postUrlType,
      'URL of the post, in any form that the platform hands out.',
      'https://x.com/acmewidgets/status/1801234567890123456',
      { parts: { names: ['id', 'handle'], of: postPartsOf } },
    ),
  ],
  resource: { MicroblogPost },
  watch: {
    lists: { media: { key: ['url'] } },
    fields: ['text', 'links', 'hashtags', 'media.url', 'author.handle', 'author.name', 'author.isVerified'],
    never: [],
    series: ['metrics.views', 'metrics.likes', 'metrics.comments', 'metrics.shares', 'metrics.quotes', 'metrics.bookmarks'],
  },
  freshForMs: () => minutes(5),
});
