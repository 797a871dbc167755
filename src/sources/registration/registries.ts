import { readFileSync } from 'node:fs';
import { suffixes } from './suffixes.ts';

/** Bundled facts about registries; data/registries.tsv has them with their sources. */
interface Known {
  readonly tlds: ReadonlySet<string>;
  /** Bases that IANA lists. */
  readonly rdap: ReadonlyMap<string, string>;
  /** Bases of registries that IANA does not list, and whose 404 is evidence. */
  readonly proven: ReadonlyMap<string, string>;
  /** Bases that IANA does not list: their data is used, but their 404 is not evidence. */
  readonly unlisted: ReadonlyMap<string, string>;
  /** The WHOIS server to ask. */
  readonly whois: ReadonlyMap<string, string>;
  /** Other WHOIS hosts of a registry, present and past. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** WHOIS hosts that a registry left: their answers are out of date. */
  readonly former: ReadonlyMap<string, readonly string[]>;
}

let known: Known | null = null;

/** Read once per process, on first use. */
export function registries(): Known {
  known ??= readRegistries(readFileSync(new URL('./data/registries.tsv', import.meta.url), 'utf8'));
  return known;
}

export function readRegistries(text: string): Known {
  const one = {
    rdap: new Map<string, string>(),
    proven: new Map<string, string>(),
    unlisted: new Map<string, string>(),
    whois: new Map<string, string>(),
  };
  const many = { host: new Map<string, string[]>(), former: new Map<string, string[]>() };
  const tlds = new Set<string>();
  for (const line of text.split('\n')) {
    const [kind = '', address = '', names = ''] = line.split('\t');
    for (const name of kind.startsWith('#') || kind === '' ? [] : names.split(' ')) {
      if (kind === 'tld') tlds.add(name);
      else if (kind === 'host' || kind === 'former') many[kind].set(name, [...(many[kind].get(name) ?? []), address]);
      else if (kind === 'rdap' || kind === 'proven' || kind === 'unlisted' || kind === 'whois')
        one[kind].set(name, address.replace('*', name));
    }
  }
  return { tlds, ...one, hosts: many.host, former: many.former };
}

/** Whether a top-level domain was delegated when the data was made; for newer ones IANA is queried. */
export const isDelegated = (domain: string): boolean => registries().tlds.has(domain.slice(domain.lastIndexOf('.') + 1));

/** The entry of the longest suffix of a domain (RFC 9224: label by label from the right, longest match). */
export function longestMatch<T>(table: ReadonlyMap<string, T>, domain: string): { suffix: string; value: T } | null {
  for (const suffix of suffixes(domain)) {
    const value = table.get(suffix);
    if (value !== undefined) return { suffix, value };
  }
  return null;
}
