import { screenReply } from '../../challenge.ts';
import { timeout } from '../../outcome.ts';
import { parse } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { joinPages } from '../join.ts';
import { PAGE_PARSERS } from '../page-parsers.ts';
import { acceptLanguage, pageUrl } from './address.ts';
import { type Browser, connectedBrowser } from './browser.ts';

const EVERY_MS = 8_000;
const PAGE_MS = 12_000;

export type Connect = (ports: Ports) => Browser;
export const connectOperators: Connect = (ports) => connectedBrowser(ports.settings.SIGHTLINE_BROWSER_URL ?? '', ports.clock);

export const openBy =
  (connect: Connect) =>
  (ports: Ports): Asks => {
    const browser = connect(ports);
    const { clock, pace } = ports;
    return {
      async serp(input, attempt) {
        const { signal, deadlineMs } = attempt;
        const tab = await browser.open(acceptLanguage(input).split(',', 1)[0] ?? input.language);
        if ('tag' in tab) return tab;
        const leave = () => void tab.close();
        signal.addEventListener('abort', leave, { once: true });
        const rule = { key: `browser ${input.engine}`, everyMs: EVERY_MS, burst: 1 };
        try {
          return await joinPages(input, {
            repeatIsBlockPage: input.engine === 'engine_b',
            timeLeft: () => clock.now() + PAGE_MS < deadlineMs,
            async page(index, next) {
              const waitMs = await pace.take(rule, deadlineMs - clock.now(), signal);
              if (waitMs > 0 || signal.aborted)
                return timeout("There was no time left for the operator's browser.", `next turn in ${waitMs} ms`);
              const reply = screenReply(await tab.visit(next ?? pageUrl(input, index), Math.max(1, deadlineMs - clock.now())));
              return reply.tag === 'answer' ? parse(ports, PAGE_PARSERS[input.engine], reply.answer, input, attempt) : reply;
            },
          });
        } finally {
          signal.removeEventListener('abort', leave);
          await tab.close();
        }
      },
    };
  };
