import { avatarOf, coverOf, type VideoFact } from './facts.ts';

/** Hashtag entities: names in lower case, offsets in UTF-16 units of the caption. */
const marks = (v: VideoFact) =>
  v.hashtags.map((tag) => {
    const start = v.caption.indexOf(`#${tag}`);
    return { awemeId: '', start, end: start + tag.length + 1, hashtagName: tag.toLowerCase(), type: 1, subType: 0, isCommerce: false };
  });
const challenges = (v: VideoFact) => v.hashtags.map((tag, i) => ({ id: String(4_600_000 + i), title: tag.toLowerCase(), desc: '' }));
const pictures = (v: VideoFact, at: number) =>
  Array.from({ length: v.pictures }, (_, i) => ({
    imageURL: { urlList: [coverOf(v, at).replace('~photomode', `-${i}~photomode`)] },
    imageWidth: 1440,
    imageHeight: 1920,
  }));
const fileOf = (v: VideoFact, at: number) => ({
  id: v.id,
  height: v.pictures ? 0 : 1024,
  width: v.pictures ? 0 : 576,
  duration: v.seconds,
  ratio: '540p',
  cover: coverOf(v, at),
  originCover: coverOf(v, at),
  dynamicCover: '',
  playAddr: '',
});
const authorOf = (v: VideoFact, at: number) => ({
  id: '7346555966525441042',
  uniqueId: v.handle,
  nickname: v.name,
  avatarLarger: avatarOf(v, at),
  avatarMedium: avatarOf(v, at),
  avatarThumb: avatarOf(v, at),
  signature: '',
  verified: v.isVerified,
  secUid: `MS4wLjABAAAA${v.handle}`,
});
const stats = (v: VideoFact) => ({ diggCount: v.likes, shareCount: v.shares, commentCount: v.comments, playCount: v.views });
const musicOf = (v: VideoFact) => ({
  id: '7281543096448370689',
  title: v.music.title,
  authorName: v.music.authorName,
  duration: 30,
  original: false,
});

/** `itemStruct` of the mobile page, with fewer fields than the desktop page's. */
export const mobileItem = (v: VideoFact, at: number) => ({
  id: v.id,
  desc: v.caption,
  createTime: String(v.created),
  locationCreated: v.region,
  video: fileOf(v, at),
  author: authorOf(v, at),
  music: musicOf(v),
  challenges: challenges(v),
  stats: { ...stats(v), collectCount: v.saves },
  textExtra: marks(v),
  ...(v.pictures && { imagePost: { images: pictures(v, at), title: '' } }),
});
/** `itemStruct` of the desktop page: `stats` is rounded and mixes numbers with strings; `statsV2` is exact and contains strings only. */
export const desktopItem = (v: VideoFact, at: number) => ({
  ...mobileItem(v, at),
  stats: { ...stats(v), playCount: Number(v.views.toPrecision(3)), collectCount: String(Number(v.saves.toPrecision(3))) },
  statsV2: {
    ...Object.fromEntries(Object.entries(stats(v)).map(([name, n]) => [name, String(n)])),
    collectCount: String(v.saves),
    repostCount: '0',
  },
  isAd: v.isAd,
  textLanguage: 'en',
  contents: [{ desc: v.caption, textExtra: marks(v) }],
});
/** `ItemModule` of 2021 to 2023: the author is a string; the author's other fields are on the item itself. */
export const moduleItem = (v: VideoFact, at: number) => {
  const { author, ...item } = mobileItem(v, at);
  return { ...item, author: author.uniqueId, nickname: author.nickname, authorId: author.id, avatarThumb: author.avatarThumb };
};
/** `itemStruct` of 2020: no saves, no region. */
export const firstItem = (v: VideoFact, at: number) => {
  const { locationCreated: _, stats: __, createTime: ___, ...item } = mobileItem(v, at);
  return { ...item, createTime: v.created, stats: stats(v) };
};
/** `videoData` of 2020, still used by the embed page. */
export const videoData = (v: VideoFact, at: number, isEmbed: boolean) => ({
  itemInfos: {
    id: v.id,
    text: v.caption,
    createTime: String(v.created),
    video: { urls: [], videoMeta: { width: 576, height: 1024, ratio: 9, duration: v.seconds } },
    covers: [coverOf(v, at)],
    coversOrigin: [coverOf(v, at)],
    ...stats(v),
    ...(isEmbed && { isAd: v.isAd }),
  },
  authorInfos: { userId: '107955', uniqueId: v.handle, nickName: v.name, verified: v.isVerified, covers: [avatarOf(v, at)] },
  musicInfos: { musicId: '250824169968246784', musicName: v.music.title, authorName: v.music.authorName },
  challengeInfoList: challenges(v).map((c) => ({ challengeId: c.id, challengeName: c.title })),
  textExtra: marks(v).map((m) => ({ Start: m.start, End: m.end, HashtagName: m.hashtagName, Type: m.type })),
});
