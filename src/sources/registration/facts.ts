import type { Contact, DomainRegistration, Registrar } from '../../contract/operations/registration.ts';
import { isProxy } from './redaction.ts';

export const ROLES = ['registrant', 'administrative', 'technical', 'billing'] as const;
export type Role = (typeof ROLES)[number];
export const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

/** The facts that one answer states about a registered domain, in the order of the resource. */
export type Facts = Omit<DomainRegistration, 'domain' | 'available' | 'registrar' | 'scrapedAt' | 'source'> & {
  readonly registrar: Registrar;
};
export const TOO_FAST = 'The registry limits the number of requests.';
export const NO_REGISTRAR: Registrar = { name: null, ianaId: null, abuseEmail: null, abusePhone: null };

/** `at`: time of the answer, epoch ms. */
type Origin = Pick<DomainRegistration, 'domain' | 'source'> & { readonly at: number };

export const takenOf = ({ domain, source, at }: Origin, facts: Facts): DomainRegistration => ({
  domain,
  available: false,
  ...facts,
  registrar: Object.values(facts.registrar).some((v) => v !== null) ? facts.registrar : null,
  status: [...new Set(facts.status)],
  nameServers: [...new Set(facts.nameServers)],
  scrapedAt: new Date(at).toISOString(),
  source,
});

const NO_DATES = { registeredOn: null, expiresOn: null, updatedOn: null };
const NOTHING: Facts = { registrar: NO_REGISTRAR, ...NO_DATES, status: [], nameServers: [], dnssec: null, contacts: [] };
export const freeOf = (origin: Origin): DomainRegistration => ({ ...takenOf(origin, NOTHING), available: true });
/** The resource of a reserved domain: not available, without registration data. */
export const reservedOf = (origin: Origin, phrase: string | null): DomainRegistration =>
  takenOf(origin, { ...NOTHING, status: phrase === null ? [] : [phrase] });

/** A contact; null if it has neither a value nor a redaction. A privacy service counts as redacted; its name is reported. */
export function contactOf(role: Role, fields: Omit<Contact, 'role'>): Contact | null {
  const { name, organization, email, phone } = fields;
  const redacted = fields.redacted || isProxy(name) || isProxy(organization);
  if (!redacted && name === null && organization === null && email === null && phone === null) return null;
  return { role, name, organization, email, phone, redacted };
}
