import { found } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Ports } from '../../source.ts';
import { joinPages } from '../join.ts';
import { SEARXNG_ENGINE } from './parse.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PAGE_MS = 3_000;

export function open(ports: Ports): Asks {
  return {
    serp: (input, attempt) =>
      joinPages(input, {
        repeatIsBlockPage: input.engine === 'engine_b',
        timeLeft: () => ports.clock.now() + PAGE_MS < attempt.deadlineMs,
        async page(index) {
          const query = new URLSearchParams({
            q: input.keyword,
            format: 'json',
            engines: SEARXNG_ENGINE[input.engine],
            language: `${input.language}-${input.location}`,
            pageno: String(index + 1),
          });
          const url = `${ports.settings.SEARXNG_URL}/search?${query}`;
          const reply = await ports.http.ask({
            url,
            headers: { accept: 'application/json' },
            named: true,
            redirects: 0,
            signal: attempt.signal,
          });
          if (reply.tag !== 'answer') return reply;
          const read = await parse(ports, parser('readSearxng'), reply.answer, input, attempt);
          // it names no next page: the list ends where a page adds no entries
          return read.tag === 'found'
            ? found({ result: read.resource, elements: read.resource.organic.length, next: '' }, undefined, read.unread)
            : read;
        },
      }),
  };
}
