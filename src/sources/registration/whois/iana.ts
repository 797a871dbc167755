import { textOf } from '../../../upstream/answer.ts';
import { absent, changed, type NotFound } from '../../outcome.ts';
import type { Ports } from '../../source.ts';
import { hostName } from '../hosts.ts';
import { paceOf } from '../pace.ts';

export const IANA = 'whois.iana.org';
const DAY_MS = 24 * 3_600_000;
const MAX_TLDS = 4_000;
const TIMEOUT_MS = 5_000;
/** IANA's answers have some 3 kB, in lines of at most 100 characters. */
const MAX_BYTES = 32_768;
const MAX_LINE = 200;

/** IANA's entry of a top-level domain: its WHOIS server, null if it has none. */
export type Delegation = { tag: 'delegated'; whois: string | null } | NotFound;

/** Parses IANA's WHOIS answer about a top-level domain. `absent` only with IANA's own phrase. */
export function readDelegation(text: string, tld: string): Delegation {
  let domain: string | null = null;
  let whois: string | null = null;
  for (const line of text.split('\n')) {
    const [, label, value = ''] = /^(domain|whois|refer):\s*(\S*)\s*$/i.exec(line.slice(0, MAX_LINE)) ?? [];
    if (label?.toLowerCase() === 'domain') domain ??= value.toLowerCase();
    else if (label) whois ??= hostName(value);
  }
  if (domain === tld) return { tag: 'delegated', whois };
  if (/^%\s*this query returned 0 objects/im.test(text)) return absent(`There is no top-level domain ${tld}.`);
  return changed('The list of top-level domains answered in an unknown shape.', text.slice(0, 120));
}

/** Queries IANA at most once a day per top-level domain; concurrent calls share one query. */
export function createIana(ports: Ports) {
  const known = new Map<string, { until: number; delegation: Delegation }>();
  const running = new Map<string, Promise<Delegation>>();

  async function ask(tld: string): Promise<Delegation> {
    const reply = await ports.whois.ask({
      host: IANA,
      query: tld,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      pace: paceOf('whois', IANA),
      shared: true,
      signal: new AbortController().signal, // shared by many lookups, so it ends by its own time limit alone
    });
    if (reply.tag !== 'answer') return reply;
    const delegation = readDelegation(textOf(reply.answer), tld);
    if (delegation.tag === 'delegated' || delegation.tag === 'absent') {
      if (known.size >= MAX_TLDS) known.clear();
      known.set(tld, { until: ports.clock.now() + DAY_MS, delegation });
    }
    return delegation;
  }
  return {
    async delegationOf(domain: string): Promise<Delegation> {
      const tld = domain.slice(domain.lastIndexOf('.') + 1);
      const cached = known.get(tld);
      if (cached && cached.until > ports.clock.now()) return cached.delegation;
      const run =
        running.get(tld) ??
        ask(tld).finally(() => {
          running.delete(tld);
        });
      running.set(tld, run);
      return run;
    },
  };
}
