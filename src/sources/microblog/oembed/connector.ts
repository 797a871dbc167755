import { postUrl } from '../../../contract/parameters/post-url.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { createPostFinder } from '../post-finder.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PACE: PaceRule = { key: 'publish.x.com', everyMs: 500, burst: 5 };
const OWN_HOST = /^(?:publish|www)?\.?(?:twitter|x)\.com$/;

export function open(ports: Ports): Asks {
  const find = createPostFinder(ports);
  return {
    async 'microblog-post'(input, attempt) {
      const { signal } = attempt;
      const post = await find(input.url, signal);
      if (post.tag !== 'post') return post;
      const query = new URLSearchParams({
        url: post.url,
        omit_script: '1',
        lang: 'en',
        dnt: 'true',
      });
      const reply = await ports.http.ask({
        url: `https://publish.x.com/oembed?${query}`,
        headers: { accept: 'application/json' },
        maxBytes: 1_000_000,
        redirects: 2,
        mayFollow: (to) => OWN_HOST.test(to.hostname),
        pace: PACE,
        signal,
      });
      return reply.tag === 'answer'
        ? parse(ports, parser('readMicroblogOembed'), reply.answer, { url: postUrl(post.id, null) }, attempt)
        : reply;
    },
  };
}
