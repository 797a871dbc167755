import { COMPETITORS, type Competitor, SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';

/** A made-up post: the expected result of a lookup. */
export interface PostFact {
  readonly community: string;
  readonly communityId: string;
  readonly postId: string;
  readonly title: string;
  readonly author: string;
  readonly score: number;
  readonly upvoteRatio: number;
  readonly numComments: number;
  readonly url: string;
  readonly selftext: string;
  readonly isSelf: boolean;
  readonly isVideo: boolean;
  readonly isStickied: boolean;
  /** The URL of a picture, or one of the platform's keywords. */
  readonly thumbnail: string | null;
  /** Epoch seconds. */
  readonly created: number;
  readonly slug: string;
  readonly flair: string | null;
  /** Emoji code before the text of the flair. */
  readonly flairEmoji: string | null;
  readonly domain: string;
  readonly removedBy: string | null;
  readonly adult: boolean;
}
export interface CommunityFact {
  readonly name: string;
  readonly id: string;
  readonly competitor: Competitor;
  /** Ids of its posts begin with it. */
  readonly prefix: string;
  /** Newest first. */
  readonly posts: readonly PostFact[];
}

export const NOW_SECONDS = SANDBOX_NOW / 1000;
/** Its discussion has more than 5,000 comments. */
export const BIG_POST = '1abc02';
export const BIG_COUNT = 5_200;
/** The post of the examples. */
export const EXAMPLE_POST = '1abc01';

const DAY = 86_400;
const AUTHORS = [
  'quiet_mallard',
  'Tin_Whistle',
  'okay-lantern',
  'brass_otter',
  'LateTrainHome',
  'nine_of_cups',
  'paperboats',
  'Vera-Stitch',
];
const FLAIRS = ['Question', 'Review', 'News & deals', 'Show and tell', null, null, null] as const;
const KINDS = ['text', 'text', 'text', 'link', 'link', 'image', 'video', 'gallery', 'poll', 'crosspost', 'removed', 'deleted'] as const;

const digits = (n: number): string => n.toString(36).padStart(2, '0');
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50);

function postOf(competitor: Competitor, communityId: string, prefix: string, n: number): PostFact {
  const postId = `${prefix}${digits(n)}`;
  const r = random(`post ${postId}`);
  // each day after day 0 has one new post
  const day = n - POSTS_OF(competitor.handle) + 1;
  const kind = n < 3 || day > 0 ? 'text' : r.pick(KINDS);
  const { name, product, handle, domain } = competitor;
  const prompt = r.pick([
    `Is the ${product} from ${name} worth it?`,
    `${name} changed its prices < 24 h after launch`,
    `My ${product} after one year & two repairs`,
    `${name} vs. the others: a café table comparison`,
    `Anybody else waiting for the new ${product}?`,
  ]);
  const title = kind === 'removed' ? '[ Removed by moderator ]' : n === 0 ? `Welcome to the community of ${name}` : `${prompt} (#${n})`;
  const slug = slugOf(title) || '_';
  const permalink = `https://www.reddit.com/r/${handle}/comments/${postId}/${slug}/`;
  const text = `I bought it at https://${domain}/?a=1&b=2 and **like** it.\n\nTag me if you know <more> about ${name}. A literal &amp; stays.`;
  const flair = r.pick(FLAIRS);
  // the first posts are the oldest; the last 25 posts of a community are from the last day
  const age =
    day > 0 ? -day * DAY + r.int(0, 600) : (POSTS_OF(handle) - n) * (n >= POSTS_OF(handle) - 25 ? DAY / 26 : DAY * 1.5) + r.int(0, 600);
  const common = {
    community: handle,
    communityId,
    postId,
    title,
    author: kind === 'deleted' ? '[deleted]' : r.pick(AUTHORS),
    score: Math.floor(10 ** (r.next() * 4)),
    upvoteRatio: Math.round((0.5 + r.next() / 2) * 100) / 100,
    numComments: postId === BIG_POST ? BIG_COUNT : postId === EXAMPLE_POST ? 64 : r.int(0, 40),
    isStickied: n === 0 || n === 5,
    created: Math.floor(NOW_SECONDS - age),
    slug,
    flair,
    flairEmoji: flair === 'Review' ? ':star:' : null,
    removedBy: kind === 'removed' ? 'moderator' : kind === 'deleted' ? 'deleted' : null,
    adult: r.chance(0.05),
    isVideo: kind === 'video',
    isSelf: ['text', 'poll', 'removed', 'deleted'].includes(kind),
  };
  const picture = `https://b.thumbs.redditmedia.com/${postId}.jpg`;
  switch (kind) {
    case 'link':
      return { ...common, url: `https://${domain}/blog/${slug}?utm_source=forum&id=${n}`, selftext: '', thumbnail: picture, domain };
    case 'image':
      return {
        ...common,
        url: `https://i.redd.it/${postId}.jpeg`,
        selftext: r.chance(0.5) ? text : '',
        thumbnail: r.chance(0.5) ? picture : 'image',
        domain: 'i.redd.it',
      };
    case 'video':
      return { ...common, url: `https://v.redd.it/${postId}`, selftext: '', thumbnail: 'nsfw', domain: 'v.redd.it' };
    case 'gallery':
      return { ...common, url: `https://www.reddit.com/gallery/${postId}`, selftext: '', thumbnail: picture, domain: 'reddit.com' };
    case 'crosspost':
      return { ...common, url: `/r/${handle}/comments/${prefix}00/welcome/`, selftext: '', thumbnail: 'default', domain: `self.${handle}` };
    case 'removed':
    case 'deleted':
      return {
        ...common,
        url: permalink,
        selftext: kind === 'removed' ? '[removed]' : '[deleted]',
        thumbnail: kind === 'removed' ? null : 'self',
        domain: `self.${handle}`,
      };
    default:
      return { ...common, url: permalink, selftext: n % 7 === 3 ? '' : text, thumbnail: n % 5 ? 'self' : '', domain: `self.${handle}` };
  }
}

const POSTS_OF = (handle: string): number => (handle === 'acmewidgets' ? 236 : 30 + ((handle.length * 7) % 90));

/** A community for each competitor, named by its handle. */
export const COMMUNITIES: readonly CommunityFact[] = COMPETITORS.map((competitor, i) => {
  const prefix = `1ab${'cdefghijklmnopqrstuvwxyz'[i % 24]}`;
  const id = `t5_9s${digits(i)}x`;
  const posts = Array.from({ length: POSTS_OF(competitor.handle) }, (_, n) => postOf(competitor, id, prefix, n)).reverse();
  return { name: competitor.handle, id, competitor, prefix, posts };
});
const MOST_NEW = 50;
/** The posts since day 0, newest first: each day has one. */
const newPosts = ({ competitor, id, prefix }: CommunityFact, day: number): readonly PostFact[] =>
  Array.from({ length: Math.min(day, MOST_NEW) }, (_, i) => postOf(competitor, id, prefix, POSTS_OF(competitor.handle) + day - 1 - i));
export function communityOf(name: string, day = 0): CommunityFact | undefined {
  const community = COMMUNITIES.find((c) => c.name === name.toLowerCase());
  return community && day > 0 ? { ...community, posts: [...newPosts(community, day), ...community.posts] } : community;
}

const POSTS = new Map(COMMUNITIES.flatMap((c) => c.posts).map((p) => [p.postId, p]));
const laterPosts = (day: number): readonly PostFact[] => COMMUNITIES.flatMap((community) => newPosts(community, day));
export const postFact = (postId: string, day = 0): PostFact | undefined =>
  POSTS.get(postId) ?? laterPosts(day).find((post) => post.postId === postId);
export const allPosts = (day = 0): readonly PostFact[] => [...laterPosts(day), ...POSTS.values()];
