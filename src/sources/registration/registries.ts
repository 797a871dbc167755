import { readFileSync } from 'node:fs';
import { suffixes } from './suffixes.ts';

/** Bundled facts about registries; data/registries.tsv has them with their sources. */
interface Known {
  readonly tlds: ReadonlySet<string>;
  /** Bases that IANA lists. */
  readonly rdap: ReadonlyMap<string, string>;
  /** Bases that IANA does not list: their data is used, but their 404 is not evidence. */
  readonly unlisted: ReadonlyMap<string, string>;
  readonly whois: ReadonlyMap<string, string>;
}

let known: Known | null = null;

/** Read once per process, on first use. */
export function registries(): Known {
  known ??= readRegistries(readFileSync(new URL('./data/registries.tsv', import.meta.url), 'utf8'));
  return known;
}

export function readRegistries(text: string): Known {
  const maps = { rdap: new Map<string, string>(), unlisted: new Map<string, string>(), whois: new Map<string, string>() };
  const tlds = new Set<string>();
  for (const line of text.split('\n')) {
    const [kind = '', address = '', names = ''] = line.split('\t');
    for (const tld of kind.startsWith('#') || kind === '' ? [] : names.split(' ')) {
      if (kind === 'tld') tlds.add(tld);
      else if (kind === 'rdap' || kind === 'unlisted' || kind === 'whois') maps[kind].set(tld, address.replace('*', tld));
    }
  }
  return { tlds, ...maps };
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
