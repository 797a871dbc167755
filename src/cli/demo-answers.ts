import type { OperationId, Resource } from '../contract/operations/index.ts';

const WIDTH = 40;
const clip = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line;
};
const number = (value: number | null, unit: string): readonly string[] => (value === null ? [] : [`${value.toLocaleString('en')} ${unit}`]);
const facts = (...parts: readonly (readonly string[])[]): string => parts.flat().join(', ');
const top = (names: readonly string[]): readonly string[] => names.slice(0, 3).map((name, i) => `${i + 1}. ${name}`);
const text = (value: string | null): readonly string[] => (value === null || value === '' ? [] : [value]);

/** What the table of the demo shows of each resource: a few labelled values. */
const LINES: { readonly [Id in OperationId]: (resource: Resource<Id>) => readonly string[] } = {
  serp: ({ organic }) => top(organic.map(({ domain, title }) => `${domain}: ${title}`)),
  'short-video': ({ author, metrics }) => [`@${author.handle}: ${facts(number(metrics.views, 'views'), number(metrics.likes, 'likes'))}`],
  'microblog-post': ({ author, metrics, text: words }) => [
    `@${author.handle}: ${facts(number(metrics.likes, 'likes'), number(metrics.shares, 'shares'))}`,
    ...text(words),
  ],
  'forum-community': ({ posts }) => [`${posts.length} posts, first: ${posts[0]?.title ?? ''}`],
  'forum-search': ({ posts }) => [`${posts.length} posts, first: ${posts[0]?.title ?? ''}`],
  'forum-comments': ({ post, comments }) => [facts(number(comments.length, 'comments'), number(post.score, 'points')), ...text(post.title)],
  app: ({ rating, reviewCount, pricing }) => [
    `rated ${rating ?? '-'} of 5 by ${reviewCount?.toLocaleString('en') ?? '-'} reviews`,
    ...text(pricing),
  ],
  'app-reviews': reviewPage,
  'appstore-reviews': reviewPage,
  'app-keywords': ({ apps }) => top(apps.map(({ name, isSponsored }) => `${name ?? ''}${isSponsored === true ? ' (ad)' : ''}`)),
  'app-developer': ({ apps }) => [`${apps.length} apps, first: ${apps[0]?.name ?? ''}`],
  'appstore-category': ({ apps, appCount }) => [
    facts(number(appCount, 'apps')),
    ...top(apps.map(({ name, isSponsored }) => `${name ?? ''}${isSponsored === true ? ' (ad)' : ''}`)),
  ],
  traffic: ({ visits, visitsLow, visitsHigh, globalRank }) => [
    facts(number(visits, 'visits a month')),
    `between ${visitsLow?.toLocaleString('en') ?? '-'} and ${visitsHigh?.toLocaleString('en') ?? '-'}`,
    ...(globalRank === null ? [] : [`global rank ${globalRank.toLocaleString('en')}`]),
  ],
  registration: ({ domain, available, registrar, expiresOn }) => [
    available ? `${domain}: free` : `${domain}: ${registrar?.name ?? 'registered'}`,
    ...(expiresOn === null ? [] : [`expires on ${expiresOn.slice(0, 10)}`]),
  ],
};

function reviewPage({ reviews, pagination }: Resource<'app-reviews'>): readonly string[] {
  const { currentPage, totalPages } = pagination;
  const [first] = reviews;
  return [
    `page ${currentPage ?? '-'} of ${totalPages ?? '-'}, ${reviews.length} reviews`,
    ...text(first ? `${first.rating ?? '-'} of 5: ${first.reviewContent}` : null),
  ];
}

/** The lines of an answer in the table of the demo, each of 40 characters at most. */
export function answerLines<Id extends OperationId>(operation: Id, resource: Resource<Id>): readonly string[] {
  const lines: (resource: Resource<Id>) => readonly string[] = LINES[operation];
  return lines(resource)
    .filter((line) => line !== '')
    .map(clip);
}
