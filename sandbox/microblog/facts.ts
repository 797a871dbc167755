import { COMPETITORS, SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';

/** A part of a text: plain text, a link (short in the text, with its target), a hashtag, or the link to the post's own media. */
export type Piece = { words: string } | { link: string } | { tag: string } | { media: true };
export interface MediaFact {
  readonly kind: 'photo' | 'video' | 'animated_gif';
  readonly key: string;
  readonly picture: string;
}
export interface PostFact {
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly verifiedType: 'none' | 'blue' | 'business';
  /** Epoch ms. */
  readonly publishedAt: number;
  readonly language: string;
  readonly pieces: readonly Piece[];
  readonly media: readonly MediaFact[];
  /** The id of the post that it replies to, quotes or reposts. */
  readonly answers: string | null;
  readonly quotes: string | null;
  readonly repeats: string | null;
  /** Longer than 280 characters: the API returns the full text, the embed endpoint only the beginning. */
  readonly isLong: boolean;
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  readonly quoted: number;
  readonly bookmarks: number;
}

/** The post of the examples. */
export const EXAMPLE_POST = '1801234567890123456';
const EPOCH_MS = 1_288_834_974_657n;
const KINDS = ['link', 'photo', 'photos', 'video', 'gif', 'quote', 'reply', 'repost', 'long', 'emoji'] as const;
const FIRST = Date.UTC(2024, 0, 1);

const idAt = (ms: number, low: number): string => String(((BigInt(ms) - EPOCH_MS) << 22n) + BigInt(low));
export const momentOf = (id: string): number => Number((BigInt(id) >> 22n) + EPOCH_MS);

function mediaOf(kind: (typeof KINDS)[number], id: string): MediaFact[] {
  const kinds = { photo: ['photo'], photos: ['photo', 'photo', 'video'], video: ['video'], gif: ['animated_gif'] } as const;
  const list: readonly MediaFact['kind'][] = kind in kinds ? kinds[kind as keyof typeof kinds] : [];
  return list.map((one, i) => ({
    kind: one,
    key: `${one === 'photo' ? 3 : 7}_${id.slice(0, 15)}${i}`,
    picture: `https://pbs.twimg.com/media/${id.slice(-9)}${i}.jpg`,
  }));
}

function post(index: number): PostFact {
  const competitor = COMPETITORS[index] ?? COMPETITORS[0];
  if (!competitor) throw new Error('the world has no competitors');
  const r = random(`post of ${competitor.domain}`);
  const kind = KINDS[index % KINDS.length] ?? 'link';
  const id = index === 0 ? EXAMPLE_POST : idAt(r.int(FIRST, SANDBOX_NOW - 86_400_000), r.int(0, 4_000_000));
  const media = mediaOf(kind, id);
  const tag = competitor.product.replace(/\b\w/g, (c) => c.toUpperCase()).replace(/ /g, '');
  const site: Piece = { link: `https://www.${competitor.domain}/${competitor.product.replace(/ /g, '-')}` };
  const sentence = `Our ${competitor.product} is back in stock: price < 100 & shipping is free. `;
  const text: Piece[] =
    kind === 'emoji'
      ? [
          { words: '🧵👩🏽‍💻 ' },
          { tag },
          { words: ' ' },
          { tag: 'スモールビジネス' },
          { words: ` — ${competitor.name} 日本語も\n\n` },
          site,
        ]
      : [
          { words: kind === 'reply' ? `@lumenandoak @quartzfitness ${sentence}` : sentence.repeat(kind === 'long' ? 6 : 1) },
          site,
          { words: ' ' },
          { tag },
        ];
  const verified = r.int(0, 2);
  const likes = r.int(3, 90_000);
  return {
    id,
    handle: competitor.handle.slice(0, 15),
    name: competitor.name,
    verifiedType: verified === 0 ? 'none' : verified === 1 ? 'blue' : 'business',
    publishedAt: Math.floor(momentOf(id) / 1000) * 1000,
    language: kind === 'emoji' ? 'ja' : 'en',
    pieces: media.length ? [...text, { words: ' ' }, { media: true }] : text,
    media,
    answers: kind === 'reply' ? EXAMPLE_POST : null,
    quotes: kind === 'quote' ? EXAMPLE_POST : null,
    repeats: kind === 'repost' ? EXAMPLE_POST : null,
    isLong: kind === 'long',
    views: likes * r.int(20, 80),
    likes,
    comments: r.int(1, 900),
    shares: r.int(1, 4_000),
    quoted: r.int(0, 300),
    bookmarks: r.int(0, 800),
  };
}

/** One post for each competitor. */
export const POSTS: readonly PostFact[] = COMPETITORS.map((_, i) => post(i));
export const postById = (id: string): PostFact | undefined => POSTS.find((p) => p.id === id);

/** Responses other than a post, each at a fixed id. */
export const SPECIAL_POSTS = {
  deleted: '1800000000000000201',
  suspended: '1800000000000000202',
  protected: '1800000000000000203',
  ageRestricted: '1800000000000000204',
  withheld: '1800000000000000205',
  /** The embed endpoint answers `{}`. */
  blank: '1800000000000000206',
  /** The embed endpoint answers 404 although oEmbed has the post: the client is rate-limited. */
  hidden: '1800000000000000207',
  limited: '1800000000000000208',
  /** A reply whose parent was deleted: the response contains errors in addition to the data. */
  orphan: '1800000000000000209',
} as const;

export const shortOf = (target: string): string => {
  const r = random(`short link ${target}`);
  return `https://t.co/${Array.from({ length: 10 }, () => r.pick([...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'])).join('')}`;
};
/** Short link of a post's media. */
export const mediaShort = (p: PostFact): string => shortOf(`media ${p.id}`);
export const mp4Of = (m: MediaFact, rate: number): string =>
  `https://video.twimg.com/${m.kind === 'video' ? 'ext_tw_video' : 'tweet_video'}/${m.key}/vid/${rate}.mp4`;
export const RATES: Readonly<Record<'video' | 'animated_gif', readonly number[]>> = {
  video: [632_000, 2_176_000, 950_000],
  animated_gif: [0],
};
export const avatarOf = (p: PostFact): string => `https://pbs.twimg.com/profile_images/${p.id.slice(0, 12)}/${p.handle}_normal.jpg`;

/** The fields that each endpoint returns: the expected resource of a lookup. */
export function expectedPost(p: PostFact, by: 'api' | 'syndication' | 'oembed') {
  const said = by === 'api' && p.repeats ? (postById(p.repeats) ?? p) : p;
  const isOembed = by === 'oembed';
  const words = said.pieces.map((x) =>
    'words' in x ? x.words : 'link' in x ? (isOembed ? shortOf(x.link) : x.link) : 'tag' in x ? `#${x.tag}` : '',
  );
  const text = words.join('').trim();
  const quoted = p.quotes && !isOembed ? `https://x.com/${POSTS[0]?.handle}/status/${p.quotes}` : null;
  const own =
    by === 'api'
      ? { views: said.views, shares: said.shares, quotes: said.quoted, bookmarks: said.bookmarks }
      : { views: null, shares: null, quotes: null, bookmarks: null };
  const links = isOembed ? [] : said.pieces.flatMap((x) => ('link' in x ? [x.link] : []));
  return {
    postId: p.id,
    text: by === 'syndication' && p.isLong ? null : quoted && by === 'api' ? `${text} ${quoted}` : text,
    url: `https://x.com/${p.handle}/status/${p.id}`,
    publishedAt: new Date(isOembed ? momentOf(p.id) : p.publishedAt).toISOString(),
    language: p.language,
    conversationId: isOembed || (by === 'syndication' && p.answers) ? null : (p.answers ?? p.id),
    isQuote: isOembed ? null : by === 'api' ? p.quotes !== null : p.quotes !== null ? true : null,
    media: isOembed
      ? []
      : said.media.map((m) => ({ url: m.kind === 'photo' ? m.picture : mp4Of(m, Math.max(...RATES[m.kind])), thumbnailUrl: m.picture })),
    // the embed endpoint omits the quoted post's link from text and entities
    links: quoted && by === 'api' ? [...links, quoted] : links,
    hashtags: said.pieces.flatMap((x) => ('tag' in x ? [x.tag] : [])),
    metrics: { ...own, likes: isOembed ? null : said.likes, comments: isOembed ? null : said.comments },
    author: {
      handle: p.handle,
      name: p.name,
      avatarUrl: isOembed ? null : avatarOf(p),
      isVerified: isOembed ? null : p.verifiedType !== 'none',
    },
  };
}
