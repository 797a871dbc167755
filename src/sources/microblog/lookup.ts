import type { Thing } from '../../contract/parameters/address.ts';
import { isPostHost, postAddressOf, postUrl } from '../../contract/parameters/post-url.ts';
import type { Reply } from '../../upstream/answer.ts';
import type { PaceRule } from '../../upstream/ports.ts';
import { absent, type NotFound } from '../outcome.ts';
import { createAddressFinder, createAllowedAsk, type LinkRules } from '../short-link.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../source.ts';
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
export const inEmbeds = parsersIn<typeof import('./embeds.ts')>(new URL('./embeds.ts', import.meta.url));

/** A parser of the answer about one post. */
type PostParser = ReturnType<typeof inEmbeds<'readSyndication'>>;

/** Finds the post that a URL names, asks for it, and reads the answer; a rate limit that the answer states rests the pace. */
export function answerWith(
  ports: Ports,
  reader: PostParser,
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
