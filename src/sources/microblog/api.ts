import type { MicroblogPost } from '../../contract/operations/microblog.ts';
import { postIdOf } from '../../contract/parameters/post-url.ts';
import { type Answer, textOf } from '../../upstream/answer.ts';
import { absent, changed, type Found, type NotFound, refused } from '../outcome.ts';
import type { Reader } from '../source.ts';
import { at, idIn, type JsonObject, listOf, objectOf, objectsOf, parseJson, urlIn, wordsIn } from '../untyped-json.ts';
import { aboutAnother, bestVideo, fieldsOf, linksOf, outcomeOfStatus, postOf, reasonOf, tagsOf, UNKNOWN } from './post.ts';

function mediaOf(post: JsonObject, includes: unknown): MicroblogPost['media'] {
  const known = new Map(objectsOf(at(includes, 'media')).map((m) => [m.media_key, m]));
  return listOf(at(post, 'attachments', 'media_keys')).flatMap((key) => {
    const m = known.get(key);
    if (!m) return [];
    return { url: m.type === 'photo' ? urlIn([m.url]) : bestVideo(m.variants), thumbnailUrl: urlIn([m.preview_image_url, m.url]) };
  });
}
/** A post without references lacks this key: that means "no quote" only if the request asked for the field. */
function isQuote(post: JsonObject, answer: Answer): boolean | null {
  const types = listOf(post.referenced_tweets).map((r) => at(r, 'type'));
  if (types.includes('quoted')) return true;
  const asked = URL.parse(answer.url)?.searchParams.get('tweet.fields') ?? '';
  const isTold = types.length > 0 && types.every((t) => typeof t === 'string' && t !== '');
  return isTold || (post.referenced_tweets === undefined && asked.split(',').includes('referenced_tweets')) ? false : null;
}

const fields = fieldsOf('api');

function resourceOf(post: JsonObject, includes: unknown, id: string, answer: Answer): Found<MicroblogPost> {
  const reference = objectsOf(post.referenced_tweets).find((r) => r.type === 'retweeted');
  const repostOf = reference ? idIn(reference.id) : null;
  const original = repostOf ? objectsOf(at(includes, 'tweets')).find((t) => idIn(t.id) === repostOf) : undefined;
  const said = original ?? post;
  // the full text of a long post is in its note, unescaped; without a readable note, `text` is only its beginning
  const note = typeof at(said, 'note_tweet', 'text') === 'string' ? objectOf(said.note_tweet) : null;
  const text = note ? note.text : said.note_tweet === undefined ? said.text : null;
  const body = {
    text: typeof text === 'string' ? text : null,
    escaped: note === null,
    ...linksOf([], at(said.entities, 'urls'), at(note, 'entities', 'urls')),
  };
  // a list in place of the author: what it states of them is unread
  const users = [objectOf(includes) ? (at(includes, 'users') ?? []) : (includes ?? [])].flat();
  const user = objectsOf(users).find((u) => u.id !== undefined && idIn(u.id) === idIn(post.author_id)) ?? users;
  const document = { post, said, user, includes, counts: repostOf && !original ? null : said.public_metrics };
  return postOf(fields, document, id, {
    body,
    bodyId: idIn(said.id),
    date: post.created_at,
    conversationId: fields.first(document, 'conversationId', idIn),
    isQuote: isQuote(post, answer),
    media: mediaOf(said, includes),
    hashtags: tagsOf(at(note?.entities ?? said.entities, 'hashtags')),
    // `impression_count` is 0 for posts older than the platform's impression counter
    neverZero: 'views',
  });
}

function outcomeOfErrors([first]: readonly JsonObject[]): NotFound | null {
  if (!first) return null;
  const type = wordsIn(first.type) ?? '';
  const words = wordsIn(first.detail) ?? wordsIn(first.message) ?? '';
  const detail = `${wordsIn(first.title) ?? ''}: ${words}`.slice(0, 160);
  return reasonOf('api', [`type ${type}`, words], detail, `${type.slice(-60)} ${detail}`);
}

/** X API v2 (https://docs.x.com/x-api). "Not found" is HTTP 200 with `errors`; errors beside `data` concern other posts and are ignored. */
export const readMicroblogApi: Reader<'microblog-post'> = (answer, input) => {
  const body = objectOf(parseJson(textOf(answer)));
  const post = objectOf(Array.isArray(body?.data) ? body.data[0] : body?.data);
  if (!post) {
    const known = outcomeOfErrors(objectsOf(body?.errors));
    if (known?.tag === 'absent') return known;
    const said = `${body?.type} ${body?.title} ${body?.reason}`;
    const cap = /usage-capped|CreditsDepleted|client-forbidden|client-not-enrolled/i.exec(said)?.[0];
    if (cap) return refused("The platform did not accept this service's credentials.", `HTTP ${answer.status} ${cap}`);
    return outcomeOfStatus(answer) ?? known ?? changed(UNKNOWN, body ? 'neither data nor errors' : 'not JSON');
  }
  const id = idIn(post.id);
  const asked = postIdOf(input.url);
  if (id === null || typeof post.text !== 'string') return changed(UNKNOWN, 'no id or text');
  if (asked !== null && id !== asked) return aboutAnother(id, asked);
  // withheld everywhere (XX), or after a takedown (XY); a post withheld in some countries is still public
  if (listOf(at(post, 'withheld', 'country_codes')).some((code) => code === 'XX' || code === 'XY'))
    return absent('The post is withheld for legal reasons.', 'withheld in all countries');
  return resourceOf(post, body?.includes, id, answer);
};
