import type { ShortVideo } from '../../../contract/operations/shortvideo.ts';
import { isVideoHost, readVideoUrl, videoAddressOf } from '../../../contract/parameters/video-url.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import type { Outcome } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import { createShortLinks } from '../../short-link.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const ENDPOINT = 'https://www.tiktok.com/oembed';
const PACE: PaceRule = { key: 'www.tiktok.com/oembed', everyMs: 500, burst: 4 };
const LINKS: PaceRule = { key: 'short links of the short-video platform', everyMs: 500, burst: 4 };
const MAX_BYTES = 1_000_000;

/** Requests the documented oEmbed endpoint with the canonical URL of one video. */
export async function askOembed(ports: Ports, url: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
  const reply = await ports.http.ask({
    url: `${ENDPOINT}?url=${encodeURIComponent(url)}&format=json`,
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
    redirects: 2,
    mayFollow: (to) => isVideoHost(to.hostname),
    pace: PACE,
    signal: attempt.signal,
  });
  return reply.tag === 'answer' ? parse(ports, parser('readVideoOembed'), reply.answer, { url }, attempt) : reply;
}

/** Resolver of the platform's short links. */
export const createVideoLinks = (ports: Ports) =>
  createShortLinks({
    ports,
    robots: createRobots(ports.http, ports.clock, ports.settings.SIGHTLINE_ROBOTS_EXEMPT),
    mayVisit: isVideoHost,
    nameOf(url) {
      if (videoAddressOf(url)?.kind !== 'video') return null;
      const read = readVideoUrl(url);
      return read.ok ? read.value : null;
    },
    pace: LINKS,
    thing: 'video',
  });

export function open(ports: Ports): Asks {
  const follow = createVideoLinks(ports);
  return {
    async 'short-video'({ url }, attempt) {
      const address = videoAddressOf(url);
      if (address?.kind !== 'short') return askOembed(ports, url, attempt);
      const resolved = await follow(address.url, attempt.signal);
      return resolved.tag === 'leads' ? askOembed(ports, resolved.url, attempt) : resolved;
    },
  };
}
