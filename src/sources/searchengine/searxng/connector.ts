import { type Asks, type Ports, parse, parsersIn } from '../../source.ts';
import { joinPages } from '../join.ts';
import { ENGINE_NAMES, type SerpInput } from '../result.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));
const PAGE_MS = 3_000;

/**
 * With a country beside the language the instance lets engine A list the documents of that country alone (`cr`), which its own page does not.
 * Engine B has markets.
 */
const languageOf = ({ engine, language, location }: SerpInput): string => (engine === 'engine_a' ? language : `${language}-${location}`);

export function open(ports: Ports): Asks {
  const { clock, http, settings } = ports;
  return {
    serp: (input, attempt) =>
      joinPages(input, clock, attempt.deadlineMs - PAGE_MS, async (index, _, places) => {
        const query = new URLSearchParams({
          q: input.keyword,
          format: 'json',
          engines: ENGINE_NAMES[input.engine],
          language: languageOf(input),
          pageno: String(index + 1),
        });
        const askInstance = (path: string) =>
          http.ask({ url: `${settings.SEARXNG_URL}${path}`, headers: { accept: 'application/json' }, named: true, redirects: 0, attempt });
        const reply = await askInstance(`/search?${query}`);
        const read = await parse(ports, parser('openSearxngPage'), reply, { input, places }, attempt);
        if (read.tag !== 'changed' || index > 0) return read;
        // an instance without the engine lists nothing, too
        const config = await parse(ports, parser('readSearxngConfig'), await askInstance('/config'), input, attempt);
        return ('switchedOff' in config && config.switchedOff) || read;
      }),
  };
}
