import { at, listOf, objectOf } from '../../untyped-json.ts';

/**
 * IANA's RDAP bootstrap file (RFC 9224): the base URL of each top-level domain, https before http, with a final slash. null if the file
 * is malformed, so that the older copy stays in use; a single bad entry is left out.
 */
export function readBootstrap(file: unknown): ReadonlyMap<string, string> | null {
  const services = objectOf(file)?.services;
  if (!Array.isArray(services)) return null;
  const bases = new Map<string, string>();
  for (const service of services) {
    const base = bestBase(listOf(at(service, 1)));
    if (base === null) continue;
    for (const tld of listOf(at(service, 0))) {
      if (typeof tld === 'string' && tld !== '') bases.set(tld.toLowerCase().replace(/^\.|\.$/g, ''), base);
    }
  }
  return bases.size ? bases : null;
}

function bestBase(urls: readonly unknown[]): string | null {
  const usable = urls.flatMap((url) => {
    if (typeof url !== 'string' || /%(?![0-9a-f]{2})/i.test(url) || !URL.canParse(url)) return [];
    const { protocol, search, hash, username } = new URL(url);
    return (protocol === 'https:' || protocol === 'http:') && search === '' && hash === '' && username === '' ? url : [];
  });
  const best = usable.find((url) => url.toLowerCase().startsWith('https:')) ?? usable[0];
  return best === undefined ? null : best.endsWith('/') ? best : `${best}/`;
}
