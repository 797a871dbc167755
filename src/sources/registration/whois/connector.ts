import type { DomainRegistration } from '../../../contract/operations/registration.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { limited, type Outcome, refused, unreachable } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { fillHoles } from '../facts.ts';
import { paceOf, restHost, takeQuota } from '../pace.ts';
import { createIana } from './iana.ts';
import { hostOf } from './parse.ts';
import { isRegistryHost, queryFor, whoisServerOf } from './servers.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

const MAX_BYTES = 1_000_000;
const TIMEOUT_MS = 8_000;
const REFERRAL_TIMEOUT_MS = 4_000;
const LEAST_LEFT_MS = 1_500;

export function open(ports: Ports): Asks {
  const iana = createIana(ports);
  return {
    async registration({ domain }, attempt) {
      const known = whoisServerOf(domain);
      if (known?.ownTable) return withRegistrar(ports, await ask(ports, known.host, domain, TIMEOUT_MS, attempt, true), domain, attempt);
      const first = known && (await ask(ports, known.host, domain, TIMEOUT_MS, attempt, isRegistryHost(known.host, domain)));
      if (first && !mayHaveMoved(first.outcome)) return withRegistrar(ports, first, domain, attempt);

      // IANA's current entry decides whether the server is authoritative and whether the registry has moved
      const today = await iana.delegationOf(domain);
      if (today.tag === 'absent' || (today.tag !== 'delegated' && !first)) return today;
      const names = today.tag === 'delegated' ? today.whois : null;
      if (first && (names === known.host || (names === null && isRecord(first.outcome))))
        return withRegistrar(ports, first, domain, attempt);
      if (today.tag !== 'delegated') return first ? unconfirmed(first.outcome) : today;
      if (today.whois === null) return first ? withoutProof(first.outcome) : refused('The registry offers no lookup service.');
      return withRegistrar(ports, await ask(ports, today.whois, domain, TIMEOUT_MS, attempt, true), domain, attempt);
    },
  };
}

/** Outcomes that a server may still give after its registry has moved to another one. */
const mayHaveMoved = (outcome: Outcome<DomainRegistration>): boolean =>
  outcome.tag === 'found' || outcome.tag === 'refused' || outcome.tag === 'unreachable';
/** A record with a registrar, a date or a name server is evidence by itself; a status or a sentence alone is not. */
const isRecord = (outcome: Outcome<DomainRegistration>): boolean => {
  if (outcome.tag !== 'found' || outcome.resource.available) return false;
  const { registrar, registeredOn, expiresOn, updatedOn, nameServers } = outcome.resource;
  return registrar !== null || nameServers.length > 0 || [registeredOn, expiresOn, updatedOn].some((date) => date !== null);
};
/** Availability without IANA's confirmation of the server is not an answer; other outcomes are. */
function unconfirmed(outcome: Outcome<DomainRegistration>): Outcome<DomainRegistration> {
  return outcome.tag === 'found' ? unreachable('It could not be confirmed which server speaks for this top-level domain.') : outcome;
}
function withoutProof(outcome: Outcome<DomainRegistration>): Outcome<DomainRegistration> {
  return outcome.tag === 'found' ? refused('The server asked does not speak for this top-level domain.') : outcome;
}

interface Asked {
  readonly outcome: Outcome<DomainRegistration>;
  readonly answer: Answer | null;
}

async function ask(
  ports: Ports,
  host: string,
  domain: string,
  timeoutMs: number,
  attempt: Attempt,
  authoritative: boolean,
): Promise<Asked> {
  const waitMs = await takeQuota(ports, 'whois', host, attempt.signal);
  if (waitMs > 0) return { outcome: { ...limited('The registry limits the number of requests.', waitMs), counts: false }, answer: null };
  const reply = await ports.whois.ask({
    host,
    query: queryFor(host, domain),
    maxBytes: MAX_BYTES,
    timeoutMs: Math.min(timeoutMs, Math.max(1, attempt.deadlineMs - ports.clock.now())),
    pace: paceOf('whois', host),
    signal: attempt.signal,
  });
  if (reply.tag !== 'answer') return { outcome: reply, answer: null };
  const outcome = await parse(ports, parser('readWhois'), reply.answer, { domain, authoritative }, attempt);
  if (outcome.tag === 'limited') await restHost(ports, 'whois', host, outcome.retryAfterMs);
  return { outcome, answer: reply.answer };
}

/** Queries the registrar's server if the registry lists no contacts. Its values only fill gaps; its failure is ignored. */
async function withRegistrar(ports: Ports, asked: Asked, domain: string, attempt: Attempt): Promise<Outcome<DomainRegistration>> {
  const { outcome, answer } = asked;
  if (outcome.tag !== 'found' || !answer || outcome.resource.available) return outcome;
  if (!ports.settings.SIGHTLINE_RDAP_REFERRAL || outcome.resource.contacts.length > 0) return outcome;
  const server = await parse(ports, parser('registrarServer'), answer, { domain }, attempt);
  const host = typeof server === 'string' ? server : null;
  const leftMs = attempt.deadlineMs - ports.clock.now() - LEAST_LEFT_MS;
  if (host === null || host === hostOf(answer.url) || leftMs <= 0) return outcome;
  const registrar = await ask(ports, host, domain, Math.min(REFERRAL_TIMEOUT_MS, leftMs), attempt, false);
  if (registrar.outcome.tag !== 'found') {
    ports.log('info', 'the lookup at the registrar failed', { tag: registrar.outcome.tag, detail: registrar.outcome.detail });
    return outcome;
  }
  return registrar.outcome.resource.available ? outcome : { ...outcome, resource: fillHoles(outcome.resource, registrar.outcome.resource) };
}
