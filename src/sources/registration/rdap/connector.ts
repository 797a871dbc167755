import type { DomainRegistration } from '../../../contract/operations/registration.ts';
import type { Answer } from '../../../upstream/answer.ts';
import { type Outcome, refused } from '../../outcome.ts';
import { parse, parsersIn } from '../../parsers.ts';
import type { Asks, Attempt, Ports } from '../../source.ts';
import { fillHoles } from '../facts.ts';
import { paceOf, restHost, takeQuota } from '../pace.ts';
import { createBases } from './bases.ts';
import { TOO_FAST } from './block-page.ts';

const parser = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** Some servers refuse `application/rdap+json` alone, others send only that. */
const ACCEPT = 'application/rdap+json, application/json;q=0.9, */*;q=0.1';
const MAX_BYTES = 2_000_000;
const TIMEOUT_MS = 8_000;
const REFERRAL_TIMEOUT_MS = 4_000;
/** Part of the attempt's time that the request to the registrar must not use. */
const LEAST_LEFT_MS = 1_500;

export function open(ports: Ports): Asks {
  const bases = createBases(ports);
  return {
    async registration({ domain }, attempt) {
      const base = await bases.find(domain);
      if (!base) return refused('The registry offers no RDAP service.', `no base for ${domain}`);
      const asked = await ask(ports, `${base.url}domain/${domain}`, domain, TIMEOUT_MS, attempt);
      const { outcome, answer } = asked;
      if (outcome.tag !== 'found' || !answer) return outcome;
      if (outcome.resource.available)
        return base.authoritative ? outcome : refused('The server asked may not say that nobody holds the name.', base.url);
      return { ...outcome, resource: await withRegistrar(ports, outcome.resource, answer, attempt) };
    },
  };
}

interface Asked {
  readonly outcome: Outcome<DomainRegistration>;
  readonly answer: Answer | null;
}

async function ask(ports: Ports, url: string, domain: string, timeoutMs: number, attempt: Attempt): Promise<Asked> {
  const host = new URL(url).hostname;
  const waitMs = await takeQuota(ports, 'rdap', host, attempt.signal);
  if (waitMs > 0) return { outcome: { tag: 'limited', what: TOO_FAST, retryAfterMs: waitMs, counts: false }, answer: null };
  const reply = await ports.http.ask({
    url,
    headers: { accept: ACCEPT },
    maxBytes: MAX_BYTES,
    timeoutMs: Math.min(timeoutMs, Math.max(1, attempt.deadlineMs - ports.clock.now())),
    pace: paceOf('rdap', host),
    signal: attempt.signal,
  });
  if (reply.tag !== 'answer') return { outcome: reply, answer: null };
  const outcome = await parse(ports, parser('readRdap'), reply.answer, { domain }, attempt);
  if (outcome.tag === 'limited') await restHost(ports, 'rdap', host, outcome.retryAfterMs);
  return { outcome, answer: reply.answer };
}

/** Queries the registrar if the registry names it and lists no contacts. Its values only fill gaps; its failure is ignored. */
async function withRegistrar(ports: Ports, registry: DomainRegistration, answer: Answer, attempt: Attempt): Promise<DomainRegistration> {
  if (!ports.settings.SIGHTLINE_RDAP_REFERRAL || registry.contacts.length > 0) return registry;
  const link = await parse(ports, parser('registrarLink'), answer, {}, attempt);
  const url = typeof link === 'string' ? link : null;
  const leftMs = attempt.deadlineMs - ports.clock.now() - LEAST_LEFT_MS;
  if (url === null || new URL(url).host === new URL(answer.url).host || leftMs <= 0) return registry;
  const { outcome } = await ask(ports, url, registry.domain, Math.min(REFERRAL_TIMEOUT_MS, leftMs), attempt);
  if (outcome.tag === 'found' && !outcome.resource.available) return fillHoles(registry, outcome.resource);
  if (outcome.tag !== 'found') ports.log('info', 'the registrar could not be asked', { tag: outcome.tag, detail: outcome.detail });
  return registry;
}
