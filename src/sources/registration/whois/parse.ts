import type { DomainRegistration } from '../../../contract/operations/registration.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { blocked, changed, found, limited, type Outcome, refused, unreachable } from '../../outcome.ts';
import { freeOf, reservedOf, TOO_FAST, takenOf } from '../facts.ts';
import { isRegistryHost } from '../registries.ts';
import { parseLines } from './line-parser.ts';
import { findPhrase, waitMsIn } from './phrases.ts';
import { decodeWhois, linesOf } from './split-line.ts';

/**
 * Parses a WHOIS answer (RFC 3912) about one domain. The host of `answer.url` decides the charset and whether the server may say that a
 * name is available. labels.tsv and the phrases name the evidence of some 200 registries (docs/registration.md).
 * `found` needs registration data, or a known phrase of an authoritative server; any other text is `changed`, never "available".
 * `domain` is in lower case and A-labels; `authoritative`: what the caller knows from IANA, by default the table of registries.
 */
export function readWhois(
  answer: Answer,
  input: { readonly domain: string; readonly authoritative?: boolean },
): Outcome<DomainRegistration> {
  const { domain, authoritative } = input;
  const host = hostOf(answer.url);
  return readWhoisText(decodeWhois(answer.body, host), domain, host, answer.at, authoritative);
}
/** The host of a `whois://<host>` URL in lower case; "" for any other URL. */
export const hostOf = (url: string): string => /^whois:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** Each line may be compared with every known phrase. Recorded answers, terms of use included, have at most 450 lines. */
const MAX_LINES = 2_000;

/** The same for a decoded text; `at` is the time of the answer in epoch ms. */
export function readWhoisText(
  text: string,
  domain: string,
  host: string,
  at: number,
  authoritative: boolean = isRegistryHost(host, domain),
): Outcome<DomainRegistration> {
  const lines = linesOf(text);
  if (lines.length > MAX_LINES) return changed('The answer of the registry has too many lines to be read.', `${lines.length} lines`);
  const record = parseLines(lines, domain);
  const origin = { domain, source: 'fallback', at } as const;
  if (record.hasRecord) {
    const facts = record.facts();
    return found(takenOf(origin, facts), undefined, record.unreadIn(facts));
  }
  if (!/\S/.test(text)) return unreachable('The registry closed the connection without an answer.', host);
  const said = findPhrase(lines, domain);
  switch (said?.kind) {
    case 'limited':
      return limited(TOO_FAST, waitMsIn(text), said.line);
    case 'down':
      return unreachable('The registry is not able to answer now.', said.line);
    case 'denied':
      return blocked('The registry refuses to answer this service.', said.line);
    case 'unsupported':
      return refused('The server asked does not serve this top-level domain.', said.line);
    case 'invalid':
      return refused('The registry does not accept this name.', said.line);
    case 'reserved':
      return found(reservedOf(origin, reservedStatusOf(said.line)));
    case 'free':
      // a phrase beside registration data does not prove that the name is available
      if (record.hasTraces) return changed('The answer of the registry contradicts itself.', said.line);
      if (!authoritative) return refused('The server asked does not speak for this top-level domain.', `${host}: ${said.line}`);
      return found(freeOf(origin));
  }
  if (record.other !== null) return changed('The registry answered for another name.', `queried ${domain}, answered ${record.other}`);
  return changed('The answer of the registry is not one we know.', (lines.find((l) => /^\s*[^%#\s]/.test(l)) ?? '').slice(0, 120));
}

function reservedStatusOf(line: string): string {
  const value = /^(?:domain )?status:\s*(.+)$/i.exec(line)?.[1];
  return value?.trim() ?? 'reserved';
}

/** The registrar's WHOIS server that a thin registry names; null if it names none, or itself. */
export function registrarServer(answer: Answer, { domain }: { readonly domain: string }): string | null {
  const host = hostOf(answer.url);
  const { whoisServer } = parseLines(linesOf(decodeWhois(answer.body, host)), domain);
  return whoisServer === null || whoisServer === host || isRegistryHost(whoisServer, domain) ? null : whoisServer;
}
