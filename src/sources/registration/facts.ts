import type { Contact, DomainRegistration, Registrar } from '../../contract/operations/registration.ts';
import { isProxy } from './redaction.ts';

export const ROLES = ['registrant', 'administrative', 'technical', 'billing'] as const;
export type Role = (typeof ROLES)[number];
export type Registration = DomainRegistration;

/** What one answer states about a name that is taken. */
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
interface Told {
  readonly domain: string;
  readonly source: SourceKind;
  /** When the registry was asked, epoch ms. */
  readonly at: number;
}

/** The resource of a name that is taken. */
export const takenOf = (told: Told, facts: Facts): DomainRegistration => ({
  domain: told.domain,
  available: false,
  registrar: Object.values(facts.registrar).some((v) => v !== null) ? facts.registrar : null,
  registeredOn: facts.registeredOn,
  expiresOn: facts.expiresOn,
  updatedOn: facts.updatedOn,
  status: [...new Set(facts.status)],
  nameServers: [...new Set(facts.nameServers)],
  dnssec: facts.dnssec,
  contacts: [...facts.contacts],
  scrapedAt: new Date(told.at).toISOString(),
  source: told.source,
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
/** The resource of a name that nobody holds. */
export const freeOf = (told: Told): DomainRegistration => ({ ...takenOf(told, NOTHING), available: true });
/** The resource of a name that nobody may hold: taken, and nothing else is known of it. */
export const reservedOf = (told: Told, phrase: string | null): DomainRegistration =>
  takenOf(told, { ...NOTHING, status: phrase === null ? [] : [phrase] });

/** A contact; null where neither a value nor a redaction is known. A privacy service counts as a redaction, its names are kept. */
export function contactOf(role: Role, fields: Omit<Contact, 'role'>): Contact | null {
  const { name, organization, email, phone } = fields;
  const redacted = fields.redacted || isProxy(name) || isProxy(organization);
  if (!redacted && name === null && organization === null && email === null && phone === null) return null;
  return { role, name, organization, email, phone, redacted };
}

/** What a second answer (the registrar's) may add: it fills holes and never replaces what the registry says. */
export function fillHoles(registry: DomainRegistration, registrar: DomainRegistration): DomainRegistration {
  const r = registry.registrar;
  const own = registrar.registrar;
  return {
    ...registry,
    registrar: r && own ? { ...r, abuseEmail: r.abuseEmail ?? own.abuseEmail, abusePhone: r.abusePhone ?? own.abusePhone } : r,
    contacts: registry.contacts.length ? registry.contacts : registrar.contacts,
  };
}
