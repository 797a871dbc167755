import { LRUCache } from 'lru-cache';
import type { Thing } from '../../contract/parameters/address.ts';
import { isPostHost, postAddressOf, postUrl } from '../../contract/parameters/post-url.ts';
import { atMost } from '../../runtime/lru.ts';
import type { Reply } from '../../upstream/answer.ts';
import type { PaceRule } from '../../upstream/ports.ts';
import { absent, type NotFound } from '../outcome.ts';
import { createAddressFinder, createAllowedAsk, type LinkRules } from '../short-link.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../source.ts';
import type { SourceBudget } from '../source-budget.ts';
import { evidence, restMs } from './post.ts';

const ELSEWHERE = evidence('short link elsewhere');
const LINKS: LinkRules = {
  mayVisit: isPostHost,
  addressOf: postAddressOf,
  pace: { key: 't.co', everyMs: 500, burst: 4 },
  // the address that the shortener names is the whole of what a short link says
  outcomeOf: ({ hostname, pathname }) =>
    absent(ELSEWHERE, 'The short link leads to no post.', `led to ${hostname}${pathname.slice(0, 80)}`),
};
const inApi = parsersIn<typeof import('./api/parse.ts')>(new URL('./api/parse.ts', import.meta.url));
const inEmbeds = parsersIn<typeof import('./embeds.ts')>(new URL('./embeds.ts', import.meta.url));

function answerWith(
  ports: Ports,
  reader: ReturnType<typeof inApi<'readMicroblogApi'>>,
  pace: PaceRule,
  ask: (post: Thing, attempt: Attempt) => Promise<Reply | NotFound>,
  allowedAsk = createAllowedAsk(ports),
): Asks {
  const find = createAddressFinder(ports, allowedAsk, LINKS);
  return {
    async 'microblog-post'({ url }, attempt) {
      const post = await find(url, attempt);
      if (post.tag !== 'address') return post;
      const reply = await ask(post.address, attempt);
      if (reply.tag !== 'answer') return reply;
      const { answer } = reply;
      const rest = answer.status === 429 || answer.headers['x-rate-limit-remaining'] === '0' ? restMs(answer) : null;
      if (rest !== null) await ports.pace.rest(pace.key, rest);
      return parse(ports, reader, reply, { url: postUrl(post.address.id, post.address.handle) }, attempt);
    },
  };
}

/** 300 requests in 15 minutes per application; the rate-limit headers of the answer take precedence. */
const API_PACE: PaceRule = { key: 'api.x.com/2/tweets', everyMs: 3_000, burst: 20 };
const QUERY = new URLSearchParams({
  'tweet.fields':
    'attachments,author_id,conversation_id,created_at,entities,in_reply_to_user_id,lang,note_tweet,public_metrics,referenced_tweets,withheld',
  expansions: 'author_id,attachments.media_keys,referenced_tweets.id,referenced_tweets.id.attachments.media_keys',
  'user.fields': 'name,username,profile_image_url,verified,verified_type',
  'media.fields': 'type,url,preview_image_url,variants',
}).toString();

export function openApi(ports: Ports, budget: SourceBudget): Asks {
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

const EMBED_PACE: PaceRule = { key: 'cdn.syndication.twimg.com', everyMs: 1_000, burst: 5 };
/** The number that the platform's embed script derives from the id: the same for every client (react-tweet, `fetch-tweet`). */
export const embedToken = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, '');

export function openSyndication(ports: Ports): Asks {
  const ask = createAllowedAsk(ports);
  const headers = { accept: 'application/json', 'accept-language': 'en' };
  const askEmbed = ({ id }: Thing, attempt: Attempt) => {
    const url = `https://cdn.syndication.twimg.com/tweet-result?id=${id}&lang=en&token=${embedToken(id)}`;
    return ask({ url, headers, maxBytes: 1_000_000, redirects: 0, pace: EMBED_PACE, attempt });
  };
  return answerWith(ports, inEmbeds('readSyndication'), EMBED_PACE, askEmbed, ask);
}

const OEMBED_PACE: PaceRule = { key: 'publish.x.com', everyMs: 500, burst: 5 };
const OEMBED_HOST = /^(?:publish|www)?\.?(?:twitter|x)\.com$/;

export const openOembed = (ports: Ports): Asks =>
  answerWith(ports, inEmbeds('readMicroblogOembed'), OEMBED_PACE, ({ id, handle }, attempt) =>
    ports.http.ask({
      url: `https://publish.x.com/oembed?${new URLSearchParams({ url: postUrl(id, handle), omit_script: '1', lang: 'en', dnt: 'true' })}`,
      headers: { accept: 'application/json' },
      maxBytes: 1_000_000,
      redirects: 2,
      mayFollow: (to) => OEMBED_HOST.test(to.hostname),
      pace: OEMBED_PACE,
      attempt,
    }),
  );
