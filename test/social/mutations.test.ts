import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { READERS } from '../../src/sources/index.ts';
import type { Outcome } from '../../src/sources/outcome.ts';
import { explore } from '../support/seeds.ts';
import { answerOf, type Case, haveRecordings, postCases, videoCases } from './recordings.ts';
import { check } from './simulated-sources.ts';

type Path = readonly (string | number)[];
type Node = Record<string | number, unknown>;

/** Keys that the parsers read; changes elsewhere must have no effect. */
const ANCHORS = new Set(
  `__DEFAULT_SCOPE__ itemInfo itemStruct statusCode statusMsg ItemModule props pageProps videoData itemInfos authorInfos musicInfos challengeInfoList
  id desc text createTime locationCreated video videoMeta cover originCover covers coversOrigin duration isAd textExtra hashtagName HashtagName type Type
  start end Start End challenges title challengeName stats statsV2 playCount diggCount commentCount shareCount collectCount author uniqueId nickname
  nickName avatarLarger avatarMedium avatarThumb verified music musicName authorName imagePost images imageURL urlList isContentClassified html
  author_unique_id author_url author_name thumbnail_url embed_product_id embed_type data includes errors public_metrics impression_count like_count
  reply_count retweet_count quote_count bookmark_count entities urls url expanded_url display_url media_key media_keys hashtags tag attachments
  referenced_tweets note_tweet note_tweet_results entity_set created_at lang conversation_id author_id users tweets media username name
  profile_image_url verified_type variants content_type bit_rate bitrate preview_image_url withheld country_codes __typename tombstone id_str user
  mediaDetails media_url_https media_url video_info screen_name profile_image_url_https is_blue_verified favorite_count conversation_count quoted_tweet
  in_reply_to_status_id_str in_reply_to_user_id_str in_reply_to_screen_name parent self_thread display_text_range tweetResult tweet_result tweet_results
  result rest_id legacy core user_results avatar image_url verification views count full_text conversation_id_str is_quote_status extended_entities
  retweeted_status_result quoted_status_permalink expanded instructions entries entryId content itemContent tweet
  threaded_conversation_with_injections_v2 timeline reason details counts limitedActionResults`.split(/\s+/),
);
const JUNK: readonly unknown[] = [null, {}, [], true, 7, -3, 'x§', ''];

function pathsOf(json: unknown): Path[] {
  const paths: Path[] = [];
  const visit = (value: unknown, path: Path): void => {
    if (path.length) paths.push(path);
    if (typeof value === 'object' && value !== null) {
      for (const key of Object.keys(value)) visit((value as Node)[key], [...path, Array.isArray(value) ? Number(key) : key]);
    }
  };
  visit(json, []);
  return paths;
}
const at = (json: unknown, path: Path): unknown => path.reduce<unknown>((here, key) => (here as Node)[key], json);
const touches = (json: unknown, path: Path): boolean => {
  const inside = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.entries(value).some(([k, v]) => ANCHORS.has(k) || inside(v));
  const name = path.findLast((k) => typeof k === 'string');
  return (typeof name === 'string' && ANCHORS.has(name)) || typeof path.at(-1) === 'number' || inside(at(json, path));
};
function mutate(json: unknown, path: Path, kind: number): unknown {
  const copy: unknown = structuredClone(json);
  const holder = at(copy, path.slice(0, -1)) as Node;
  const key = path.at(-1) ?? '';
  // a flag that becomes true is another statement, not damage
  if (kind < JUNK.length) holder[key] = typeof holder[key] === 'boolean' && JUNK[kind] === true ? 7 : JUNK[kind];
  // a shorter list of references is another statement as well, so only one of them is damaged
  else if (Array.isArray(holder) && path.includes('referenced_tweets')) holder[key] = null;
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (kind === JUNK.length) {
    holder[`${key}New`] = holder[key];
    delete holder[key];
  } else delete holder[key];
  return copy;
}

/** All values of the recording, as text: a fallback may replace a lost field with any of them. */
const statedBy = (json: unknown): Set<string> => {
  const out = new Set<string>(JUNK.map(String));
  JSON.stringify(json, (_, v: unknown) => {
    if (typeof v === 'string' || typeof v === 'number') out.add(String(v).normalize('NFC'));
    return v;
  });
  return out;
};
/** The reason why a value is invented; null if it is the original, null, a fallback that the recording states, or derived from such. */
function invented(name: string, got: unknown, was: unknown, stated: ReadonlySet<string>, wire: string): string | null {
  if (got === null || JSON.stringify(got) === JSON.stringify(was)) return null;
  const bad = `${name}: ${JSON.stringify(got)}, was ${JSON.stringify(was)}`;
  if (Array.isArray(got)) {
    const known = new Set((Array.isArray(was) ? was : []).flatMap((v) => (typeof v === 'object' && v ? Object.values(v) : [v])));
    const parts = got.flatMap((v: unknown) => (typeof v === 'object' && v ? Object.values(v) : [v]));
    return parts.every((v) => v === null || known.has(v) || stated.has(String(v)) || wire.includes(String(v))) ? null : bad;
  }
  if (typeof got === 'object') {
    for (const [k, v] of Object.entries(got)) {
      const fault = invented(k, v, (was as Node | null)?.[k], stated, wire);
      if (fault) return fault;
    }
    return null;
  }
  // one of several flags is lost: the remaining ones are still false
  if (typeof got === 'boolean') return name === 'isVerified' && got === false ? null : bad;
  if (stated.has(String(got))) return null;
  if (name === 'url') return String(got).split('/').at(-1) === String(was).split('/').at(-1) ? null : bad;
  if (name === 'publishedAt') return Math.abs(Date.parse(String(got)) - Date.parse(String(was))) < 1000 ? null : bad;
  if (name === 'createdAt' || name === 'durationMs')
    return stated.has(String(Number(name === 'createdAt' ? Date.parse(String(got)) : got) / 1000)) ? null : bad;
  // a text without the target of a link keeps the short link; a text without its long form has the short form
  if (name === 'text')
    return String(got)
      .split(/\s+/)
      .every((w) => wire.includes(w))
      ? null
      : bad;
  return bad;
}

async function proveReader(t: TestContext, name: string, cases: readonly Case[]): Promise<void> {
  const reader = await READERS[name]?.load();
  assert.ok(reader && cases.length, name);
  const operation = name.startsWith('shortvideo') ? 'short-video' : 'microblog-post';
  const read = (c: Case, body: string): Outcome => reader(answerOf(body), { url: c.url });
  const known = cases.flatMap((c) => {
    const original = read(c, c.wrap(c.json));
    if (original.tag !== 'found') return [];
    const wire = `${[...statedBy(c.json)].join('\n')}\n${JSON.stringify(original.resource)}`
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&');
    return [{ c, was: original.resource, paths: pathsOf(c.json), stated: statedBy(c.json), wire }];
  });
  const runs = explore(400).map((run) => ({ run, seen: { all: 0, found: 0, apart: 0, equal: 0 } }));
  for (const { run, seen } of runs)
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(JUNK.length + 1), async (which, place, kind) => {
        const one = known[which % known.length];
        const path = one?.paths[place % (one.paths.length || 1)];
        if (!one || !path) return;
        const outcome = read(one.c, one.c.wrap(mutate(one.c.json, path, kind)));
        const isApart = !touches(one.c.json, path);
        const isEqual = outcome.tag === 'found' && JSON.stringify(outcome.resource) === JSON.stringify(one.was);
        seen.all++;
        seen.found += Number(outcome.tag === 'found');
        seen.apart += Number(isApart);
        seen.equal += Number(isApart && isEqual);
        if (outcome.tag !== 'found') return;
        const where = `${one.c.name} at ${path.join('/')}, kind ${kind}`;
        assert.equal(await check(operation, outcome.resource), null, where);
        assert.equal(invented('', outcome.resource, one.was, one.stated, one.wire), null, where);
      }),
      run,
    );
  // truncated bodies and inserted bytes: never a throw, never another post or video
  for (const run of explore(60))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.constantFrom('', '\u0000', '</script>', '{"', '<div>', '\ud800'),
        async (which, place, put) => {
          const one = known[which % known.length];
          if (!one) return;
          const body = one.c.wrap(one.c.json);
          const cut = place % body.length;
          const outcome = read(one.c, put === '' ? body.slice(0, cut) : body.slice(0, cut) + put + body.slice(cut));
          if (outcome.tag === 'found') assert.equal(await check(operation, outcome.resource), null);
        },
      ),
      run,
    );
  const { seen } = runs[0] ?? assert.fail();
  t.diagnostic(`${name}: ${seen.all} mutations, ${seen.found} still found, ${seen.equal} of ${seen.apart} that touch no anchor equal`);
  assert.ok(seen.found >= 0.3 * seen.all, `${seen.found} of ${seen.all} still found`);
  assert.ok(seen.equal >= 0.95 * seen.apart, `${seen.equal} of ${seen.apart} equal`);
}

for (const name of [
  'shortvideo/page',
  'shortvideo/oembed',
  'microblog/api',
  'microblog/syndication',
  'microblog/graphql',
  'microblog/oembed',
]) {
  test(`${name} never throws or invents values on a damaged answer, and ignores damage in unused parts`, async (t) => {
    if (!haveRecordings(t)) return;
    await proveReader(
      t,
      name,
      [...videoCases(), ...postCases()].filter((c) => c.reader === name),
    );
  });
}
