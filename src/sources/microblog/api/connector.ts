import type { Clock } from '../../../runtime/clock.ts';
import type { PaceRule, SpendRule } from '../../../upstream/ports.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { createSourceBudget } from '../../source-budget.ts';
import { restMs } from '../failures.ts';
import { createPostFinder } from '../post-finder.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
/** 300 requests in 15 minutes per application; the rate-limit headers of the answer take precedence. */
const PACE: PaceRule = { key: 'api.x.com/2/tweets', everyMs: 3_000, burst: 20 };
const QUERY = new URLSearchParams({
  'tweet.fields':
    'attachments,author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets,withheld',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.attachments.media_keys',
  'user.fields': 'name,username,profile_image_url,verified,verified_type',
  'media.fields': 'type,url,preview_image_url,variants',
}).toString();
const MAX_BYTES = 2_000_000;

/** Posts that were billed on this UTC day, at most `max`: X bills a post once a day, however often it is read. A restart forgets them, and counts them again. */
function createDailySet(clock: Clock, max: number): { has(id: string): boolean; add(id: string): void } {
  let day = 0;
  const ids = new Set<string>();
  const today = (): Set<string> => {
    const now = Math.floor(clock.now() / 86_400_000);
    if (now !== day) ids.clear();
    day = now;
    return ids;
  };
  return { has: (id) => today().has(id), add: (id) => void (today().size < max && ids.add(id)) };
}

export function open(ports: Ports, cap: SpendRule): Asks {
  const find = createPostFinder(ports);
  const { SIGHTLINE_X_READ_USD: usdEach } = ports.settings;
  const budget = createSourceBudget({ ...cap, usdEach, settings: 'SIGHTLINE_X_DAILY_READS, SIGHTLINE_X_DAILY_USD' }, ports);
  const counted = createDailySet(ports.clock, cap.maxRequests);
  return {
    async 'microblog-post'(input, attempt) {
      const { signal } = attempt;
      const post = await find(input.url, signal);
      if (post.tag !== 'post') return post;
      const isCounted = counted.has(post.id);
      const taken = isCounted ? null : await budget.take();
      if (taken && taken.tag !== 'taken') return taken;
      const reply = await ports.http.ask({
        url: `https://api.x.com/2/tweets/${post.id}?${QUERY}`,
        headers: { authorization: `Bearer ${ports.settings.X_BEARER_TOKEN}`, accept: 'application/json' },
        maxBytes: MAX_BYTES,
        redirects: 0,
        pace: PACE,
        signal,
      });
      if (reply.tag !== 'answer') return reply;
      const { answer } = reply;
      // a read is billed only if it succeeds
      if (answer.status === 200) counted.add(post.id);
      await taken?.settle(answer.status === 200 ? usdEach : 0);
      const rest = answer.status === 429 || answer.headers['x-rate-limit-remaining'] === '0' ? restMs(answer) : null;
      if (rest !== null) await ports.pace.rest(PACE.key, rest);
      return parse(ports, parser('readMicroblogApi'), answer, { url: post.url }, attempt);
    },
  };
}
