import type { Thing } from '../../../contract/parameters/address.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { createAllowedAsk } from '../../short-link.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { answerWith, inEmbeds } from '../lookup.ts';

const EMBED_PACE: PaceRule = { key: 'cdn.syndication.twimg.com', everyMs: 1_000, burst: 5 };
/** The number that the platform's embed script derives from the id: the same for every client (react-tweet, `fetch-tweet`). */
export const embedToken = (id: string): string => ((Number(id) / 1e15) * Math.PI).toString(36).replace(/(0+|\.)/g, '');

export function open(ports: Ports): Asks {
  const ask = createAllowedAsk(ports);
  const headers = { accept: 'application/json', 'accept-language': 'en' };
  const askEmbed = ({ id }: Thing, attempt: Attempt) => {
    const url = `https://cdn.syndication.twimg.com/tweet-result?id=${id}&lang=en&token=${embedToken(id)}`;
    return ask({ url, headers, maxBytes: 1_000_000, redirects: 0, pace: EMBED_PACE, attempt });
  };
  return answerWith(ports, inEmbeds('readSyndication'), EMBED_PACE, askEmbed, ask);
}
