import type { Inputs } from '../../../contract/operations.ts';
import { found } from '../../outcome.ts';
import type { Source } from '../../source.ts';
import { joinPages } from '../join.ts';
import { readSearxng, SEARXNG_ENGINE } from './parse.ts';

const PAGE_MS = 3_000;

/** The operator's own instance, asked for one engine alone. It states addresses, titles, texts and suggestions; no more. */
export const searxng: Source = {
  id: 'SearXNG',
  operations: ['serp'],
  listed: { setting: 'SIGHTLINE_SERP_SOURCES', as: 'searxng' },
  needs: ['SEARXNG_URL'],
  knowsAbsence: false,
  // the instance asks as a desktop and has no other way
  serves: (_, input) => (input as Inputs['serp']).device === 'desktop',
  partOf: (_, input) => (input as Inputs['serp']).engine,
  about: "the operator's own SearXNG instance (desktop; no ads, no sections, no ratings, no totals)",
  open: (world) => ({
    serp: (input, attempt) =>
      joinPages(input, {
        repeatIsWall: input.engine === 'engine_b',
        timeLeft: () => world.clock.now() + PAGE_MS < attempt.deadlineMs,
        async page(index) {
          const query = new URLSearchParams({
            q: input.keyword,
            format: 'json',
            engines: SEARXNG_ENGINE[input.engine],
            language: `${input.language}-${input.location}`,
            pageno: String(index + 1),
          });
          const url = `${world.settings.SEARXNG_URL}/search?${query}`;
          const reply = await world.http.ask({
            url,
            headers: { accept: 'application/json' },
            named: true,
            redirects: 0,
            signal: attempt.signal,
          });
          if (reply.tag !== 'answer') return reply;
          const read = readSearxng(reply.answer, input);
          // it names no next page: the list ends where a page adds nothing
          return read.tag === 'found' ? found({ result: read.resource, elements: read.resource.organic.length, next: '' }) : read;
        },
      }),
  }),
};
