import type { Static } from 'typebox';
import { DOMAIN_DESCRIPTION, domainType } from '../../parameters/domain-name.ts';
import { inPath } from '../../parameters/parameter.ts';
import { flag, instant, list, nullable, oneOf, orNull, record, text, words } from '../../schema.ts';
import { AREAS } from '../areas.ts';
import { defineOperation, hours, minutes } from '../define.ts';

export const CONTACT_ROLES = ['registrant', 'administrative', 'technical', 'billing'] as const;

export const Registrar = record(
  {
    name: orNull.text('Name; the handle where only a handle is stated.'),
    ianaId: orNull.text('IANA registrar id.'),
    abuseEmail: orNull.text('E-mail for abuse reports.'),
    abusePhone: orNull.text('Telephone for abuse reports.'),
  },
  'The registrar; null where nothing is known of it.',
);

export const Contact = record({
  role: oneOf(CONTACT_ROLES, 'Role of the contact.'),
  name: orNull.text('Name.'),
  organization: orNull.text('Organisation.'),
  email: orNull.text('E-mail.'),
  phone: orNull.text('Telephone.'),
  redacted: flag('Something of this contact is withheld.'),
});

export const DomainRegistration = record({
  domain: text('Registrable domain, A-label form.'),
  available: flag('True: no registration record exists. It does not say that the name can be bought.'),
  registrar: nullable(Registrar),
  registeredOn: orNull.date('Registration date.'),
  expiresOn: orNull.date("The registry's expiry date."),
  updatedOn: orNull.date('Last change of the record.'),
  status: words("EPP status in camelCase; a registry's own phrase where EPP has no such state."),
  nameServers: words('Name servers, lower case.'),
  dnssec: orNull.flag('True where DS or key records are listed.'),
  contacts: list(Contact, 'Contacts by role.'),
  scrapedAt: instant('When the registry was asked.'),
  source: oneOf(
    ['authoritative', 'fallback'],
    "`authoritative`: the registry's own record answered. `fallback`: a secondary source was used.",
  ),
});
export type DomainRegistration = Static<typeof DomainRegistration>;
export type Registrar = Static<typeof Registrar>;
export type Contact = Static<typeof Contact>;

export const registration = defineOperation({
  id: 'registration',
  method: 'domain',
  area: AREAS.registration,
  path: '/v1/website/whois/domains/{domain}',
  summary: 'Registration of a domain',
  parameters: [inPath('domain', domainType({ privateRegistries: true }), DOMAIN_DESCRIPTION, 'acme-widgets.com')],
  resource: { DomainRegistration },
  parts: { Registrar, Contact },
  rows: { entries: 'contacts' },
  watch: {
    lists: { contacts: { key: ['role'] } },
    fields: [
      ...['available', 'registrar.name', 'registrar.ianaId', 'registeredOn', 'expiresOn', 'status', 'nameServers', 'dnssec'],
      ...['contacts.role', 'contacts.name', 'contacts.organization', 'contacts.email', 'contacts.phone'],
    ],
    never: ['scrapedAt', 'source'],
    series: [],
    due: { field: 'expiresOn', days: [30, 14, 7, 1] },
    shown: ['registrar.name', 'status', 'nameServers'],
  },
  freshForMs: ({ available }) => (available ? minutes(2) : hours(6)),
});
