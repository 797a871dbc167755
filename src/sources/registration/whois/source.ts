import { lazily, lazyReader } from '../../source.ts';
import { whoisServerOf } from '../registries.ts';

export const registrationWhois = lazily({
  id: 'registration/whois',
  operations: ['registration'],
  limitedByPart: true,
  partOf: (_, input) => ('domain' in input ? (whoisServerOf(input.domain)?.host ?? '') : ''),
  readers: { 'registration/whois': lazyReader('registration', async () => (await import('./parse.ts')).readWhois) },
  about: "the registry's record by WHOIS (TCP 43), where RDAP does not answer; server by table and by IANA",
  load: async () => (await import('./connector.ts')).openWhois,
});
