import type { Inputs } from '../../../contract/operations.ts';
import { timeout } from '../../outcome.ts';
import type { Source, World } from '../../source.ts';
import { openBingPage } from '../bing/parse.ts';
import { openGooglePage } from '../google/parse.ts';
import { joinPages } from '../join.ts';
import { acceptLanguage, pageUrl } from './address.ts';
import { type Browser, connectedBrowser } from './browser.ts';

const EVERY_MS = 8_000;
const PAGE_MS = 12_000;

/** `connect` stands for the real browser in tests. */
export const browserSource = (connect: (world: World) => Browser): Source => ({
  id: 'serp/browser',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'browser' },
  needs: ['SIGHTLINE_BROWSER_URL'],
  knowsAbsence: false,
  // it is what it is: no desktop browser is passed off as a phone
  serves: (_, input) => (input as Inputs['serp']).device === 'desktop',
  partOf: (_, input) => (input as Inputs['serp']).engine,
  about:
    "result pages of both engines in the operator's own browser (desktop), one page in eight seconds; robots.txt bars them: the setting is the operator's word",
  open(world) {
    const browser = connect(world);
    const { clock, pace } = world;
    return {
      async serp(input, { signal, deadlineMs }) {
        const tab = await browser.open(acceptLanguage(input).split(',', 1)[0] ?? input.language);
        if ('tag' in tab) return tab;
        const leave = () => void tab.close();
        signal.addEventListener('abort', leave, { once: true });
        const rule = { key: `browser ${input.engine}`, everyMs: EVERY_MS, burst: 1 };
        const open = input.engine === 'engine_a' ? openGooglePage : openBingPage;
        try {
          return await joinPages(input, {
            repeatIsWall: input.engine === 'engine_b',
            timeLeft: () => clock.now() + PAGE_MS < deadlineMs,
            async page(index, next) {
              const waitMs = await pace.take(rule, deadlineMs - clock.now(), signal);
              if (waitMs > 0 || signal.aborted)
                return timeout("There was no time left for the operator's browser.", `next turn in ${waitMs} ms`);
              const reply = await tab.visit(next ?? pageUrl(input, index), Math.max(1, deadlineMs - clock.now()));
              return reply.tag === 'answer' ? open(reply.answer, input) : reply;
            },
          });
        } finally {
          signal.removeEventListener('abort', leave);
          await tab.close();
        }
      },
    };
  },
});

export const serpBrowser = browserSource((world) => connectedBrowser(world.settings.SIGHTLINE_BROWSER_URL ?? '', world.clock));
