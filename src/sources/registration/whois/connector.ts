import type { DomainRegistration } from '../../../contract/operations/registration/operation.ts';
import type { Reply } from '../../../upstream/answer.ts';
import { type NotFound, type Outcome, refused, unreachable } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import { askWhois, type RegistryReply, withRegistrar } from '../ask.ts';
import { isRegistryHost, whoisServerOf } from '../registries.ts';
import { createIana } from './iana.ts';

const inWhois = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

export function openWhois(ports: Ports): Asks {
  const iana = createIana(ports);
  const ask = (
    ...asked: [host: string, domain: string, attempt: Attempt, authoritative: boolean, timeoutMs?: number]
  ): Promise<RegistryReply> => askWhois(ports, ...asked);
  return {
    async registration({ domain }, attempt) {
      const find = (reply: Reply) => parse(ports, inWhois('registrarServer'), reply, { domain }, attempt);
      const complete = (asked: RegistryReply): Promise<Outcome<DomainRegistration>> =>
        withRegistrar(ports, asked, attempt, find, (host, timeoutMs) => ask(host, domain, attempt, false, timeoutMs));
      const known = whoisServerOf(domain);
      if (known?.ownTable) return complete(await ask(known.host, domain, attempt, true));
      const first = known && (await ask(known.host, domain, attempt, isRegistryHost(known.host, domain)));
      if (first && !mayHaveMoved(first.outcome)) return complete(first);

      // IANA's current entry decides whether the server is authoritative and whether the registry has moved
      const today = await iana.delegationOf(domain, attempt);
      if (today.tag === 'absent' || (today.tag !== 'delegated' && !first)) return today;
      const names = today.tag === 'delegated' ? today.whois : null;
      if (first && (names === known.host || (names === null && isRecord(first.outcome)))) return complete(first);
      if (today.tag !== 'delegated')
        return unproven(first, unreachable('It could not be confirmed which server speaks for this top-level domain.')) ?? today;
      if (today.whois === null)
        return (
          unproven(first, refused('The server asked does not speak for this top-level domain.')) ??
          refused('The registry offers no lookup service.')
        );
      return complete(await ask(today.whois, domain, attempt, true));
    },
  };
}

/** Outcomes that a server may still give after its registry has moved to another one. */
const mayHaveMoved = ({ tag }: Outcome<DomainRegistration>): boolean => tag === 'found' || tag === 'refused' || tag === 'unreachable';
/** A record with a registrar, a date or a name server is sufficient evidence; a status or a sentence alone is not. */
const isRecord = (outcome: Outcome<DomainRegistration>): boolean => {
  if (outcome.tag !== 'found' || outcome.resource.available) return false;
  const { registrar, registeredOn, expiresOn, updatedOn, nameServers } = outcome.resource;
  return nameServers.length > 0 || [registrar, registeredOn, expiresOn, updatedOn].some((value) => value !== null);
};
/** Availability without IANA's confirmation of the server is not an answer; other outcomes are. */
const unproven = (first: RegistryReply | null, instead: NotFound): Outcome<DomainRegistration> | null =>
  first && (first.outcome.tag === 'found' ? instead : first.outcome);
