import type { ShortVideo } from '../../../contract/operations/short-video/operation.ts';
import { videoUrl } from '../../../contract/parameters/video-url.ts';
import { finallyBlocked, type Outcome } from '../../outcome.ts';
import { createAddressFinder, createAllowedAsk } from '../../short-link.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import { LINKS, mayFollow } from '../links.ts';
import { askOembed } from '../oembed/connector.ts';
import { AMBIGUOUS_WORDS } from '../status-codes.ts';
import type { Verdict } from './parse.ts';

const inPage = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

export function open(ports: Ports): Asks {
  const ask = createAllowedAsk(ports);
  const find = createAddressFinder(ports, ask, LINKS);

  async function askPage(url: string, id: string, attempt: Attempt): Promise<Verdict> {
    const reply = await ask({
      url,
      headers: { accept: 'text/html,application/xhtml+xml', 'accept-language': 'en' },
      // pages are 250 to 550 kB
      maxBytes: 4_000_000,
      redirects: 3,
      mayFollow,
      pace: { key: 'www.tiktok.com', everyMs: 1_000, burst: 3 },
      decodedByParser: true,
      attempt,
    });
    return parse(ports, inPage('judgeVideoPage'), reply, { id }, attempt);
  }

  async function confirmByOembed(url: string, detail: string, attempt: Attempt): Promise<Outcome<ShortVideo>> {
    const seen = await askOembed(ports, url, attempt);
    if (seen.tag === 'found')
      return finallyBlocked('The video exists, but the platform does not show it to this service.', `${detail}; oEmbed has it`);
    if (seen.tag === 'absent') return { ...seen, detail: `${detail}; oEmbed does not have it` };
    return { ...seen, what: `${AMBIGUOUS_WORDS} ${seen.what}`, detail: `${detail}; oEmbed: ${seen.detail ?? seen.tag}` };
  }

  return {
    async 'short-video'(input, attempt) {
      const named = await find(input.url, attempt);
      if (named.tag !== 'address') return named;
      const { id, handle } = named.address;
      const url = videoUrl(id, handle);
      const page = await askPage(url, id, attempt);
      if (page.tag === 'ambiguous') return confirmByOembed(url, page.detail, attempt);
      const isEmpty = (page.tag === 'blocked' && !page.final) || page.tag === 'changed';
      if (!isEmpty || attempt.signal.aborted) return page;
      const embed = await askPage(`https://www.tiktok.com/embed/v2/${id}`, id, attempt);
      // a reason that the platform names is more precise than a page without one, and that of the main page more than that of the other
      return embed.tag === 'found' || embed.tag === 'absent' || (embed.tag === 'blocked' && embed.final) ? embed : page;
    },
  };
}
