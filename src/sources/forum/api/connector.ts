import type { Answer } from '../../../upstream/answer.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { createClient } from './client.ts';
import { createLocalLease } from './local-lease.ts';
import { readWholeThread } from './whole-thread.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PAGE_SIZE = '100';

/** The input with the community's current name, to which the platform redirected from a former one. */
function current<I extends { readonly community?: string }>(input: I, answer: Answer): I {
  const name = /^\/r\/([^/]+)\//.exec(URL.parse(answer.url)?.pathname ?? '')?.[1];
  return input.community && name ? { ...input, community: decodeURIComponent(name) } : input;
}

export function open(ports: Ports): Asks {
  const client = createClient(ports);
  const lease = ports.lease ?? createLocalLease();
  return {
    async 'forum-community'(input, attempt) {
      const query = {
        limit: PAGE_SIZE,
        // the platform's default, stated explicitly
        ...(input.sort === 'top' && { t: 'day' }),
        ...(input.after && { after: input.after }),
      };
      const got = await client.ask(`/r/${encodeURIComponent(input.community)}/${input.sort}`, query, attempt);
      return got.ok ? parse(ports, parser('readListing'), got.answer, current(input, got.answer), attempt) : got.outcome;
    },
    async 'forum-search'(input, attempt) {
      const query = {
        // the platform redirects a bare URL to its submit page
        q: /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(input.query) ? `url:"${input.query}"` : input.query,
        sort: input.sort,
        t: 'all',
        type: 'link',
        limit: PAGE_SIZE,
        include_over_18: '1',
        ...(input.after && { after: input.after }),
        ...(input.community && { restrict_sr: '1' }),
      };
      const path = input.community ? `/r/${encodeURIComponent(input.community)}/search` : '/search';
      const got = await client.ask(path, query, attempt);
      return got.ok ? parse(ports, parser('readSearch'), got.answer, current(input, got.answer), attempt) : got.outcome;
    },
    'forum-comments': ({ postId }, attempt) => readWholeThread({ client, lease, ports, postId, attempt }),
  };
}
