import { COMPETITORS, SANDBOX_NOW } from '../competitors.ts';
import { random } from '../random.ts';

/** Current page formats of the platform, and older ones to which stored links still lead. */
export const PAGE_SHAPES = [
  'desktop',
  'desktop-photo',
  'reflow',
  'reflow-photo',
  'api-data',
  'api-data-photo',
  'embed-only',
  'sigi',
  'next-item',
  'next-data',
] as const;
export type PageShape = (typeof PAGE_SHAPES)[number];

/** A made-up video: the expected result of a lookup. */
export interface VideoFact {
  readonly id: string;
  readonly shape: PageShape;
  readonly handle: string;
  readonly name: string;
  readonly caption: string;
  /** In the case that the caption uses. */
  readonly hashtags: readonly string[];
  /** Epoch seconds. */
  readonly created: number;
  readonly region: string;
  /** Whole seconds; 0 for pictures. */
  readonly seconds: number;
  readonly pictures: number;
  readonly isAd: boolean;
  readonly isVerified: boolean;
  readonly views: number;
  readonly likes: number;
  readonly comments: number;
  readonly shares: number;
  readonly saves: number;
  readonly music: { readonly title: string; readonly authorName: string };
  /** Path code of its short links. */
  readonly code: string;
}

/** The video of the examples. */
export const EXAMPLE_VIDEO = '7301234567890123456';
const FIRST_CREATED = Date.UTC(2023, 10, 14) / 1000;
const LAST_CREATED = SANDBOX_NOW / 1000 - 86_400;
const ENDINGS = ['🎉', '— who wants one? 🙌🏽', '& more <3', '', '日本から発送', 'ahora con envío gratis', 'مجاني'] as const;

function video(index: number): VideoFact {
  const competitor = COMPETITORS[index] ?? COMPETITORS[0];
  if (!competitor) throw new Error('the world has no competitors');
  const r = random(`video of ${competitor.domain}`);
  const id = index === 0 ? EXAMPLE_VIDEO : String((BigInt(r.int(FIRST_CREATED, LAST_CREATED)) << 32n) + BigInt(r.int(1, 2_000_000_000)));
  const shape = PAGE_SHAPES[index % PAGE_SHAPES.length] ?? 'desktop';
  const views = Math.round(10 ** (3 + r.next() * 5));
  const likes = Math.round(views * (0.02 + r.next() * 0.12));
  const tags = [competitor.product.replace(/\b\w/g, (c) => c.toUpperCase()).replace(/ /g, ''), 'SmallBusiness', 'tiktokmademebuyit'].slice(
    0,
    r.int(1, 3),
  );
  const pictures = shape.endsWith('photo') ? r.int(2, 6) : 0;
  return {
    id,
    shape,
    handle: competitor.handle,
    name: competitor.name,
    caption: [`New ${competitor.product} ${r.pick(ENDINGS)}`.trim(), ...tags.map((t) => `#${t}`)].join(' '),
    hashtags: tags,
    created: Number(BigInt(id) >> 32n) + r.int(1, 15),
    region: competitor.country,
    seconds: pictures ? 0 : r.int(6, 180),
    pictures,
    isAd: r.chance(0.2),
    isVerified: r.chance(0.5),
    views,
    likes,
    comments: Math.round(likes * 0.02),
    shares: Math.round(likes * 0.05),
    saves: Math.round(likes * 0.1),
    music: r.chance(0.5)
      ? { title: 'original sound', authorName: competitor.name }
      : { title: 'Golden Hour Drive', authorName: 'The Paper Lanterns' },
    code: `ZM${competitor.handle.slice(0, 4)}${100 + index}`,
  };
}

/** One video for each competitor. */
export const VIDEOS: readonly VideoFact[] = COMPETITORS.map((_, i) => video(i));
export const videoById = (id: string): VideoFact | undefined => VIDEOS.find((v) => v.id === id);

/** Kinds of pages without a video, each at a fixed id. */
export const SPECIAL_VIDEOS = {
  deleted: '7300000000000000201',
  private: '7300000000000000202',
  privateAccount: '7300000000000000203',
  /** Status 10204; oEmbed does not have the video either. */
  ambiguousGone: '7300000000000000204',
  /** Status 10204, but oEmbed has the video: the platform hides it from this client. */
  ambiguousHidden: '7300000000000000205',
  ageRestricted: '7300000000000000206',
  region: '7300000000000000207',
  /** Empty shell; oEmbed has the video. */
  shell: '7300000000000000208',
  challenge: '7300000000000000209',
  limited: '7300000000000000210',
  /** A data script without the item. */
  degraded: '7300000000000000211',
  login: '7300000000000000212',
  transient: '7300000000000000213',
  captcha: '7300000000000000214',
  /** Status 10204; oEmbed does not answer. */
  ambiguousSilent: '7300000000000000215',
  noAuthor: '7300000000000000216',
} as const;
/** Codes of short links that do not lead to a video. */
export const DEAD_CODE = 'ZMdead0000';
export const PROFILE_CODE = 'ZMprofile0';

const PICTURE_HOST = 'https://p16-sign-va.tiktokcdn.com';
/** Signed URLs expire two days after the request, rounded to the hour; only the query string contains the expiry. */
const signed = (path: string, atMs: number): string => {
  const expires = Math.ceil(atMs / 3_600_000) * 3_600 + 172_800;
  return `${PICTURE_HOST}${path}?x-expires=${expires}&x-signature=${random(path).int(1e8, 9e8)}%3D`;
};
export const coverOf = (v: VideoFact, atMs: number): string =>
  signed(`/obj/tos-maliva-p-0068/${v.id}${v.pictures ? '~photomode-image' : ''}.jpeg`, atMs);
export const avatarOf = (v: VideoFact, atMs: number): string => signed(`/tos-maliva-avt-0068/${v.handle}~c5_1080x1080.jpeg`, atMs);

/** The fields that each page format contains: the expected resource of a lookup. `oembed` is the minimal fallback. */
export function expectedVideo(v: VideoFact, shape: PageShape | 'oembed', atMs: number) {
  const isDesktop = shape === 'desktop' || shape === 'desktop-photo';
  const isOldData = shape === 'next-data' || shape === 'embed-only';
  const isOembed = shape === 'oembed';
  const noRegion = isOldData || isOembed || shape === 'next-item';
  const count = (n: number): number | null => (isOembed ? null : n);
  return {
    videoId: v.id,
    description: v.caption,
    url: `https://www.tiktok.com/@${v.handle}/${v.pictures ? 'photo' : 'video'}/${v.id}`,
    createdAt: isOembed ? null : new Date(v.created * 1000).toISOString(),
    region: noRegion ? null : v.region,
    coverUrl: coverOf(v, atMs),
    durationMs: v.pictures || isOembed ? null : v.seconds * 1000,
    isAd: isDesktop || shape === 'embed-only' ? v.isAd : null,
    hashtags: [...v.hashtags],
    metrics: {
      views: count(v.views),
      likes: count(v.likes),
      comments: count(v.comments),
      shares: count(v.shares),
      saves: isOldData || isOembed || shape === 'next-item' ? null : v.saves,
    },
    author: {
      handle: v.handle,
      name: v.name,
      avatarUrl: isOembed ? null : avatarOf(v, atMs),
      isVerified: isOembed || shape === 'sigi' ? null : v.isVerified,
    },
    music: v.music,
  };
}
