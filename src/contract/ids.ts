import { missing, type ServiceError } from './errors.ts';

/** What begins the ids of each. */
const PREFIXES = { account: 'acc', key: 'key', client: 'cli', watch: 'wat', target: 'tgt', canary: 'can', session: 'ses' };

/** An id that names nothing. Where it could not, the message says what such an id looks like, and of what the given one is. */
export function noSuch(kind: 'account' | 'key' | 'client', id: string): ServiceError {
  const begins = `${PREFIXES[kind]}_`;
  if (id.startsWith(begins)) return missing(`There is no ${kind} ${id}.`);
  const [other] = Object.entries(PREFIXES).find(([, prefix]) => id.startsWith(`${prefix}_`)) ?? [];
  const given = other === undefined ? '' : `, and this is the id of ${other === 'account' ? 'an' : 'a'} ${other}`;
  return missing(`There is no ${kind} ${JSON.stringify(id.slice(0, 100))}: its id begins with ${begins}${given}.`);
}
