import { domainToASCII } from 'node:url';
import { LRUCache } from 'lru-cache';
import { DAY_MS } from '../../../runtime/clock.ts';
import { atMost } from '../../../runtime/lru.ts';
import { bodyText } from '../../../upstream/answer.ts';
import { absent, changed, type NotFound } from '../../outcome.ts';
import type { Attempt, Ports } from '../../source.ts';
import { evidence } from '../facts.ts';
import { hostName, pacesOf } from '../registries.ts';

const NO_TLD = evidence('no top-level domain');
export const IANA = 'whois.iana.org';
const TIMEOUT_MS = 5_000;
/** IANA's answers have some 3 kB, in lines of at most 100 characters. */
const MAX_BYTES = 32_768;
const MAX_LINE = 200;

export type Delegation = { tag: 'delegated'; whois: string | null } | NotFound;

/** Parses IANA's WHOIS answer about a top-level domain, which it names in its own script and as an A-label. `absent` only with IANA's own phrase. */
export function readDelegation(text: string, tld: string): Delegation {
  const printed = new Set<string>();
  let whois: string | null = null;
  for (const line of text.split(/\r\n?|\n/)) {
    const [, label, value = ''] = /^(domain(?:-ace)?|whois|refer):\s*(\S*)\s*$/i.exec(line.slice(0, MAX_LINE)) ?? [];
    if (label?.toLowerCase().startsWith('domain')) printed.add(domainToASCII(value));
    else if (label) whois ??= hostName(value);
  }
  if (printed.has(tld)) return { tag: 'delegated', whois };
  if (/^%\s*this query returned 0 objects/im.test(text)) return absent(NO_TLD, `There is no top-level domain ${tld}.`);
  return changed('The list of top-level domains answered in an unknown shape.', text.slice(0, 120));
}

/** Queries IANA at most once a day per top-level domain; concurrent calls share one query. */
export function createIana(ports: Ports) {
  const known = new LRUCache<string, Promise<Delegation>>({ ...atMost(4_000), ttl: DAY_MS, ttlResolution: 0, perf: ports.clock });

  async function ask(tld: string, attempt: Attempt): Promise<Delegation> {
    let isCertain = false;
    try {
      const reply = await ports.whois.ask({
        host: IANA,
        query: tld,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        pace: pacesOf('whois', IANA).pace,
        shared: true,
        attempt,
      });
      const delegation = reply.tag === 'answer' ? readDelegation(bodyText(reply.answer), tld) : reply;
      isCertain = delegation.tag === 'delegated' || delegation.tag === 'absent';
      return delegation;
    } finally {
      if (!isCertain) known.delete(tld);
    }
  }
  return {
    async delegationOf(domain: string, attempt: Attempt): Promise<Delegation> {
      const tld = domain.slice(domain.lastIndexOf('.') + 1);
      const delegation = known.get(tld) ?? ask(tld, attempt);
      if (!known.has(tld)) known.set(tld, delegation);
      return delegation;
    },
  };
}
