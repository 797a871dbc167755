import type { JsonObject } from '../../contract/json-object.ts';
import type { MicroblogPost } from '../../contract/operations/microblog-post/operation.ts';
import { postIdOf } from '../../contract/parameters/post-url.ts';
import { bodyText } from '../../upstream/answer.ts';
import { absent, changed, type Found, type NotFound, unreachable } from '../outcome.ts';
import type { Reader } from '../source.ts';
import { flagIn, idIn, objectOf, objectsOf, parseJson, valueAt, wordsIn } from '../untyped-json.ts';
import { mediaOf } from './media.ts';
import {
  aboutAnother,
  CUT_BY_LENGTH,
  CUT_BY_REPOST,
  evidence,
  fieldsOf,
  GONE,
  isBareRepost,
  notData,
  outcomeOfStatus,
  outcomeOfWithheld,
  outcomeOfWords,
  postOf,
  tagsOf,
  tombstoneOf,
  UNKNOWN,
} from './post.ts';
import { type Body, isBeginning, lackedByText, linksOf } from './text.ts';

/** The result object, unwrapped from the visibility wrapper of some posts. */
const unwrap = (result: unknown): JsonObject | null => {
  const fields = objectOf(result);
  return fields?.__typename === 'TweetWithVisibilityResults' || (fields && !fields.legacy && objectOf(fields.tweet))
    ? objectOf(fields.tweet)
    : fields;
};
const idOf = (result: JsonObject): string | null => idIn(result.rest_id) ?? idIn(valueAt(result, 'legacy', 'id_str'));

/** Timelines (`instructions`) at any path below `data`; the first is often only a TimelineClearCache. */
const entriesOf = (data: JsonObject): readonly JsonObject[] =>
  Object.values(data)
    .flatMap((value) => [value, valueAt(value, 'timeline'), valueAt(value, 'timeline', 'timeline')])
    .flatMap((timeline) => objectsOf(valueAt(timeline, 'instructions')))
    .flatMap((instruction) => objectsOf(instruction.entries));

/** The result for the requested id in every known envelope; `empty`: an empty object in its place; `other`: the id of another post instead. */
function openEnvelope(data: JsonObject, asked: string | null) {
  const entries = entriesOf(data);
  const focal = entries.filter((e) => e.entryId === `tweet-${asked}`).map((e) => valueAt(e, 'content', 'itemContent', 'tweet_results'));
  const singles: readonly unknown[] = [data.tweetResult, data.tweet_result, data.tweet_results, data.tweet].flatMap((v) => v ?? []);
  const bare = data.rest_id || data.__typename ? [{ result: data }] : objectOf(data.result) ? [data] : [];
  const holders: readonly unknown[] = [...focal, ...singles, ...bare];
  const results = holders.map((holder) => unwrap(valueAt(holder, 'result'))).filter((result) => result !== null);
  // a holder of an unknown form does not mean that there is no post
  const isUnknown = holders.some((holder) => {
    const keys = Object.keys(objectOf(holder) ?? {});
    return keys.includes('result') ? (valueAt(holder, 'result') ?? null) !== null && !unwrap(valueAt(holder, 'result')) : keys.length > 0;
  });
  const result = results.find((r) => idOf(r) === asked) ?? results.find((r) => idOf(r) === null) ?? (asked === null ? results[0] : null);
  return {
    result: result ?? null,
    empty: results.length === 0 && entries.length === 0 && !isUnknown,
    other: result ? null : (results.map(idOf).find((id) => id !== null) ?? null),
  };
}

/** The post's own fields: in `legacy`, or beside it if the platform moves them as it did with users. */
const field = (result: JsonObject, name: string): unknown =>
  [result.legacy, result.details, result.counts, result].map((place) => valueAt(place, name)).find((v) => v !== undefined);

/** What a post says. Its long form is in a note; its text contains the quoted post's own link, its entities do not always. */
function bodyOf(result: JsonObject): Body & Pick<MicroblogPost, 'media' | 'hashtags'> & { readonly cut: readonly string[] } {
  const holder = objectOf(valueAt(result, 'note_tweet', 'note_tweet_results', 'result'));
  const note = typeof holder?.text === 'string' ? holder : null;
  const entities = field(result, 'entities');
  const extended = objectsOf(valueAt(field(result, 'extended_entities'), 'media'));
  const list = extended.length ? extended : objectsOf(valueAt(entities, 'media'));
  const quoted = objectOf(field(result, 'quoted_status_permalink'));
  const quotedUrls = quoted ? [{ url: quoted.url, expanded_url: quoted.expanded }] : [];
  const links = linksOf(list, valueAt(note, 'entity_set', 'urls'), valueAt(entities, 'urls'), quotedUrls);
  const fullText = field(result, 'full_text');
  // without its readable long form, a long post states only its beginning
  const isCut =
    note === null && ((result.note_tweet ?? null) !== null || isBeginning(fullText, links, idOf(result) ?? '', field(result, 'truncated')));
  const text = note ? note.text : isCut ? null : fullText;
  const { hashtags, unread: lostTags } = tagsOf(valueAt(note, 'entity_set', 'hashtags') ?? valueAt(entities, 'hashtags'));
  const { media, unread: lostMedia } = mediaOf(list);
  const lacked = lackedByText(text, valueAt(note ? note.entity_set : entities, 'hashtags'), hashtags);
  return {
    text: typeof text === 'string' ? text : null,
    escaped: note === null,
    ...links,
    media,
    hashtags,
    cut: [...(isCut ? CUT_BY_LENGTH : lacked), ...lostMedia, ...lostTags],
  };
}

const EMPTY_RESULT = evidence('graphql empty result');
const COUNTS = ['favorite_count', 'reply_count', 'retweet_count', 'quote_count', 'bookmark_count'] as const;
const fields = fieldsOf('graphql');
/** The parts of a result that state the fields of the resource. `said`: the post whose text, media and counts are shown. */
const placesIn = (result: JsonObject, said: JsonObject, original: unknown, hasCounts: boolean): JsonObject => ({
  lang: field(result, 'lang'),
  conversation_id_str: field(result, 'conversation_id_str'),
  is_quote_status: field(result, 'is_quote_status'),
  media: valueAt(field(said, 'extended_entities'), 'media') ?? valueAt(field(said, 'entities'), 'media'),
  entities: field(said, 'entities'),
  note_tweet: said.note_tweet,
  original,
  created_at: field(result, 'created_at'),
  // `views.count` is present only if the platform shows it
  ...(hasCounts && { views: said.views, ...Object.fromEntries(COUNTS.map((name) => [name, field(said, name)])) }),
  core: result.core,
  quoted: field(said, 'quoted_status_permalink'),
});

/** A repost has its own id, author and date. `anonymous`: for clients without an account `reply_count` is always 0 since September 2024. */
function resourceOf(result: JsonObject, id: string, anonymous: boolean): Found<MicroblogPost> {
  const repost = field(result, 'retweeted_status_result') ?? field(result, 'retweeted_status_results');
  const original = unwrap(valueAt(repost, 'result'));
  const isGiven = original !== null && typeof field(original, 'full_text') === 'string';
  const said = isGiven ? original : result;
  const counts = COUNTS.filter((name) => name !== 'retweet_count').map((name) => field(result, name));
  const isBare =
    !isGiven && ((repost ?? null) !== null || isBareRepost(field(result, 'full_text'), counts, field(result, 'retweet_count')));
  const { media, hashtags, cut, ...body } = bodyOf(said);
  const document = placesIn(result, said, repost, !isBare);
  return postOf(fields, document, id, {
    body,
    bodyId: idOf(said),
    date: document.created_at,
    conversationId: fields.first(document, 'conversationId', idIn),
    isQuote: fields.first(document, 'isQuote', flagIn),
    media,
    hashtags,
    neverZero: anonymous ? 'comments' : null,
    cut: isBare ? CUT_BY_REPOST : cut,
    isSigned: (result.core ?? null) !== null,
  });
}

function outcomeOfErrors(errors: readonly JsonObject[]): NotFound | null {
  if (errors.length === 0) return null;
  const words = errors.flatMap((e) => wordsIn(e.message) ?? []).join('; ');
  const codes = errors.map((e) => `code ${Number(e.code ?? valueAt(e, 'extensions', 'code'))}`);
  const detail = words.slice(0, 160);
  return outcomeOfWords('graphql', [...codes, words], detail) ?? unreachable('The platform failed on its side.', detail);
}

/** Parses the platform's internal result object as data providers return it, in its forms since 2022 (recordings/social/NOTES.md 2.2 to 2.4). */
export const readMicroblogGraphql: Reader<'microblog-post'> = (answer, input) => {
  const text = bodyText(answer);
  const root = objectOf(parseJson(text));
  const asked = postIdOf(input.url);
  const stated = objectOf(root?.data);
  const data: JsonObject = stated ?? (root?.errors ? {} : (root ?? {}));
  const { result, empty, other } = openEnvelope(data, asked);
  if (!result) {
    const failure = (answer.status === 200 ? null : outcomeOfStatus(answer)) ?? outcomeOfErrors(objectsOf(root?.errors));
    if (failure) return failure;
    if (root === null) return notData(text);
    if (other) return aboutAnother(other, asked);
    // `data` without the operation's own field, or null in it, comes where a session or a flag is wrong
    const isOwn = ['tweetResult', 'tweet_result', 'tweet_results'].some(
      (key) => Object.keys(objectOf(valueAt(stated, key)) ?? { no: 1 }).length === 0,
    );
    return empty && isOwn ? absent(EMPTY_RESULT, GONE, 'empty result') : changed(UNKNOWN);
  }
  const unavailable = tombstoneOf(result);
  if (unavailable) return unavailable;
  const id = idOf(result);
  if (id === null || typeof field(result, 'full_text') !== 'string') return changed(UNKNOWN, 'no text');
  return outcomeOfWithheld(field(result, 'withheld_in_countries')) ?? resourceOf(result, id, objectOf(data.tweetResult) !== null);
};
