import { lazily, lazyReader } from '../../lazily.ts';
import { whoisServerOf } from './servers.ts';

/** The registry's record by WHOIS (RFC 3912), for what RDAP does not answer. */
export const registrationWhois = lazily({
  id: 'registration/whois',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  partOf: (_, input) => ('domain' in input ? (whoisServerOf(input.domain)?.host ?? '') : ''),
  limitedByPart: true,
  readers: {
    'registration/whois': lazyReader('registration', async () => (await import('./parse.ts')).readWhois),
  },
  about: "the registry's record by WHOIS (TCP 43), where RDAP does not answer; server by table and by IANA",
  load: async () => (await import('./connector.ts')).open,
});
