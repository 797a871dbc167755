import { lazily, lazyReader } from '../source.ts';
import { baseOf } from './rdap/bases.ts';
import { whoisServerOf } from './registries.ts';

const ANSWERS = { operations: ['registration'], limitedByPart: true } as const;

export const registrationRdap = lazily({
  id: 'registration/rdap',
  ...ANSWERS,
  partOf: (_, input) => ('domain' in input ? (baseOf(input.domain, null)?.url ?? '') : ''),
  readers: { 'registration/rdap': lazyReader('registration', async () => (await import('./rdap/parse.ts')).readRdap) },
  about: "the registry's own record by RDAP: base by IANA's bootstrap, contacts by the registrar's RDAP where the registry keeps none",
  load: async () => (await import('./ask.ts')).openRdap,
});

export const registrationWhois = lazily({
  id: 'registration/whois',
  ...ANSWERS,
  partOf: (_, input) => ('domain' in input ? (whoisServerOf(input.domain)?.host ?? '') : ''),
  readers: { 'registration/whois': lazyReader('registration', async () => (await import('./whois/parse.ts')).readWhois) },
  about: "the registry's record by WHOIS (TCP 43), where RDAP does not answer; server by table and by IANA",
  load: async () => (await import('./ask.ts')).openWhois,
});
