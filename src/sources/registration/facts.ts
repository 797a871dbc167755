import type { Contact, DomainRegistration, Registrar } from '../../contract/operations/registration.ts';
import { isProxy } from './redaction.ts';

export const ROLES = ['registrant', 'administrative', 'technical', 'billing'] as const;
export type Role = (typeof ROLES)[number];
export type Registration = DomainRegistration;

/** The facts that one answer states about a registered domain. */
export interface Facts {
  readonly registrar: Registrar;
  readonly registeredOn: string | null;
  readonly expiresOn: string | null;
  readonly updatedOn: string | null;
  readonly status: readonly string[];
  readonly nameServers: readonly string[];
  readonly dnssec: boolean | null;
  readonly contacts: readonly Contact[];
}
export const NO_REGISTRAR: Registrar = { name: null, ianaId: null, abuseEmail: null, abusePhone: null };

export type SourceKind = DomainRegistration['source'];
interface Origin {
  readonly domain: string;
  readonly source: SourceKind;
  /** Time of the answer, epoch ms. */
  readonly at: number;
}

/** The resource of a registered domain. */
export const takenOf = (origin: Origin, facts: Facts): DomainRegistration => ({
  domain: origin.domain,
  available: false,
  registrar: Object.values(facts.registrar).some((v) => v !== null) ? facts.registrar : null,
  registeredOn: facts.registeredOn,
  expiresOn: facts.expiresOn,
  updatedOn: facts.updatedOn,
  status: [...new Set(facts.status)],
  nameServers: [...new Set(facts.nameServers)],
  dnssec: facts.dnssec,
  contacts: [...facts.contacts],
  scrapedAt: new Date(origin.at).toISOString(),
  source: origin.source,
});

const NOTHING: Facts = {
  registrar: NO_REGISTRAR,
  registeredOn: null,
  expiresOn: null,
  updatedOn: null,
  status: [],
  nameServers: [],
  dnssec: null,
  contacts: [],
};
/** The resource of an available domain. */
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

/** Fills missing values of the registry's record with the registrar's. A value of the registry is never replaced. */
export function fillHoles(registry: DomainRegistration, registrar: DomainRegistration): DomainRegistration {
  const r = registry.registrar;
  const own = registrar.registrar;
  return {
    ...registry,
    registrar: r && own ? { ...r, abuseEmail: r.abuseEmail ?? own.abuseEmail, abusePhone: r.abusePhone ?? own.abusePhone } : r,
    contacts: registry.contacts.length ? registry.contacts : registrar.contacts,
  };
}
