import { isPostHost, postAddressOf, readPostUrl } from '../../contract/parameters/post-url.ts';
import { createRobots } from '../../upstream/robots.ts';
import { type NotFound, refused } from '../outcome.ts';
import { createShortLinks } from '../short-link.ts';
import type { Ports } from '../source.ts';

/** Resolves the post of an input URL; follows short links. */
export function createPostFinder(ports: Ports) {
  const follow = createShortLinks({
    ports,
    robots: createRobots(ports.http, ports.clock, ports.settings.SIGHTLINE_ROBOTS_EXEMPT),
    mayVisit: isPostHost,
    nameOf(url) {
      if (postAddressOf(url)?.kind !== 'post') return null;
      const read = readPostUrl(url);
      return read.ok ? read.value : null;
    },
    pace: { key: 't.co', everyMs: 500, burst: 4 },
    thing: 'post',
  });
  return async (url: string, signal: AbortSignal): Promise<{ tag: 'post'; id: string; url: string } | NotFound> => {
    let address = postAddressOf(url);
    let own = url;
    if (address?.kind === 'short') {
      const resolved = await follow(address.url, signal);
      if (resolved.tag !== 'leads') return resolved;
      own = resolved.url;
      address = postAddressOf(own);
    }
    return address?.kind === 'post' ? { tag: 'post', id: address.id, url: own } : refused('The address names no post.');
  };
}
