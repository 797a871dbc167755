import { videoIdOf } from '../../../contract/parameters/video-url.ts';
import { bodyText } from '../../../upstream/answer.ts';
import { sourceOf } from '../../html/markup.ts';
import { indexPage, type Page, planOf } from '../../html/page.ts';
import { textOf as textAt } from '../../html/text.ts';
import { absent, blocked, changed, failureOfStatus, found, tooComplex } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { objectOf, parseJson, wordsIn } from '../../untyped-json.ts';
import { readOembed } from '../item.ts';
import { evidence, REMOVED } from '../status-codes.ts';

const NO_EMBED = evidence('oembed');

const PLAN = planOf({ quote: 'blockquote[data-video-id]', tag: 'a[href*="/tag/"]', sound: 'a[href*="/music/"]' });

function readEmbed(page: Page) {
  const quote = page.first('quote')?.attribs;
  const sound = textAt(page.first('sound'))?.replace(/^♬\s*/, '').split(' - ') ?? [];
  return {
    id: quote?.['data-video-id'],
    isPicture: /\/photo\/\d/.test(quote?.cite ?? ''),
    tags: page.all('tag').map((a) => ({ title: (textAt(a) ?? a.attribs.title ?? '').replace(/^[#＃]/, '') })),
    // "TITLE - AUTHOR": with a second " - " the end of the title is ambiguous
    music: sound.length === 2 ? { title: sound[0], authorName: sound[1] } : {},
  };
}

/** oEmbed (https://oembed.com; recordings/social/NOTES.md E6). A video that is not public is HTTP 400 with "Something went wrong", or 404. */
export const readVideoOembed: Reader<'short-video'> = (answer, input) => {
  const text = bodyText(answer);
  const body = objectOf(parseJson(text));
  const detail = `HTTP ${answer.status}`;
  if (
    !body &&
    !/^\s*\{/.test(text) &&
    /<script\b|<html\b/i.test(text) &&
    (/_wafchallengeid|waf-aiso|captcha/i.test(text) || answer.status < 400)
  )
    return blocked('The platform gave a page instead of its embed answer.', detail);
  // with more words it is another sentence, such as that it may be tried again
  const isAbsence =
    [400, 404, 410].includes(answer.status) && /^\s*something went wrong[.!]?\s*$/i.test(String(body?.message ?? body?.status_msg ?? ''));
  if (isAbsence) return absent(NO_EMBED, REMOVED, detail);
  if (answer.status >= 400) return failureOfStatus(answer, { gone: "The answer does not come from the platform's embed service." });
  if (!body || typeof body.html !== 'string') return changed('The embed answer has a shape that is not known.', detail);

  const page = indexPage(sourceOf(Buffer.from(body.html)), PLAN, false);
  if (page === null) return tooComplex();
  const embed = readEmbed(page);
  const handle = /^https?:\/\/(?:[a-z]+\.)?tiktok\.com\/@([\w.-]+)\/?(?:[?#]|$)/.exec(wordsIn(body.author_url) ?? '')?.[1];
  const picture = embed.isPicture || body.embed_type === 'photo' ? { isPicture: true } : null;
  const read = readOembed({ ...body, embed, handle, picture });
  const asked = videoIdOf(input.url);
  if (!read?.video) return changed('The embed answer names no video.', detail);
  const other = [read.id, embed.id].find((id) => id !== undefined && id !== (asked ?? read.id));
  if (other !== undefined) return changed('The embed answer is about another video.', `asked ${asked}, given ${other}`);
  return found(read.video, undefined, read.unread);
};
