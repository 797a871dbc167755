import { CookieJar } from 'tough-cookie';
import { takeTurn } from '../../../upstream/pace.ts';
import type { PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { screenReply } from '../../challenge.ts';
import { blocked, timeout } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse } from '../../source.ts';
import { joinPages, PAGE_PARSERS } from '../join.ts';
import { engineLanguage, type SerpInput } from '../result.ts';
import { connectedBrowser } from './browser.ts';

/** URL of a result page; `index` counts from 0. For pages after the first, the engine's own link is preferred. */
function pageUrl(input: SerpInput, index: number): string {
  const { keyword, language, location } = input;
  if (input.engine === 'engine_b') {
    const first = index > 0 && { first: String(index * 10 + 1) };
    return `https://www.bing.com/search?${new URLSearchParams({ q: keyword, setlang: language, cc: location, ...first })}`;
  }
  const query = { q: keyword, hl: engineLanguage(input), gl: location.toLowerCase(), pws: '0', filter: '0', ie: 'UTF-8', oe: 'UTF-8' };
  return `https://www.google.com/search?${new URLSearchParams({ ...query, ...(index > 0 && { start: String(index * 10) }) })}`;
}

const AGENT_TOKEN = 'Sightline';
const PACE: PaceRule = { key: 'www.bing.com', everyMs: 5_000, burst: 1 };
/** With less time left no further page is begun: of plain HTTP, and in a browser. */
const PAGE_MS = 6_000;
const BROWSER_PAGE_MS = 12_000;
const BROWSER_EVERY_MS = 8_000;
const ROBOTS_TOLD_MS = 86_400_000;

export function open(ports: Ports): Asks {
  const { clock, http, log, settings } = ports;
  const robots = createRobots(http, clock, settings.SIGHTLINE_ROBOTS_EXEMPT);
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The operator enables the source by a setting; a warning that robots.txt disallows it is logged once a day. */
  async function consult(url: string, attempt: Attempt): Promise<void> {
    if (clock.now() - toldAt < ROBOTS_TOLD_MS) return;
    const verdict = await robots.mayFetch(url, AGENT_TOKEN, attempt);
    if (verdict.tag !== 'barred') return;
    toldAt = clock.now();
    log('warn', 'robots.txt bars these pages; they are asked for because the operator has switched them on', {
      setting: 'SIGHTLINE_SERP_PAGE',
      detail: verdict.detail,
    });
  }
  return {
    serp(input, attempt) {
      // without the cookies of page 1 the engine returns page 1 again as page 2
      const jar = new CookieJar();
      return joinPages(input, clock, attempt.deadlineMs - PAGE_MS, async (index, next) => {
        const url = next ?? pageUrl(input, index);
        await consult(url, attempt);
        const cookie = await jar.getCookieString(url);
        // this header outweighs the language parameters of the URL
        const language = `${input.language}-${input.location},${input.language};q=0.9`;
        const headers = { accept: 'text/html', 'accept-language': language, ...(cookie && { cookie }) };
        const mayFollow = (to: URL): boolean => /(^|\.)bing\.com$/.test(to.hostname);
        const reply = await http.ask({ url, headers, pace: PACE, mayFollow, decodedByParser: true, attempt });
        if (reply.tag === 'answer')
          for (const line of reply.answer.headers['set-cookie']?.split('\n') ?? []) await jar.setCookie(line, url, { ignoreError: true });
        else if (reply.tag !== 'blocked') return reply;
        const read = await parse(ports, PAGE_PARSERS.engine_b, reply, input, attempt);
        if (read.tag === 'blocked' || read.tag === 'limited') await ports.pace.rest(PACE.key, 60_000);
        return read.tag === 'found' && read.resource.result.organic.length === 0 ? blocked('The search engine shows no results.') : read;
      });
    },
  };
}

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
