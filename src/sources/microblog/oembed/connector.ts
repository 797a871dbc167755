import { postUrl } from '../../../contract/parameters/post-url.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import type { Asks, Ports } from '../../source.ts';
import { answerWith, inEmbeds } from '../lookup.ts';

const OEMBED_PACE: PaceRule = { key: 'publish.x.com', everyMs: 500, burst: 5 };
const OEMBED_HOST = /^(?:publish|www)?\.?(?:twitter|x)\.com$/;

export const open = (ports: Ports): Asks =>
  answerWith(ports, inEmbeds('readMicroblogOembed'), OEMBED_PACE, ({ id, handle }, attempt) =>
    ports.http.ask({
      url: `https://publish.x.com/oembed?${new URLSearchParams({ url: postUrl(id, handle), omit_script: '1', lang: 'en', dnt: 'true' })}`,
      headers: { accept: 'application/json' },
      maxBytes: 1_000_000,
      redirects: 2,
      mayFollow: (to) => OEMBED_HOST.test(to.hostname),
      pace: OEMBED_PACE,
      attempt,
    }),
  );
