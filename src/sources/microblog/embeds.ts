import type { JsonObject } from '../../contract/json-object.ts';
import { postIdOf } from '../../contract/parameters/post-url.ts';
import type { Element } from '../html/element.ts';
import { sourceOf } from '../html/markup.ts';
import { indexPage, planOf } from '../html/page.ts';
import { changed, tooComplex } from '../outcome.ts';
import type { Reader } from '../source.ts';
import { idIn, numberIn, objectOf, objectsOf, valueAt } from '../untyped-json.ts';
import { mediaOf, statesSomething } from './media.ts';
import {
  aboutAnother,
  CUT_BY_LENGTH,
  CUT_BY_REPOST,
  fieldsOf,
  isBareRepost,
  momentOf,
  outcomeOfWithheld,
  postOf,
  readEmbed,
  tagsOf,
  UNKNOWN,
} from './post.ts';
import { isBeginning, lackedByText, linksOf, OF_MEDIA } from './text.ts';

const embedFields = fieldsOf('syndication');

/** Other posts start their own conversation. */
const OF_REPLY = ['in_reply_to_status_id_str', 'in_reply_to_user_id_str', 'in_reply_to_screen_name', 'parent', 'self_thread'];
const answersAnother = (post: JsonObject): boolean =>
  OF_REPLY.some((name) => (post[name] ?? null) !== null) ||
  (numberIn(valueAt(post, 'display_text_range', 0)) ?? 0) > 0 ||
  /^@\w/.test(String(post.text ?? ''));

/**
 * Parses the answer of the embed endpoint (recordings/social/NOTES.md 2.2, 2.4): of a long post only the beginning, so its text is null; a
 * deleted quoted post is left out, so `isQuote` is true or null; rate-limited clients get a bare 404 and clients whose token is not accepted
 * an empty object, for posts that exist, too: neither is `absent`.
 */
export const readSyndication: Reader<'microblog-post'> = (answer, input) => {
  const read = readEmbed(answer);
  if (read.tag !== 'embed') return read;
  const { body } = read;
  const id = idIn(body.id_str);
  const asked = postIdOf(input.url);
  const user = objectOf(body.user);
  if (id === null || typeof body.text !== 'string' || !user) return changed(UNKNOWN, 'no id, text or user');
  if (asked !== null && id !== asked) return aboutAnother(id, asked);
  const withheld = outcomeOfWithheld(body.withheld_in_countries);
  if (withheld) return withheld;

  const details = objectsOf(body.mediaDetails);
  const ownMedia = [...details, ...objectsOf(valueAt(body.entities, 'media'))];
  const counts = [body.favorite_count, body.conversation_count];
  const isRepost = isBareRepost(body.text, counts, undefined);
  const links = linksOf(ownMedia, valueAt(body.entities, 'urls'));
  const isCut = Boolean(body.note_tweet) || isBeginning(body.text, links, id, body.truncated);
  const { hashtags, unread: lostTags } = tagsOf(valueAt(body.entities, 'hashtags'));
  const lacked = lackedByText(body.text, valueAt(body.entities, 'hashtags'), hashtags);
  const { media, unread: lostMedia } = mediaOf(details);
  // media that are named elsewhere, and not described
  const isNamed = ownMedia.length > 0 || objectsOf(body.photos).length > 0 || statesSomething(objectOf(body.video));
  const lost = details.length === 0 && isNamed ? ['media'] : lostMedia;
  return postOf(embedFields, isRepost ? { ...body, favorite_count: null, conversation_count: null } : body, id, {
    body: { text: isCut ? null : body.text, escaped: true, ...links },
    date: body.created_at,
    conversationId: answersAnother(body) ? null : id,
    isQuote: statesSomething(objectOf(body.quoted_tweet)) ? true : null,
    media,
    hashtags,
    cut: [...(isRepost ? CUT_BY_REPOST : isCut ? CUT_BY_LENGTH : lacked), ...lost, ...lostTags],
    isSigned: statesSomething(user),
  });
};

const oembedFields = fieldsOf('oembed');
const PLAN = planOf({ paragraph: 'p', tag: 'a[href*="/hashtag/"]', day: 'a[href*="/status/"]' });

const readText = (node: Element | string): string => {
  if (typeof node === 'string') return node;
  if (node.name === 'br') return '\n';
  const text = node.children.map(readText).join('');
  return node.name === 'a' && OF_MEDIA.test(text) ? '' : text;
};

/** Parses the oEmbed answer (https://oembed.com): no counts, no media, only the day (the id has the time), only unexpanded links. */
export const readMicroblogOembed: Reader<'microblog-post'> = (answer, input) => {
  const read = readEmbed(answer);
  if (read.tag !== 'embed') return read;
  const { body } = read;
  const page = indexPage(sourceOf(Buffer.from(String(body.html ?? ''))), PLAN, false);
  if (page === null) return tooComplex();
  const paragraph = page.all('paragraph').find(({ parent }) => parent?.name === 'blockquote');
  const id = typeof body.url === 'string' ? postIdOf(body.url) : null;
  const asked = postIdOf(input.url);
  if (id === null || !paragraph) return changed('The embed answer has a shape that is not known.', 'no post or text');
  if (asked !== null && id !== asked) return aboutAnother(id, asked);
  const text = readText(paragraph);
  // the day of a post whose id has no time: it is no instant
  const isDated = momentOf(id) === null && page.all('day').some((a) => a.parent?.name === 'blockquote' && /\b2\d{3}\b/.test(readText(a)));
  // of a long post it has the beginning, which ends as the text of a person may end
  const lost = isBareRepost(text.trim(), [], undefined) ? CUT_BY_REPOST : /…\s*https?:\/\/t\.co\/\w+\s*$/.test(text) ? ['text'] : [];
  return postOf(oembedFields, { ...body, lang: paragraph.attribs.lang }, id, {
    body: { text, escaped: false, ...linksOf([]) },
    hashtags: tagsOf(page.all('tag', paragraph).map((a) => ({ text: readText(a).replace(/^[#＃]/, '') }))).hashtags,
    cut: [...lost, ...(isDated ? ['publishedAt'] : [])],
  });
};
