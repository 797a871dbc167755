import type { Reply } from '../../../upstream/answer.ts';
import { refused } from '../../outcome.ts';
import { type Asks, type Attempt, type Ports, parse, parsersIn } from '../../source.ts';
import { askServer, type Read, type RegistryReply, TIMEOUT_MS, withDates, withRegistrar } from '../ask.ts';
import { pacesOf } from '../registries.ts';
import { createBases } from './bases.ts';

const inRdap = parsersIn<typeof import('./parse.ts')>(new URL('./parse.ts', import.meta.url));

/** Some servers refuse `application/rdap+json` alone, others send only that. */
const ACCEPT = 'application/rdap+json, application/json;q=0.9, */*;q=0.1';

export function openRdap(ports: Ports): Asks {
  const bases = createBases(ports);
  const ask = (url: string, domain: string, attempt: Attempt, timeoutMs = TIMEOUT_MS): Promise<RegistryReply> => {
    const request = { url, headers: { accept: ACCEPT }, maxBytes: 2_000_000, timeoutMs, attempt };
    const read: Read = (reply) => parse(ports, inRdap('readRdap'), reply, { domain }, attempt);
    return askServer(ports, attempt, pacesOf('rdap', new URL(url).hostname), (pace) => ports.http.ask({ ...request, pace }), read);
  };
  return {
    async registration({ domain }, attempt) {
      const base = await bases.find(domain, attempt);
      if (!base) return refused('The registry offers no RDAP service.', `no base for ${domain}`);
      const asked = await ask(`${base.url}domain/${domain}`, domain, attempt);
      if (asked.outcome.tag === 'found' && asked.outcome.resource.available && !base.authoritative)
        return refused('The server that answered is not entitled to say that the name is unregistered.', base.url);
      const find = (reply: Reply) => parse(ports, inRdap('registrarLink'), reply, {}, attempt);
      const outcome = await withRegistrar(ports, asked, attempt, find, (url, timeoutMs) => ask(url, domain, attempt, timeoutMs));
      return withDates(ports, outcome, attempt, domain);
    },
  };
}
