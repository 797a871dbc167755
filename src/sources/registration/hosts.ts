import { domainToASCII } from 'node:url';
import { sameInScripts } from './registries.ts';

const PLAIN = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)+$/;
/** Placeholders that registries print instead of a name server. */
const NO_HOST = new Set(['not.defined', 'no.nameserver', 'none.none']);

/** The host name at the start of a printed value (an address or a remark may follow): lower case, A-labels, no final dot; else null. */
export function readHost(value: string): string | null {
  const end = value.search(/[\s,;|([<]/);
  return hostName(end < 0 ? value : value.slice(0, end));
}

/** The same for a value that must be a host name as a whole. */
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
