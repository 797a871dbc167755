import { getDomain } from 'tldts';
import { bad, good, type Read, type ValueType } from './parameter.ts';
import { pastedHost } from './pasted.ts';

/** Suffixes, each of two labels, below which CentralNic sells names, with its own WHOIS and RDAP (recordings/registration/NOTES.md 2). */
export const PRIVATE_REGISTRIES: readonly string[] = (
  'ae.org br.com cn.com co.com com.de com.se de.com eu.com gb.net gr.com hu.net in.net jp.net jpn.com ' +
  'mex.com ru.com sa.com se.net uk.com uk.net us.com us.org za.bz za.com'
).split(' ');
const PRIVATE: ReadonlySet<string> = new Set(PRIVATE_REGISTRIES);

const LABEL = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/;
/** Most names as they are given: nothing is to be converted or refused. */
const PLAIN = /^(?!.*xn--)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const MAX_LENGTH = 253;

/** The host as the URL Standard reads it, which is IDNA; empty where it is none. In browsers too, which lack `node:url`. */
const toAscii = (host: string): string => URL.parse(`ws://${host}`)?.hostname ?? '';
/** A label beyond ASCII beside it has the whole host decoded and checked. */
const isDecodable = (label: string): boolean => URL.canParse(`ws://${label}.\u00e4`);

/** A host name in A-label form, lower case, without final dot; or the reason why it is invalid. Length limits are those of RFC 1035. */
export function readHostName(given: string): Read<string> {
  if (given.length <= MAX_LENGTH && PLAIN.test(given)) return good(given);
  const trimmed = given.trim().replace(/\.$/, '');
  if (trimmed === '') return bad('must not be empty');
  if (/[\s/:@?#[\]\\%<>"]/.test(trimmed)) return bad('must be a bare domain name, without scheme, port or path');
  // the URL Standard takes them away at the ends of an address
  if (/\p{Cc}/u.test(trimmed)) return bad('must not hold control characters');
  const ascii = /^[\x20-\x7e]+$/.test(trimmed) && !/xn--/i.test(trimmed) ? trimmed.toLowerCase() : toAscii(trimmed.normalize('NFC'));
  if (ascii === '') return bad('must be a valid domain name (it is not one under IDNA)');
  if (/^[\d.]+$/.test(ascii) || /(^|\.)(0x[0-9a-f]*|\d+)$/.test(ascii)) return bad('must be a domain name, not an IP address');
  if (ascii.length > MAX_LENGTH) return bad('must not be longer than 253 characters');
  const labels = ascii.split('.');
  if (labels.includes('')) return bad('must not hold an empty label');
  const long = labels.find((l) => l.length > 63);
  if (long) return bad('must not hold a label longer than 63 characters');
  if (!labels.every((l) => LABEL.test(l))) return bad('must hold letters, digits and inner hyphens only');
  // IDNA leaves an A-label that it cannot decode as it stands
  const undecoded = labels.find((l) => l.startsWith('xn--') && !isDecodable(l));
  if (undecoded) return bad(`must hold A-labels of IDNA only: ${undecoded} does not decode to a Unicode label`);
  return labels.length < 2 ? bad('must have at least two labels, such as example.com') : good(ascii);
}

/** The registrable domain by the ICANN section of the public suffix list, and by private registries. Unknown top-level domains keep two labels. */
export const readDomain =
  (options: { privateRegistries: boolean }) =>
  (given: string): Read<string> => {
    const host = readHostName(given);
    if (!host.ok) return host;
    const dot = host.value.lastIndexOf('.', host.value.lastIndexOf('.') - 1);
    const isPrivate = options.privateRegistries && PRIVATE.has(host.value.slice(dot + 1));
    const below = dot < 0 ? null : host.value.slice(host.value.lastIndexOf('.', dot - 1) + 1);
    const domain = isPrivate ? below : getDomain(host.value, BY_ICANN);
    return domain ? registrable(domain) : bad(`must be a name below a public suffix: ${host.value} is itself one`);
  };
/** The name is a valid host name already. */
const BY_ICANN = { allowPrivateDomains: false, validateHostname: false, extractHostname: false, detectIp: false };

const registrable = (domain: string): Read<string> =>
  /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\./.test(domain) ? good(domain) : bad('must hold letters, digits and inner hyphens only');

/** Dots of IDNA (UTS 46). */
const DOTS = '.\\u3002\\uff0e\\uff61';
/** Characters that a label cannot begin or end with: IDNA dots, controls, white space, ASCII other than letters, digits and underscore. */
const NO_EDGE = `\\s\\u0000-\\u002f\\u003a-\\u0040\\u005b-\\u005e\\u0060\\u007b-\\u009f${DOTS.slice(1)}`;
const LABEL_PATTERN = `[^${NO_EDGE}](?:-*[^${NO_EDGE}])*`;
const DOMAIN_PATTERN = `^\\s*${LABEL_PATTERN}(?:[${DOTS}]${LABEL_PATTERN})+\\.?\\s*$`;
/** A host whose last label is a number is an IPv4 address (WHATWG URL). */
const IP_ADDRESS = `(?:^|[.])(?:0[xX][0-9A-Fa-f]*|[0-9]+)\\.?\\s*$`;

export const DOMAIN_DESCRIPTION =
  'Domain name, in A-labels or Unicode (IDNA); a host name is reduced to its registrable domain. Limits of RFC 1035; a public suffix itself, such as co.uk, is refused.';

/** A domain name. The format `registrable-domain` states what its pattern cannot: valid IDNA, lengths of RFC 1035, below a public suffix. */
export const domainType = (options: { privateRegistries: boolean }): ValueType<string> => ({
  schema: { type: 'string', format: 'registrable-domain', pattern: DOMAIN_PATTERN, not: { pattern: IP_ADDRESS } },
  read: readDomain(options),
  pasted: pastedHost,
});
