import type { ShortVideo } from '../../../contract/shortvideo.ts';
import { isVideoHost, readVideoUrl, videoAddressOf } from '../../../contract/video-url.ts';
import { createRobots } from '../../../outside/robots.ts';
import type { PaceRule } from '../../../outside/world.ts';
import type { Outcome } from '../../outcome.ts';
import { parse } from '../../parsers.ts';
import { createShortLinks } from '../../short-link.ts';
import type { Asks, Attempt, World } from '../../source.ts';

const ENDPOINT = 'https://www.tiktok.com/oembed';
const PACE: PaceRule = { key: 'www.tiktok.com/oembed', everyMs: 500, burst: 4 };
const LINKS: PaceRule = { key: 'short links of the short-video platform', everyMs: 500, burst: 4 };
const MAX_BYTES = 1_000_000;

/** Asks the documented oEmbed endpoint about one video, by its address in its one form. */
export async function askOembed(world: World, url: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
  const reply = await world.http.ask({
    url: `${ENDPOINT}?url=${encodeURIComponent(url)}&format=json`,
    headers: { accept: 'application/json' },
    maxBytes: MAX_BYTES,
    redirects: 2,
    mayFollow: (to) => isVideoHost(to.hostname),
    pace: PACE,
    signal: attempt.signal,
  });
  return reply.tag === 'answer' ? parse(world, 'shortvideo/oembed', reply.answer, { url }, attempt) : reply;
}

/** Follower of the platform's short links. */
export const createVideoLinks = (world: World) =>
  createShortLinks({
    world,
    robots: createRobots(world.http, world.clock, world.settings.SIGHTLINE_ROBOTS_EXEMPT),
    mayVisit: isVideoHost,
    nameOf(url) {
      if (videoAddressOf(url)?.kind !== 'video') return null;
      const read = readVideoUrl(url);
      return read.ok ? read.value : null;
    },
    pace: LINKS,
    thing: 'video',
  });

export function open(world: World): Asks {
  const follow = createVideoLinks(world);
  return {
    async 'short-video'({ url }, attempt) {
      const address = videoAddressOf(url);
      if (address?.kind !== 'short') return askOembed(world, url, attempt);
      const resolved = await follow(address.url, attempt.signal);
      return resolved.tag === 'leads' ? askOembed(world, resolved.url, attempt) : resolved;
    },
  };
}
