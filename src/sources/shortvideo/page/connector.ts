import type { ShortVideo } from '../../../contract/operations/shortvideo.ts';
import { isVideoHost, videoAddressOf, videoUrl } from '../../../contract/parameters/video-url.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { absent, blocked, finallyBlocked, type Outcome, refused } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import { AGENT } from '../../short-link.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { askOembed, createVideoLinks } from '../oembed/connector.ts';
import { AMBIGUOUS_WORDS, REMOVED } from '../status-codes.ts';
import type { Verdict } from './parse.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
/** Pages are 250 to 550 kB. */
const MAX_BYTES = 4_000_000;
const PACE: PaceRule = { key: 'www.tiktok.com', everyMs: 1_000, burst: 3 };

export function open(ports: Ports): Asks {
  const robots = createRobots(ports.http, ports.clock, ports.settings.SIGHTLINE_ROBOTS_EXEMPT);
  const follow = createVideoLinks(ports);

  async function askPage(url: string, id: string, attempt: Attempt): Promise<Verdict> {
    const { signal } = attempt;
    const leave = await robots.mayFetch(url, AGENT, signal);
    if (leave.tag === 'barred') return blocked(leave.what, leave.detail);
    if (leave.tag !== 'allowed') return leave;
    const reply = await ports.http.ask({
      url,
      headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' },
      maxBytes: MAX_BYTES,
      redirects: 3,
      mayFollow: (to) => isVideoHost(to.hostname),
      pace: PACE,
      signal,
    });
    return reply.tag === 'answer' ? parse(ports, parser('judgeVideoPage'), reply.answer, { id }, attempt) : reply;
  }

  async function confirmByOembed(url: string, detail: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
    const seen = await askOembed(ports, url, attempt);
    if (seen.tag === 'found')
      return finallyBlocked('The video exists, but the platform does not show it to this service.', `${detail}; oEmbed has it`);
    if (seen.tag === 'absent') return absent(REMOVED, `${detail}; oEmbed has it not`);
    return { ...seen, what: `${AMBIGUOUS_WORDS} ${seen.what}`, detail: `${detail}; oEmbed: ${seen.detail ?? seen.tag}` };
  }

  return {
    async 'short-video'(input, attempt) {
      const { signal } = attempt;
      let address = videoAddressOf(input.url);
      if (address?.kind === 'short') {
        const resolved = await follow(address.url, signal);
        if (resolved.tag !== 'leads') return resolved;
        address = videoAddressOf(resolved.url);
      }
      if (address?.kind !== 'video') return refused('The address names no video.');
      const url = videoUrl(address.id, address.handle);
      const page = await askPage(url, address.id, attempt);
      if (page.tag === 'ambiguous') return confirmByOembed(url, page.detail, attempt);
      const isEmpty = (page.tag === 'blocked' && !page.final) || page.tag === 'changed';
      if (!isEmpty || signal.aborted) return page;
      const embed = await askPage(`https://www.tiktok.com/embed/v2/${address.id}`, address.id, attempt);
      // the failure of the main page is the more precise reason
      return embed.tag === 'found' ? embed : page;
    },
  };
}
