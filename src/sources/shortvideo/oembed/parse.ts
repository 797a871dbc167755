import type { ShortVideo } from '../../../contract/operations/shortvideo.ts';
import { videoIdOf } from '../../../contract/parameters/video-url.ts';
import { textOf } from '../../../upstream/answer.ts';
import { type AnyNode, attribute, compile, type Document, type Element, parseHtml, selectAll, textAt } from '../../html.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { absent, blocked, changed, found, limited, refused, retryAfterMs, tooComplex, unreachable } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { at, idIn, objectOf, parseJson, urlIn, wordsIn } from '../../untyped-json.ts';
import { addressOf, captionOf, handleIn } from '../item.ts';
import { REMOVED } from '../status-codes.ts';

const QUOTE = compile('blockquote[data-video-id]');
const TAG = compile('a[href*="/tag/"]');
const SOUND = compile('a[href*="/music/"]');

const unreadInOembed = unreadByPlaces({ description: 'title', coverUrl: 'thumbnail_url', 'author.name': 'author_name' });

/** Fields of the embed's HTML: the id, the hashtags in the caption's case, and the sound. */
function readEmbed(page: Document) {
  const quote = selectAll<AnyNode, Element>(QUOTE, page)[0] ?? null;
  const tags = selectAll<AnyNode, Element>(TAG, page).map((a) =>
    (textAt(a) ?? attribute(a, 'title') ?? '').replace(/^[#＃]/, '').normalize('NFC'),
  );
  const sound = textAt(selectAll<AnyNode, Element>(SOUND, page)[0] ?? null)?.replace(/^♬\s*/, '') ?? '';
  const parts = sound.split(' - ');
  return {
    id: attribute(quote, 'data-video-id'),
    picture: /\/photo\/\d/.test(attribute(quote, 'cite') ?? ''),
    tags: [...new Map(tags.filter(Boolean).map((tag) => [tag.toLowerCase(), tag])).values()],
    // "TITLE - AUTHOR": with a second " - " the end of the title is ambiguous
    music: parts.length === 2 ? { title: wordsIn(parts[0]), authorName: wordsIn(parts[1]) } : { title: null, authorName: null },
  };
}

/**
 * Parses the platform's oEmbed answer (https://oembed.com; recordings/social/NOTES.md E6). It contains neither counts, date, region nor
 * duration. For a video that is not public or does not exist it is HTTP 400 with "Something went wrong", or 404.
 */
export const readVideoOembed: Reader<'short-video'> = (answer, input) => {
  const text = textOf(answer);
  const body = objectOf(parseJson(text));
  const detail = `HTTP ${answer.status}`;
  if (!body && /<script\b|<html\b/i.test(text)) {
    if (/_wafchallengeid|waf-aiso|captcha/i.test(text) || answer.status < 400)
      return blocked('The platform gave a page instead of its embed answer.', detail);
  }
  if (answer.status === 429) return limited('The platform limits the number of requests.', retryAfterMs(answer.headers, answer.at), detail);
  if (/^(?:400|404|410)$/.test(String(answer.status)) && /something went wrong/i.test(String(body?.message ?? body?.status_msg ?? '')))
    return absent(REMOVED, detail);
  if (answer.status === 404 || answer.status === 410 || answer.status === 451)
    return changed("The answer does not come from the platform's embed service.", detail);
  if (answer.status === 401 || answer.status === 403) return blocked('The platform refused the request.', detail);
  if (answer.status >= 500) return unreachable('The platform failed on its side.', detail);
  if (answer.status >= 400) return refused('The platform did not accept the request.', detail);
  if (!body || typeof body.html !== 'string') return changed('The embed answer has a shape that is not known.', detail);

  const page = parseHtml(body.html);
  if (page === null) return tooComplex();
  const embed = readEmbed(page);
  const id = idIn(body.embed_product_id) ?? idIn(embed.id);
  const asked = videoIdOf(input.url);
  const handle =
    handleIn(body.author_unique_id) ??
    handleIn(/^https?:\/\/(?:[a-z]+\.)?tiktok\.com\/@([\w.-]+)\/?(?:[?#]|$)/.exec(wordsIn(body.author_url) ?? '')?.[1]);
  if (id === null || handle === null) return changed('The embed answer names no video.', detail);
  if (asked !== null && id !== asked) return changed('The embed answer is about another video.', `asked ${asked}, given ${id}`);
  const video: ShortVideo = {
    videoId: id,
    description: captionOf(body.title),
    url: addressOf(id, handle, embed.picture || at(body, 'embed_type') === 'photo'),
    createdAt: null,
    region: null,
    coverUrl: urlIn(body.thumbnail_url),
    durationMs: null,
    isAd: null,
    hashtags: embed.tags,
    metrics: { views: null, likes: null, comments: null, shares: null, saves: null },
    author: { handle, name: wordsIn(body.author_name), avatarUrl: null, isVerified: null },
    music: embed.music,
  };
  return found(video, undefined, unreadInOembed(video, body));
};
