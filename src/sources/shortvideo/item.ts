import type { JsonObject } from '../../contract/json-object.ts';
import type { ShortVideo } from '../../contract/operations/short-video/operation.ts';
import { DAY_MS } from '../../runtime/clock.ts';
import { fieldsAt, placesOf } from '../tables.ts';

import { countIn, flagIn, idIn, instantOf, listOf, numberIn, objectOf, objectsOf, textIn, urlIn, wordsIn } from '../untyped-json.ts';

export interface FoundItem {
  readonly id: string;
  readonly video: ShortVideo | null;
  /** Visible to signed-in visitors only: the item is present, its video is not. */
  readonly gated: boolean;
  /** Fields of the video that are stated and could not be read. */
  readonly unread?: readonly string[];
}

const seconds = (value: unknown): string | null => {
  const epoch = numberIn(value);
  return instantOf(epoch === null ? null : Math.round(epoch * 1000));
};
/** Two letters: anything else in this place ("FAKE-AD") is no country. */
const countryIn = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : null;
const handleIn = (value: unknown): string | null => (typeof value === 'string' ? (/^@?([\w.-]+)$/.exec(value)?.[1] ?? null) : null);
/** A caption with paragraphs separated by line feeds: the platform writes U+2028, or lists the paragraphs beside the flattened caption. */
function captionOf(caption: unknown, paragraphs: unknown): string | null {
  const listed = listOf(paragraphs).map((paragraph) => objectOf(paragraph)?.desc);
  const joined = listed.every((text) => typeof text === 'string') ? listed.join('\n') : '';
  // if `contents` is shorter than the caption, a paragraph is missing: use the caption
  const isWhole = joined.trim() !== '' && visibleLength(joined) >= visibleLength(typeof caption === 'string' ? caption : '');
  const text = textIn(isWhole ? joined : caption);
  return text === null ? null : text.replace(/\r\n?|[\u2028\u2029]/g, '\n');
}
const visibleLength = (text: string): number => text.replace(/\s+/g, '').length;

const IN_CAPTION = /[#＃]([\p{L}\p{N}\p{M}_]+)/gu;

/**
 * A hashtag entity of the caption: offsets are UTF-16 units of the caption as sent. Keys are capitalised in answers up to 2020. Only a mention
 * has another type than 1.
 */
const mark = (extra: JsonObject) => ({
  name: wordsIn(extra.hashtagName ?? extra.HashtagName ?? extra.hashtag_name),
  isTag: (numberIn(extra.type ?? extra.Type) ?? 1) === 1,
  start: numberIn(extra.start ?? extra.Start),
  end: numberIn(extra.end ?? extra.End),
});

const titleOf = (challenge: JsonObject): unknown => challenge.title ?? challenge.challengeName ?? challenge.cha_name;

/** The platform's lists are in lower case: each tag is looked up in the caption, at its offsets first. Each once, regardless of case. */
function hashtagsOf(description: unknown, textExtra: unknown, challenges: unknown): string[] {
  const caption = typeof description === 'string' ? description : '';
  const extras = objectsOf(textExtra);
  const titles = objectsOf(challenges).map(titleOf);
  const tags = new Map<string, string>();
  const keep = (tag: string): void => {
    const nfc = tag.normalize('NFC');
    const key = nfc.toLowerCase();
    if (nfc !== '' && !tags.has(key)) tags.set(key, nfc);
  };
  const fold = (text: string): string => text.normalize('NFC').toLowerCase();
  const written = new Map([...caption.matchAll(IN_CAPTION)].map((m) => [fold(m[1] ?? ''), m[1] ?? '']));

  for (const extra of extras) {
    const { name, isTag, start, end } = mark(extra);
    if (!name || !isTag) continue;
    const pointed = start !== null && end !== null ? caption.slice(start, end).replace(/^[#＃]/, '') : '';
    keep(fold(pointed) === fold(name) ? pointed : (written.get(fold(name)) ?? name));
  }
  for (const title of titles) {
    const name = wordsIn(title);
    if (name) keep(written.get(fold(name)) ?? name);
  }
  // without entities of the caption, a tag of it may be missing in the other list
  if (extras.length === 0) for (const tag of written.values()) keep(tag);
  return [...tags.values()];
}

/** `hashtags`, where an entity, a challenge, or the caption that alone has them is in a form that is not known. A mention is an entity, too. */
function unreadTags(data: JsonObject, { values }: Pick<ReturnType<typeof fieldsAt>, 'values'>): readonly string[] {
  const isOddTag = (extra: JsonObject): boolean => mark(extra).isTag && mark(extra).name === null && !isMention(extra);
  const isOddChallenge = (challenge: JsonObject): boolean => wordsIn(titleOf(challenge)) === null;
  const [extras, challenges] = [objectsOf(values(data, 'EXTRAS')[0]), objectsOf(values(data, 'CHALLENGES')[0])];
  const caption = values(data, 'description')[0];
  const isLost = extras.length === 0 && typeof caption === 'object' && caption !== null && isMore(caption);
  return isLost || extras.some(isOddTag) || challenges.some(isOddChallenge) ? ['hashtags'] : [];
}
/** Ids that an entity has for a person or another video in place of a name. */
const MENTIONED = ['userId', 'userUniqueId', 'secUid', 'UserId', 'user_id', 'sec_uid', 'awemeId', 'AwemeId'];
const isMention = (extra: JsonObject): boolean => MENTIONED.some((name) => (extra[name] ?? '') !== '' && extra[name] !== '0');

/** Milliseconds; the platform writes 0 if there is no video. No video lasts longer than a day: that is another unit, or none. */
function lengthIn(stated: unknown, unitMs: number): number | null {
  const ms = Math.round((numberIn(stated) ?? 0) * unitMs);
  return ms > 0 && ms <= DAY_MS ? ms : null;
}
/** Whether an author is verified, by the words beside them: all of them are empty for any other author. */
function isMarked(marks: readonly unknown[]): boolean | null {
  const words = marks.filter((mark) => (mark ?? null) !== null);
  if (words.some((mark) => typeof mark === 'string' && /^\s*verified\b/i.test(mark))) return true;
  return words.length > 0 && words.every((mark) => typeof mark === 'string' && mark.trim() === '') ? false : null;
}
/** Anything but an empty list or object, or nothing. */
const isMore = (part: unknown): boolean =>
  typeof part === 'object' ? Object.keys(part ?? {}).length > 0 : part !== undefined && part !== '';

const METRICS = ['metrics.views', 'metrics.likes', 'metrics.comments', 'metrics.shares', 'metrics.saves'];
const FORMATS = placesOf(new URL('./formats.tsv', import.meta.url));

/** Reads videos of a format; null for data without a video's id. Field map: recordings/social/NOTES.md 1.4. */
function readerOf(format: string, durationUnitMs = 1000): (data: JsonObject) => FoundItem | null {
  const fields = fieldsAt(FORMATS[format] ?? {});
  return (data) => {
    const firstAt = (path: string): unknown => fields.values(data, path)[0];
    const isThere = (path: string): boolean => fields.values(data, path).some(objectOf);
    const isFilled = (path: string): boolean => fields.values(data, path).some((part) => Object.values(objectOf(part) ?? {}).some(isMore));
    const first = <T>(path: string, read: (value: unknown) => T | null): T | null => fields.first(data, path, read);
    const id = first('ID', idIn);
    const handle = first('HANDLE', handleIn);
    // an empty object, list or text states nothing
    const picture = fields
      .values(data, 'PICTURES')
      .some((part) => (objectOf(part) || Array.isArray(part) || typeof part === 'string') && isMore(part));
    if (id === null) return null;
    if (fields.has('GATE') && !isFilled('PICTURES') && !isFilled('GATE'))
      return { id, video: null, gated: data.isContentClassified === true };
    if (handle === null || (fields.has('COUNTS') && !isThere('COUNTS'))) return { id, video: null, gated: false };
    const length = picture ? null : first('durationMs', (stated) => lengthIn(stated, durationUnitMs));
    const video: ShortVideo = {
      videoId: id,
      description: captionOf(firstAt('description'), firstAt('PARAGRAPHS')),
      url: `https://www.tiktok.com/@${handle}/${picture ? 'photo' : 'video'}/${id}`,
      createdAt: first('createdAt', seconds),
      region: first('region', countryIn),
      coverUrl: urlIn(fields.values(data, 'coverUrl').flat()),
      durationMs: length,
      isAd: first('isAd', flagIn),
      hashtags: hashtagsOf(firstAt('description'), firstAt('EXTRAS'), firstAt('CHALLENGES')),
      metrics: {
        views: first('metrics.views', countIn),
        likes: first('metrics.likes', countIn),
        comments: first('metrics.comments', countIn),
        shares: first('metrics.shares', countIn),
        saves: first('metrics.saves', countIn),
      },
      author: {
        handle,
        name: first('author.name', wordsIn),
        avatarUrl: urlIn(fields.values(data, 'author.avatarUrl').flat()),
        isVerified: first('author.isVerified', flagIn) ?? isMarked(fields.values(data, 'MARKS')),
      },
      music: { title: first('music.title', wordsIn), authorName: first('music.authorName', wordsIn) },
    };
    const isOdd = !picture && length === null && (first('durationMs', numberIn) ?? 0) > 0;
    const unread = [...fields.unread(video, data), ...(isOdd ? ['durationMs'] : []), ...unreadTags(data, fields)];
    // the place of the counts is there, and holds none that is known
    if (isThere('COUNTS') && METRICS.every((name) => fields.values(data, name).every((count) => count === undefined)))
      unread.push('metrics');
    return { id, gated: false, video, unread };
  };
}
const readNestedItem = readerOf('item');
const readFlatItem = readerOf('flat item');
export const readItem = (item: JsonObject): FoundItem | null => (typeof item.author === 'string' ? readFlatItem : readNestedItem)(item);
export const readVideoData = readerOf('video data');
export const readAweme = readerOf('aweme', 1);
export const readOembed = readerOf('oembed');
