import { type Asks, type Ports, parse, parsersIn } from '../../src/sources/source.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

export function open(ports: Ports): Asks {
  const settings: Readonly<Record<string, unknown>> = ports.settings;
  return {
    async traffic({ domain }, attempt) {
      const reply = await ports.http.ask({
        url: `https://panel.toy.example/v1/visits/${domain}`,
        // the key is sent in a header, because URLs are logged
        headers: { accept: 'application/json', authorization: `Bearer ${settings.TOY_API_KEY}` },
        pace: { key: 'panel.toy.example', everyMs: 100, burst: 5 },
        maxBytes: 100_000,
        attempt,
      });
      return parse(ports, parser('readToy'), reply, { domain }, attempt);
    },
  };
}
