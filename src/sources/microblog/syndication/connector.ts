import type { PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { blocked } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import { AGENT } from '../../short-link.ts';
import type { Asks, Ports } from '../../source.ts';
import { restMs } from '../failures.ts';
import { createPostFinder } from '../post-finder.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PACE: PaceRule = { key: 'cdn.syndication.twimg.com', everyMs: 1_000, burst: 5 };
const MAX_BYTES = 1_000_000;

/**
 * The number that the platform's embed script derives from the id: not a secret, and the same for every client (react-tweet,
 * `fetch-tweet`).
 */
export const embedToken = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, '');

export function open(ports: Ports): Asks {
  const find = createPostFinder(ports);
  const robots = createRobots(ports.http, ports.clock, ports.settings.SIGHTLINE_ROBOTS_EXEMPT);
  return {
    async 'microblog-post'(input, attempt) {
      const { signal } = attempt;
      const post = await find(input.url, signal);
      if (post.tag !== 'post') return post;
      const url = `https://cdn.syndication.twimg.com/tweet-result?id=${post.id}&lang=en&token=${embedToken(post.id)}`;
      const leave = await robots.mayFetch(url, AGENT, signal);
      if (leave.tag === 'barred') return blocked(leave.what, leave.detail);
      if (leave.tag !== 'allowed') return leave;
      const headers = { accept: 'application/json', 'accept-language': 'en' };
      const reply = await ports.http.ask({ url, headers, maxBytes: MAX_BYTES, redirects: 0, pace: PACE, signal });
      if (reply.tag !== 'answer') return reply;
      const rest = reply.answer.status === 429 ? restMs(reply.answer) : null;
      if (rest !== null) await ports.pace.rest(PACE.key, rest);
      return parse(ports, parser('readSyndication'), reply.answer, { url: post.url }, attempt);
    },
  };
}
