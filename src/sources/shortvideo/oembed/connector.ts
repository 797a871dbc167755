import type { ShortVideo } from '../../../contract/operations/short-video/operation.ts';
import { videoUrl } from '../../../contract/parameters/video-url.ts';
import type { Outcome } from '../../outcome.ts';
import { createAddressFinder, createAllowedAsk } from '../../short-link.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import { LINKS, mayFollow } from '../links.ts';

const inOembed = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** Also the page source asks it, to tell a removed video from one that is withheld from this service. */
export async function askOembed(ports: Ports, url: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
  const reply = await ports.http.ask({
    url: `https://www.tiktok.com/oembed?url=${encodeURIComponent(url)}&format=json`,
    headers: { accept: 'application/json' },
    maxBytes: 1_000_000,
    redirects: 2,
    mayFollow,
    pace: { key: 'www.tiktok.com/oembed', everyMs: 500, burst: 4 },
    attempt,
  });
  return parse(ports, inOembed('readVideoOembed'), reply, { url }, attempt);
}

export function open(ports: Ports): Asks {
  const find = createAddressFinder(ports, createAllowedAsk(ports), LINKS);
  return {
    async 'short-video'({ url }, attempt) {
      const named = await find(url, attempt);
      return named.tag === 'address' ? askOembed(ports, videoUrl(named.address.id, named.address.handle), attempt) : named;
    },
  };
}
