import { found } from '../../outcome.ts';
import { type Asks, type Ports, parse, parsersIn } from '../../source.ts';
import { joinPages } from '../join.ts';
import { ENGINE_NAMES } from '../result.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PAGE_MS = 3_000;

export function open(ports: Ports): Asks {
  const { clock, http, settings } = ports;
  return {
    serp: (input, attempt) =>
      joinPages(input, clock, attempt.deadlineMs - PAGE_MS, async (index) => {
        const query = new URLSearchParams({
          q: input.keyword,
          format: 'json',
          engines: ENGINE_NAMES[input.engine],
          language: `${input.language}-${input.location}`,
          pageno: String(index + 1),
        });
        const url = `${settings.SEARXNG_URL}/search?${query}`;
        const reply = await http.ask({ url, headers: { accept: 'application/json' }, named: true, redirects: 0, attempt });
        const read = await parse(ports, parser('readSearxng'), reply, input, attempt);
        if (read.tag !== 'found') return read;
        // it names no next page: the list ends where a page adds no entries
        return found({ result: read.resource, elements: read.resource.organic.length, next: '' }, undefined, read.unread);
      }),
  };
}
