import { lazily, lazyReader } from '../../lazily.ts';
import { baseOf } from './bases.ts';

/** The registry's own record by RDAP (RFC 9082, 9083); for a thin registry also the record of the registrar that it names. */
export const registrationRdap = lazily({
  id: 'registration/rdap',
  operations: ['registration'],
  needs: [],
  knowsAbsence: true,
  partOf: (_, input) => ('domain' in input ? (baseOf(input.domain, null)?.url ?? '') : ''),
  limitedByPart: true,
  readers: {
    'registration/rdap': lazyReader('registration', async () => (await import('./parse.ts')).readRdap),
  },
  about: "the registry's own record by RDAP: base by IANA's bootstrap, contacts by the registrar's RDAP where the registry keeps none",
  load: async () => (await import('./connector.ts')).open,
});
