import { isTag, isText } from 'domhandler';
import { getChildren } from 'domutils';
import type { MicroblogPost } from '../../../contract/operations/microblog.ts';
import { postIdOf } from '../../../contract/parameters/post-url.ts';
import { textOf } from '../../../upstream/answer.ts';
import { type AnyNode, attribute, compile, type Element, parseHtml, selectAll } from '../../html.ts';
import { unreadByPlaces } from '../../json-places.ts';
import { blocked, changed, found, tooComplex } from '../../outcome.ts';
import type { Reader } from '../../source.ts';
import { objectOf, parseJson, wordsIn } from '../../untyped-json.ts';
import { outcomeOfEmbedError } from '../failures.ts';
import { addressOf, handleIn, momentOf, NO_METRICS } from '../post.ts';
import { TRAILING_BLANKS } from '../text.ts';

const unreadInOembed = unreadByPlaces({ 'author.handle': 'author_url', 'author.name': 'author_name' });
const PARAGRAPH = compile('blockquote > p');
const TAG = compile('a[href*="/hashtag/"]');
const OF_MEDIA = /^pic\.(?:twitter|x)\.com\//;

/** The text with its line breaks, without links to media. */
const readText = (node: AnyNode): string => {
  if (isText(node)) return node.data;
  if (!isTag(node)) return '';
  if (node.name === 'br') return '\n';
  const text = getChildren(node).map(readText).join('');
  return node.name === 'a' && OF_MEDIA.test(text) ? '' : text;
};

/**
 * Parses the microblog's oEmbed answer (https://oembed.com): text, author, language and hashtags. It contains no counts and no media, only
 * the day of the date, and unexpanded short links; so `links` is empty and the time is derived from the id.
 */
export const readMicroblogOembed: Reader<'microblog-post'> = (answer, input) => {
  const source = textOf(answer);
  const body = objectOf(parseJson(source));
  const failure = outcomeOfEmbedError(answer, body);
  if (failure) return failure;
  if (!body)
    return /<html|<!doctype/i.test(source)
      ? blocked('The answer is a page instead of data.')
      : changed('The answer is no data.', 'not JSON');
  const page = parseHtml(typeof body.html === 'string' ? body.html : '');
  if (page === null) return tooComplex();
  const paragraph = selectAll<AnyNode, Element>(PARAGRAPH, page)[0];
  const id = typeof body.url === 'string' ? postIdOf(body.url) : null;
  const asked = postIdOf(input.url);
  if (id === null || !paragraph) return changed('The embed answer has a shape that is not known.', 'no post or text');
  if (asked !== null && id !== asked) return changed('The embed answer is about another post.', `asked ${asked}, given ${id}`);
  const handle = handleIn(/^https?:\/\/(?:www\.)?(?:twitter|x)\.com\/(\w+)$/.exec(wordsIn(body.author_url) ?? '')?.[1]);
  const moment = momentOf(id);
  const tags = selectAll<AnyNode, Element>(TAG, paragraph).map((a) =>
    readText(a)
      .replace(/^[#＃]/, '')
      .normalize('NFC'),
  );
  const post: MicroblogPost = {
    postId: id,
    text: readText(paragraph).normalize('NFC').replace(TRAILING_BLANKS, '').trim(),
    url: addressOf(id, handle),
    publishedAt: moment === null ? null : new Date(moment).toISOString(),
    language: wordsIn(attribute(paragraph, 'lang')),
    conversationId: null,
    isQuote: null,
    media: [],
    links: [],
    hashtags: [...new Set(tags.filter(Boolean))],
    metrics: NO_METRICS,
    author: { handle, name: wordsIn(body.author_name), avatarUrl: null, isVerified: null },
  };
  return found(post, undefined, unreadInOembed(post, body));
};
