import { CookieJar } from 'tough-cookie';
import type { PaceRule } from '../../../upstream/ports.ts';
import { createRobots } from '../../../upstream/robots.ts';
import { blocked, type Outcome } from '../../outcome.ts';
import { parse } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { joinPages } from '../join.ts';
import { PAGE_PARSERS } from '../page-parsers.ts';
import type { PageRead } from '../result.ts';
import { acceptLanguage, pageUrl } from './address.ts';

const AGENT_TOKEN = 'Sightline';
const PACE: PaceRule = { key: 'www.bing.com', everyMs: 5_000, burst: 1 };
const PAGE_MS = 6_000;
const ROBOTS_TOLD_MS = 86_400_000;

export function open(ports: Ports): Asks {
  const { clock, http, log, settings } = ports;
  const robots = createRobots(http, clock, settings.SIGHTLINE_ROBOTS_EXEMPT);
  let toldAt = Number.NEGATIVE_INFINITY;
  /** The operator enables the source by a setting; a warning that robots.txt disallows it is logged once a day. */
  async function consult(url: string, signal: AbortSignal): Promise<void> {
    if (clock.now() - toldAt < ROBOTS_TOLD_MS) return;
    const verdict = await robots.mayFetch(url, AGENT_TOKEN, signal);
    if (verdict.tag !== 'barred') return;
    toldAt = clock.now();
    log('warn', 'robots.txt bars these pages; they are asked for because the operator has switched them on', {
      setting: 'SIGHTLINE_SERP_PAGE',
      detail: verdict.detail,
    });
  }
  return {
    serp(input, attempt) {
      const { signal, deadlineMs } = attempt;
      // without the cookies of page 1 the engine returns page 1 again as page 2
      const jar = new CookieJar();
      return joinPages(input, {
        repeatIsBlockPage: true,
        timeLeft: () => clock.now() + PAGE_MS < deadlineMs,
        async page(index, next): Promise<Outcome<PageRead>> {
          const url = next ?? pageUrl(input, index);
          await consult(url, signal);
          const cookie = await jar.getCookieString(url);
          const headers = { accept: 'text/html', 'accept-language': acceptLanguage(input), ...(cookie && { cookie }) };
          const mayFollow = (to: URL): boolean => /(^|\.)bing\.com$/.test(to.hostname);
          const reply = await http.ask({ url, headers, pace: PACE, mayFollow, signal });
          if (reply.tag !== 'answer' && reply.tag !== 'blocked') return reply;
          if (reply.tag === 'answer')
            for (const line of reply.answer.headers['set-cookie']?.split('\n') ?? []) await jar.setCookie(line, url, { ignoreError: true });
          const read = reply.tag === 'answer' ? await parse(ports, PAGE_PARSERS.engine_b, reply.answer, input, attempt) : reply;
          if (read.tag === 'blocked' || read.tag === 'limited') await ports.pace.rest(PACE.key, 60_000);
          return read.tag === 'found' && read.resource.result.organic.length === 0 ? blocked('The search engine shows no results.') : read;
        },
      });
    },
  };
}
