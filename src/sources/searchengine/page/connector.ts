import { takeTurn } from '../../../upstream/pace.ts';
import { screenReply } from '../../challenge.ts';
import { timeout } from '../../outcome.ts';
import { type Asks, type Ports, parse } from '../../source.ts';
import { joinPages, PAGE_PARSERS } from '../join.ts';
import { engineLanguage } from '../regions.ts';
import type { SerpInput } from '../result.ts';
import { connectedBrowser } from './browser.ts';

/** URL of a result page; `index` counts from 0. For pages after the first, the engine's own link is preferred. */
function pageUrl(input: SerpInput, index: number): string {
  const { keyword, language, location } = input;
  if (input.engine === 'engine_b') {
    const first = index > 0 && { first: String(index * 10 + 1) };
    return `https://www.bing.com/search?${new URLSearchParams({ q: keyword, setlang: language, cc: location, ...first })}`;
  }
  const query = { q: keyword, hl: engineLanguage(input), gl: location.toLowerCase(), pws: '0', ie: 'UTF-8', oe: 'UTF-8' };
  return `https://www.google.com/search?${new URLSearchParams({ ...query, ...(index > 0 && { start: String(index * 10) }) })}`;
}

/** With less time left no further page is begun. */
const BROWSER_PAGE_MS = 12_000;
const BROWSER_EVERY_MS = 8_000;

export function openBrowser(ports: Ports, browser = connectedBrowser(ports.settings.SIGHTLINE_BROWSER_URL ?? '', ports.clock)): Asks {
  const { clock, pace } = ports;
  return {
    async serp(input, attempt) {
      const { signal, deadlineMs } = attempt;
      const tab = await browser.open(`${input.language}-${input.location}`);
      if ('tag' in tab) return tab;
      const leave = () => void tab.close();
      signal.addEventListener('abort', leave, { once: true });
      const rule = { key: `browser ${input.engine}`, everyMs: BROWSER_EVERY_MS, burst: 1 };
      try {
        return await joinPages(input, clock, deadlineMs - BROWSER_PAGE_MS, async (index, next) => {
          const waitMs = await takeTurn(pace, clock, rule, attempt, deadlineMs - clock.now());
          if (waitMs > 0 || signal.aborted)
            return timeout("There was no time left for the operator's browser.", `next turn in ${waitMs} ms`);
          const reply = screenReply(await tab.visit(next ?? pageUrl(input, index), Math.max(1, deadlineMs - clock.now())));
          return parse(ports, PAGE_PARSERS[input.engine], reply, input, attempt);
        });
      } finally {
        signal.removeEventListener('abort', leave);
        await tab.close();
      }
    },
  };
}
