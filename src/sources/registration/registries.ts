import { domainToASCII } from 'node:url';
import { PRIVATE_REGISTRIES } from '../../contract/parameters/domain-name.ts';
import { readTable } from '../../runtime/table.ts';
import type { PaceRule } from '../../upstream/ports.ts';

const KINDS = ['rdap', 'proven', 'unlisted', 'whois', 'query', 'charset', 'pace', 'spelling'] as const;
type Kind = (typeof KINDS)[number];
const CENTRALNIC = ['whois', 'whois.centralnic.com', PRIVATE_REGISTRIES.join(' ')];
let known: ReturnType<typeof registriesOf> | null = null;

export function registries() {
  known ??= registriesOf([...readTable(new URL('./data/registries.tsv', import.meta.url)), CENTRALNIC]);
  return known;
}
/** data/registries.tsv by kind, then by suffix or server. `stated`: kinds of which a suffix may have several values, as `kind value suffix`. */
export function registriesOf(rows: readonly (readonly string[])[]) {
  const tables = Object.fromEntries(KINDS.map((kind) => [kind, new Map<string, string>()])) as Record<Kind, Map<string, string>>;
  const stated = new Set<string>();
  for (const [kind = '', value = '', names = ''] of rows) {
    for (const name of names === '' ? [] : names.split(' ')) {
      if (!Object.hasOwn(tables, kind)) stated.add(`${kind} ${value} ${name}`);
      // an address that registries share has `*` in place of the suffix
      else tables[kind as Kind].set(name, kind === 'query' ? value : value.replace('*', name));
    }
  }
  return { ...tables, stated };
}
const isStated = (kind: 'host' | 'former' | 'quirk' | 'whois-only', value: string, suffix: string): boolean =>
  registries().stated.has(`${kind} ${value} ${suffix}`);
export const tldOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1);

/** The entry of the longest suffix of a domain (RFC 9224: label by label from the right, longest match). */
export function longestMatch(table: ReadonlyMap<string, string>, domain: string): { suffix: string; value: string } | null {
  for (let dot = domain.indexOf('.'); dot >= 0; dot = domain.indexOf('.', dot + 1)) {
    const suffix = domain.slice(dot + 1);
    const value = table.get(suffix);
    if (value !== undefined) return { suffix, value };
  }
  return null;
}

/** The server to query first. `ownTable`: of a registry below a top-level domain, which IANA does not list, so that the table decides. */
export function whoisServerOf(domain: string): { readonly host: string; readonly ownTable: boolean } | null {
  const found = longestMatch(registries().whois, domain);
  return found && { host: found.value, ownTable: found.suffix.includes('.') };
}

/** Whether a host belongs to the registry of a domain, as far as the table knows without IANA. */
export function isRegistryHost(host: string, domain: string): boolean {
  const tld = tldOf(domain);
  if (host === '' || isStated('former', host, tld)) return false;
  if (host === whoisServerOf(domain)?.host || host === registries().whois.get(tld)) return true;
  if (host === `whois.nic.${tld}` || host === `whois.${tld}` || host === `whois1.nic.${tld}`) return true;
  if (host === 'whois.centralnic.com' || host === 'whois.centralnic.net') return true; // serves dozens of names, and private registries
  return isStated('host', host, tld);
}

export const queryFor = (host: string, domain: string): string => registries().query.get(host)?.replace('*', domain) ?? domain;
export const charsetOf = (host: string): string => registries().charset.get(host) ?? 'windows-1252';

/** Differences between registries that use the same labels. */
export type Quirk = 'month-first' | 'one-paragraph' | 'state-is-status' | 'dns-is-name' | 'label-alone' | 'short-year';
export const hasQuirk = (domain: string, quirk: Quirk): boolean => isStated('quirk', quirk, tldOf(domain));

/** Whether the registry of a domain states a field (`expiresOn`) by WHOIS and not by RDAP. */
export const isStatedByWhoisAlone = (domain: string, field: string): boolean => isStated('whois-only', field, tldOf(domain));

/** Whether two names are script variants that the registry treats as one. */
export function sameInScripts(one: string, other: string): boolean {
  const spelling = (domain: string): string => {
    const tld = tldOf(domain);
    return domain.slice(0, -tld.length) + (registries().spelling.get(tld) ?? tld);
  };
  return one === other || spelling(one) === spelling(other);
}

export type Paces = ReturnType<typeof pacesOf>;
/** As published or as refusals show. `long`: a second limit over a longer window, halved, so that no window exceeds it. */
export function pacesOf(protocol: 'rdap' | 'whois', host: string): { readonly pace: PaceRule; readonly long: PaceRule | null } {
  const key = `${protocol} ${host}`;
  const stated = registries().pace.get(host) ?? (protocol === 'rdap' ? '250 4' : '400 2');
  const [everyMs = 0, burst = 1, requests, seconds = 0] = stated.split(' ').map(Number);
  const half = requests && Math.floor(requests / 2);
  const long = half ? { key: `${key} long`, everyMs: Math.ceil((seconds * 1000) / half), burst: half } : null;
  return { pace: { key, everyMs, burst }, long };
}

const PLAIN = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)+$/;
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'none.none']);

/** The host name at the start of a printed value (an address or a remark may follow): lower case, A-labels, no final dot; else null. */
export function readHost(value: string): string | null {
  const end = value.search(/[\s,;|([<]/);
  return hostName(end < 0 ? value : value.slice(0, end));
}

export function hostName(value: string): string | null {
  let name = value.toLowerCase();
  while (name.endsWith('.')) name = name.slice(0, -1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII
  if (/[^\x00-\x7f]/.test(name)) name = domainToASCII(name);
  if (name.length < 3 || name.length > 253 || !PLAIN.test(name) || /^[\d.]+$/.test(name) || NO_HOST.has(name)) return null;
  return name;
}

/** Whether a printed name is the queried domain; Unicode form, final dot and remarks after the name are ignored. */
export function sameDomain(printed: string, asked: string): boolean {
  if (printed.length === asked.length && printed.toLowerCase() === asked) return true;
  const name = readHost(printed.trim());
  return name !== null && sameInScripts(name, asked);
}

const wordsIn = (line: string): string[] => line.split(/[\s"'«»<>()[\],]+/);
export const namesDomain = (line: string, domain: string): boolean => wordsIn(line).some((word) => sameDomain(word, domain));
const SUBJECT_END = /\s(?:is|was|has been|cannot|can not)\s/i;
const NAME_OR_ADDRESS = /^(?!whois\.)[^\s/@]+\.(?:\p{L}{2,}|xn--[a-z\d-]+)$|^\d{1,3}(?:\.\d{1,3}){3}$/iu;
/** Whether a sentence is about another name, or about a client: that stands before its verb. */
export function namesOther(line: string, domain: string): boolean {
  const [subject = ''] = line.split(SUBJECT_END, 1);
  const names = wordsIn(subject).flatMap((word) => word.replace(/[.:]+$/, '').match(NAME_OR_ADDRESS)?.[0] ?? []);
  return names.length > 0 && !names.some((name) => sameDomain(name, domain));
}
