import type { DomainRegistration } from '../../../contract/operations/registration.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { blocked, changed, found, limited, type Outcome, refused, unreachable } from '../../outcome.ts';
import { freeOf, reservedOf, takenOf } from '../facts.ts';
import { decodeWhois } from './charset.ts';
import { gather } from './line-parser.ts';
import { sayingOf, waitOf } from './phrases.ts';
import { isRegistryHost } from './servers.ts';
import { linesOf } from './split-line.ts';

/** A WHOIS answer (RFC 3912) about one domain; the host of `answer.url` decides the charset and whether it may call a name free. */
export function readWhois(answer: Answer, { domain }: { domain: string }, speaksFor?: boolean): Outcome<DomainRegistration> {
  const host = hostOf(answer.url);
  return readWhoisText(decodeWhois(answer.body, host), domain, host, answer.at, speaksFor);
}
export const hostOf = (url: string): string => /^whois:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** Each line may be compared with every known phrase; records and terms of use have at most 450 lines. */
const MAX_LINES = 2_000;

/** `speaksFor`: whether the server is the registry's, where the caller knows it (from IANA); default: by the tables. */
export function readWhoisText(
  text: string,
  domain: string,
  host: string,
  at: number,
  speaksFor: boolean = isRegistryHost(host, domain),
): Outcome<DomainRegistration> {
  const lines = linesOf(text);
  if (lines.length > MAX_LINES) return changed('The answer of the registry has too many lines to be read.', `${lines.length} lines`);
  const record = gather(lines, domain);
  const told = { domain, source: 'fallback', at } as const;
  if (record.hasRecord) return found(takenOf(told, record.facts()));
  if (!/\S/.test(text)) return unreachable('The registry closed the connection without an answer.', host);
  const said = sayingOf(lines, domain);
  switch (said?.kind) {
    case 'limited':
      return limited('The registry limits how often it may be asked.', waitOf(text), said.line);
    case 'down':
      return unreachable('The registry is not able to answer now.', said.line);
    case 'denied':
      return blocked('The registry refuses to answer this service.', said.line);
    case 'unsupported':
      return refused('The server asked does not serve this top-level domain.', said.line);
    case 'invalid':
      return refused('The registry does not accept this name.', said.line);
    case 'reserved':
      return found(reservedOf(told, phraseOf(said.line)));
    case 'free':
      // a sentence beside registration data is no evidence that there is none
      if (record.hasTraces) return changed('The answer of the registry contradicts itself.', said.line);
      if (!speaksFor) return refused('The server asked does not speak for this top-level domain.', `${host}: ${said.line}`);
      return found(freeOf(told));
  }
  if (record.other !== null) return changed('The registry answered for another name.', `asked ${domain}, told ${record.other}`);
  return changed('The answer of the registry is not one we know.', (lines.find((l) => /^\s*[^%#\s]/.test(l)) ?? '').slice(0, 120));
}

/** The registry's own word for a name that nobody may hold: the value of its status line, else that it is reserved. */
function phraseOf(line: string): string {
  const value = /^(?:domain )?status:\s*(.+)$/i.exec(line)?.[1];
  return value?.trim() ?? 'reserved';
}

/** The server of the registrar that a thin registry names; null where it names none. */
export function registrarServer(answer: Answer, domain: string): string | null {
  const host = hostOf(answer.url);
  const { whoisServer } = gather(linesOf(decodeWhois(answer.body, host)), domain);
  return whoisServer === null || whoisServer === host || isRegistryHost(whoisServer, domain) ? null : whoisServer;
}
