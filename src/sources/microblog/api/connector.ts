import { LRUCache } from 'lru-cache';
import { atMost } from '../../../runtime/lru.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { type Asks, type Ports, parsersIn } from '../../source.ts';
import type { SourceBudget } from '../../source-budget.ts';
import { answerWith } from '../lookup.ts';

const inApi = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** 300 requests in 15 minutes per application; the rate-limit headers of the answer take precedence. */
const API_PACE: PaceRule = { key: 'api.x.com/2/tweets', everyMs: 3_000, burst: 20 };
const QUERY = new URLSearchParams({
  'tweet.fields':
    'attachments,author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets,withheld',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.attachments.media_keys',
  'user.fields': 'name,username,profile_image_url,verified,verified_type',
  'media.fields': 'type,url,preview_image_url,variants',
}).toString();

export function open(ports: Ports, budget: SourceBudget): Asks {
  // X bills a post once a UTC day, however often it is read
  const billedOn = new LRUCache<string, number>(atMost(Math.max(1, budget.maxRequests)));
  return answerWith(ports, inApi('readMicroblogApi'), API_PACE, async ({ id }, attempt) => {
    const today = Math.floor(ports.clock.now() / 86_400_000);
    const taken = billedOn.get(id) === today ? null : await budget.take();
    if (taken && taken.tag !== 'taken') return taken;
    const reply = await ports.http.ask({
      url: `https://api.x.com/2/tweets/${id}?${QUERY}`,
      headers: { authorization: `Bearer ${ports.settings.X_BEARER_TOKEN}`, accept: 'application/json' },
      maxBytes: 2_000_000,
      redirects: 0,
      pace: API_PACE,
      attempt,
    });
    if (reply.tag !== 'answer') return reply;
    const isBilled = reply.answer.status === 200;
    if (isBilled) billedOn.set(id, today);
    await taken?.settle(isBilled ? budget.usdEach : 0);
    return reply;
  });
}
