/**
 * Adapter for the score script beside the recordings of domain registration: `npm run score:registration`. A WHOIS text is parsed as the
 * answer of the server that the connector would have queried.
 */
import { readRdap } from '../src/sources/registration/rdap/parse.ts';
import { whoisServerOf } from '../src/sources/registration/registries.ts';
import { decodeWhois } from '../src/sources/registration/whois/lines.ts';
import { readWhoisText } from '../src/sources/registration/whois/parse.ts';

interface Context {
  readonly kind: 'whois' | 'rdap';
  readonly httpStatus?: number;
}
const hostOf = (domain: string): string => whoisServerOf(domain)?.host ?? '';

export const decode = (bytes: Uint8Array, domain: string, context: Context): string =>
  context.kind === 'whois' ? decodeWhois(bytes, hostOf(domain)) : new TextDecoder().decode(bytes);

export function parse(text: string, domain: string, context: Context) {
  const url = `https://rdap.example/domain/${domain}`;
  const outcome =
    context.kind === 'whois'
      ? readWhoisText(text, domain, hostOf(domain), 0)
      : readRdap({ status: context.httpStatus ?? 200, headers: {}, body: new TextEncoder().encode(text), url, atMs: 0 }, { domain });
  if (outcome.tag !== 'found') return { available: null };
  const r = outcome.resource;
  return {
    available: r.available,
    registrar: r.registrar?.name ?? null,
    createdOn: r.registeredOn,
    expiresOn: r.expiresOn,
    updatedOn: r.updatedOn,
    nameServers: r.nameServers,
    status: r.status,
    dnssec: r.dnssec,
    registrarIanaId: r.registrar?.ianaId ?? undefined,
    abuseEmail: r.registrar?.abuseEmail ?? undefined,
    abusePhone: r.registrar?.abusePhone ?? undefined,
  };
}
