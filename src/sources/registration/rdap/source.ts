import { lazily, lazyReader } from '../../source.ts';
import { baseOf } from './bases.ts';

export const registrationRdap = lazily({
  id: 'registration/rdap',
  operations: ['registration'],
  limitedByPart: true,
  partOf: (_, input) => ('domain' in input ? (baseOf(input.domain, null)?.url ?? '') : ''),
  readers: { 'registration/rdap': lazyReader('registration', async () => (await import('./parse.ts')).readRdap) },
  about: "the registry's own record by RDAP: base by IANA's bootstrap, contacts by the registrar's RDAP where the registry keeps none",
  load: async () => (await import('./connector.ts')).openRdap,
});
