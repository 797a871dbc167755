import { avatarOf, type MediaFact, mediaShort, mp4Of, POSTS, type PostFact, postById, RATES, shortOf } from './facts.ts';

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const shown = (target: string): string => target.replace(/^https?:\/\/(?:www\.)?/, '').slice(0, 26);
const shortDate = (ms: number): string => new Date(ms).toISOString();
const CUT = 250;

interface Wire {
  readonly text: string;
  readonly urls: { url: string; expanded_url: string; display_url: string; start: number; end: number; media_key?: string }[];
  readonly tags: { tag: string; start: number; end: number }[];
}
/** The text as the API returns it: short links, escaped characters, offsets in code points of the escaped text. */
function wireOf(p: PostFact, options: { escape: boolean; quoteLink: boolean; mediaUrls: boolean }): Wire {
  let text = '';
  const urls: Wire['urls'] = [];
  const tags: Wire['tags'] = [];
  const length = (): number => [...text].length;
  const put = (link: string, target: string, mediaKey?: string): void => {
    const start = length();
    text += link;
    const display = mediaKey === undefined ? shown(target) : `pic.x.com/${link.slice(-10)}`;
    urls.push({
      url: link,
      expanded_url: target,
      display_url: display,
      start,
      end: length(),
      ...(mediaKey !== undefined && { media_key: mediaKey }),
    });
  };
  for (const piece of p.pieces) {
    if ('words' in piece) text += options.escape ? escaped(piece.words) : piece.words;
    else if ('link' in piece) put(shortOf(piece.link), piece.link);
    else if ('tag' in piece) {
      const start = length();
      text += `#${piece.tag}`;
      tags.push({ tag: piece.tag, start, end: length() });
    } else if (options.mediaUrls) {
      for (const m of p.media.slice(0, 1))
        put(mediaShort(p), `https://x.com/${p.handle}/status/${p.id}/${m.kind === 'photo' ? 'photo' : 'video'}/1`, m.key);
    } else text += mediaShort(p);
  }
  if (p.quotes && options.quoteLink) {
    text += ' ';
    put(shortOf(`quote ${p.quotes}`), `https://x.com/${POSTS[0]?.handle}/status/${p.quotes}`);
  }
  return { text, urls, tags };
}

// ---- API v2 ---------------------------------------------------------------------------------------------------

const apiMedia = (m: MediaFact) =>
  m.kind === 'photo'
    ? { media_key: m.key, type: m.kind, url: m.picture }
    : {
        media_key: m.key,
        type: m.kind,
        preview_image_url: m.picture,
        variants: [
          { content_type: 'application/x-mpegURL', url: `https://video.twimg.com/${m.key}/pl.m3u8` },
          ...RATES[m.kind].map((bit_rate) => ({ bit_rate, content_type: 'video/mp4', url: mp4Of(m, bit_rate) })),
        ],
      };
const apiUser = (p: PostFact) => ({
  id: userId(p),
  name: p.name,
  username: p.handle,
  profile_image_url: avatarOf(p),
  verified: p.verifiedType === 'blue',
  verified_type: p.verifiedType,
});
export const userId = (p: PostFact): string => String(2_000_000 + POSTS.indexOf(p));

function apiPost(p: PostFact) {
  const original = p.repeats ? postById(p.repeats) : undefined;
  const wire = wireOf(p, { escape: true, quoteLink: true, mediaUrls: true });
  const long = wireOf(p, { escape: false, quoteLink: true, mediaUrls: true });
  const entities = { urls: wire.urls, hashtags: wire.tags };
  const reference = p.answers ? ['replied_to', p.answers] : p.quotes ? ['quoted', p.quotes] : p.repeats ? ['retweeted', p.repeats] : null;
  const cut = [...wire.text].slice(0, CUT).join('');
  return {
    id: p.id,
    text: original ? `RT @${original.handle}: ${cut.slice(0, 100)}…` : p.isLong ? `${cut}… ${shortOf(`self ${p.id}`)}` : wire.text,
    created_at: shortDate(p.publishedAt),
    author_id: userId(p),
    lang: p.language,
    conversation_id: p.answers ?? p.id,
    edit_history_tweet_ids: [p.id],
    public_metrics: original
      ? { retweet_count: original.shares, reply_count: 0, like_count: 0, quote_count: 0, bookmark_count: 0, impression_count: 0 }
      : {
          retweet_count: p.shares,
          reply_count: p.comments,
          like_count: p.likes,
          quote_count: p.quoted,
          bookmark_count: p.bookmarks,
          impression_count: p.views,
        },
    entities: original ? {} : entities,
    ...(p.isLong && { note_tweet: { text: long.text, entities: { urls: long.urls, hashtags: long.tags } } }),
    ...(p.answers && { in_reply_to_user_id: userId(POSTS[0] ?? p) }),
    ...(reference && { referenced_tweets: [{ type: reference[0], id: reference[1] }] }),
    ...(p.media.length > 0 && { attachments: { media_keys: p.media.map((m) => m.key) } }),
  };
}
/** The response to `GET /2/tweets/:id` with all expansions; with `parentGone`, `errors` names the parent post in addition to the data. */
export function apiAnswer(p: PostFact, parentGone = false) {
  const other = postById(p.answers ?? p.quotes ?? p.repeats ?? '');
  const problem = {
    value: '1',
    detail: 'Could not find tweet with referenced_tweets.id: [1].',
    title: 'Not Found Error',
    resource_type: 'tweet',
    parameter: 'referenced_tweets.id',
    resource_id: '1',
    type: 'https://api.twitter.com/2/problems/resource-not-found',
  };
  const media = [...p.media, ...(other?.media ?? [])].map(apiMedia);
  return {
    data: apiPost(p),
    includes: {
      users: [p, ...(other ? [other] : [])].map(apiUser),
      ...(media.length > 0 && { media }),
      ...(other && { tweets: [apiPost(other)] }),
    },
    ...(parentGone && { errors: [problem] }),
  };
}

// ---- embed endpoint -------------------------------------------------------------------------------------------

const embedMedia = (p: PostFact) =>
  p.media.map((m) => ({
    display_url: `pic.x.com/${mediaShort(p).slice(-10)}`,
    expanded_url: `https://x.com/${p.handle}/status/${p.id}/photo/1`,
    ext_media_availability: { status: 'Available' },
    media_url_https: m.picture,
    type: m.kind,
    url: mediaShort(p),
    ...(m.kind !== 'photo' && {
      video_info: {
        aspect_ratio: [16, 9],
        variants: [
          { content_type: 'application/x-mpegURL', url: `https://video.twimg.com/${m.key}/pl.m3u8` },
          ...RATES[m.kind].map((bitrate) => ({ bitrate, content_type: 'video/mp4', url: mp4Of(m, bitrate) })),
        ],
      },
    }),
  }));

export function embedAnswer(p: PostFact): Record<string, unknown> {
  const wire = wireOf(p, { escape: true, quoteLink: false, mediaUrls: false });
  const quoted = p.quotes ? postById(p.quotes) : undefined;
  const text = p.isLong ? `${[...wire.text].slice(0, CUT).join('')}…` : wire.text;
  const indices = ({ start, end }: { start: number; end: number }): number[] => [start, end];
  return {
    __typename: 'Tweet',
    lang: p.language,
    favorite_count: p.likes,
    possibly_sensitive: false,
    created_at: shortDate(p.publishedAt),
    display_text_range: [p.answers ? 28 : 0, text.length],
    entities: {
      hashtags: wire.tags.map((t) => ({ indices: indices(t), text: t.tag })),
      urls: wire.urls.map((u) => ({ display_url: u.display_url, expanded_url: u.expanded_url, indices: indices(u), url: u.url })),
      user_mentions: [],
      symbols: [],
      ...(p.media.length > 0 && {
        media: embedMedia(p)
          .slice(0, 1)
          .map(({ display_url, expanded_url, url }) => ({ display_url, expanded_url, url })),
      }),
    },
    id_str: p.id,
    text,
    user: {
      id_str: userId(p),
      name: p.name,
      profile_image_url_https: avatarOf(p),
      screen_name: p.handle,
      verified: false,
      is_blue_verified: p.verifiedType === 'blue',
      ...(p.verifiedType === 'business' && { verified_type: 'Business' }),
    },
    ...(p.media.length > 0 && { mediaDetails: embedMedia(p), photos: [] }),
    conversation_count: p.comments,
    news_action_type: 'conversation',
    ...(p.isLong && { note_tweet: { id: 'Tm90ZVR3ZWV0OjE=' } }),
    ...(p.answers && {
      in_reply_to_screen_name: POSTS[0]?.handle,
      in_reply_to_status_id_str: p.answers,
      in_reply_to_user_id_str: userId(POSTS[0] ?? p),
    }),
    ...(quoted && { quoted_tweet: embedAnswer(quoted) }),
    isEdited: false,
    isStaleEdit: false,
  };
}
export const tombstone = (words: string) => ({
  __typename: 'TweetTombstone',
  tombstone: {
    text: {
      text: `${words} Learn more`,
      entities: [{ from_index: words.length + 1, to_index: words.length + 11, ref: { __typename: 'TimelineUrl' } }],
      rtl: false,
    },
  },
});

// ---- oEmbed ---------------------------------------------------------------------------------------------------

export function oembedAnswer(p: PostFact) {
  const anchor = (href: string, words: string): string => `<a href="${href}">${words}</a>`;
  const parts = p.pieces.map((x) => {
    if ('words' in x) return escaped(x.words).replace(/\n/g, '<br>');
    if ('link' in x) return anchor(shortOf(x.link), shortOf(x.link));
    if ('tag' in x) return anchor(`https://twitter.com/hashtag/${encodeURIComponent(x.tag)}?src=hash&amp;ref_src=twsrc%5Etfw`, `#${x.tag}`);
    return anchor(mediaShort(p), `pic.twitter.com/${mediaShort(p).slice(-10)}`);
  });
  const day = new Date(p.publishedAt).toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
  const url = `https://twitter.com/${p.handle}/status/${p.id}`;
  return {
    url,
    author_name: p.name,
    author_url: `https://twitter.com/${p.handle}`,
    html: `<blockquote class="twitter-tweet"><p lang="${p.language}" dir="ltr">${parts.join('')}</p>&mdash; ${escaped(p.name)} (@${p.handle}) ${anchor(`${url}?ref_src=twsrc%5Etfw`, day)}</blockquote>\n\n`,
    width: 550,
    height: null,
    type: 'rich',
    cache_age: '3153600000',
    provider_name: 'Twitter',
    provider_url: 'https://twitter.com',
    version: '1.0',
  };
}
