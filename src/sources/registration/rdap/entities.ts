import type { Contact, Registrar } from '../../../contract/operations/registration.ts';
import type { UnreadFields } from '../../unread-fields.ts';
import { at, type JsonObject, objectOf, objectsOf, wordsIn } from '../../untyped-json.ts';
import { contactOf, NO_REGISTRAR, ROLES, type Role } from '../facts.ts';
import { stated } from '../redaction.ts';
import { CARD_PARTS, type Card, readCard } from './card.ts';

/** Roles of RFC 9083, and abbreviations in recorded answers. */
const ROLE_OF: ReadonlyMap<string, Role> = new Map([
  ...ROLES.map((role) => [role, role] as const),
  ['admin', 'administrative'],
  ['tech', 'technical'],
]);
const knownRolesOf = (entity: JsonObject | undefined): readonly Role[] =>
  entity ? rolesOf(entity).flatMap((role) => ROLE_OF.get(role) ?? []) : [];

/** Entities as a list, also if a server sent one object instead. */
function entitiesOf(holder: JsonObject): readonly JsonObject[] {
  const one = objectOf(holder.entities);
  return one ? [one] : objectsOf(holder.entities);
}
function rolesOf(entity: JsonObject): readonly string[] {
  const roles = Array.isArray(entity.roles) ? entity.roles : [entity.roles];
  return roles.flatMap((role) => (typeof role === 'string' ? role.toLowerCase() : []));
}

/** The sponsoring registrar: of several, the one that is also `sponsor`. */
export function registrarOf(domain: JsonObject, generic: boolean, unread: UnreadFields): Registrar {
  const entities = entitiesOf(domain);
  const all = entities.filter((e) => rolesOf(e).includes('registrar'));
  const registrar = all.find((e) => rolesOf(e).includes('sponsor')) ?? all[0];
  const abuse = [...(registrar ? entitiesOf(registrar) : []), ...entities].find((e) => rolesOf(e).includes('abuse'));
  const reached = abuse && readCard(abuse);
  if (!registrar && !reached) return NO_REGISTRAR;
  const card = registrar && readCard(registrar);
  const handle = registrar ? wordsIn(registrar.handle) : null;
  const name = card?.name.value ?? card?.organization.value ?? (handle !== null ? stated(handle) : null);
  return {
    name: unread.of('registrar.name', name, card?.unread.includes('name')),
    ianaId: registrar ? ianaIdOf(registrar, generic) : null,
    abuseEmail: unread.of('registrar.abuseEmail', reached?.email.value ?? null, reached?.unread.includes('email')),
    abusePhone: unread.of('registrar.abusePhone', reached?.phone.value ?? null, reached?.unread.includes('phone')),
  };
}

/** The IANA id from the public ids; some registries of generic top-level domains send it as the handle only. */
function ianaIdOf(registrar: JsonObject, generic: boolean): string | null {
  const ids = objectsOf(registrar.publicIds);
  const own = ids.find((id) => /iana registrar id/i.test(String(id.type)));
  const id = own && (typeof own.identifier === 'number' ? String(own.identifier) : wordsIn(own.identifier)?.trim());
  if (id) return /^\d{1,10}$/.test(id) ? id : null;
  const handle = wordsIn(registrar.handle);
  return generic && handle !== null && /^\d{1,7}$/.test(handle) ? handle : null;
}

/** One contact per role of each entity; an entity may have several roles. */
export function contactsOf(domain: JsonObject, redactedRoles: ReadonlySet<Role>, unread: UnreadFields): Contact[] {
  const contacts = entitiesOf(domain).flatMap((entity) => {
    const roles = [...new Set(knownRolesOf(entity))];
    if (!roles.length) return [];
    const card = readCard(entity);
    for (const part of CARD_PARTS) unread.of(`contacts.${part}`, card[part].value, card.unread.includes(part));
    // a redaction of an entity applies to each of its roles
    const marked = isMarked(entity) || isBare(card) || roles.some((role) => redactedRoles.has(role));
    return roles.flatMap((role) => contactOf(role, contactFields(card, marked)) ?? []);
  });
  // a whole contact may be removed: then only the redaction names its role
  const missing = [...redactedRoles].filter((role) => !contacts.some((c) => c.role === role));
  return [...contacts, ...missing.flatMap((role) => contactOf(role, { ...EMPTY_CONTACT, redacted: true }) ?? [])];
}
const EMPTY_CONTACT = { name: null, organization: null, email: null, phone: null } as const;

const contactFields = ({ name, organization, email, phone }: Card, redacted: boolean) => ({
  name: name.value,
  organization: organization.value,
  email: email.value,
  phone: phone.value,
  redacted: redacted || [name, organization, email, phone].some((part) => part.withheld),
});
const isBare = (card: Card): boolean => card.emptyName && card.organization.value === null && card.email.value === null;

/** Remarks and statuses that mark an entity as redacted. */
function isMarked(entity: JsonObject): boolean {
  const remarked = objectsOf(entity.remarks).some(
    (remark) =>
      /redacted/i.test(String(remark.title ?? '')) || /(?:redacted|truncated) due to authorization/i.test(String(remark.type ?? '')),
  );
  const states = Array.isArray(entity.status) ? entity.status.map((s) => String(s).toLowerCase()) : [];
  return remarked || states.some((s) => s === 'private' || s === 'obscured' || s === 'removed' || s === 'proxy');
}

/** Roles of which something is redacted (RFC 9537): named or counted in the path, else the first word of the redaction's name. */
export function redactedRolesOf(domain: JsonObject): ReadonlySet<Role> {
  const entities = entitiesOf(domain);
  const roles = objectsOf(domain.redacted).flatMap((redaction): readonly Role[] => {
    const paths = ['prePath', 'postPath', 'replacementPath'].map((key) => String(redaction[key] ?? ''));
    const quoted = paths
      .map((path) => /['"](\w+)['"]\s*\)?\s*\]/.exec(path)?.[1])
      .find((word) => word !== undefined && ROLE_OF.get(word.toLowerCase()));
    const words = String(at(redaction, 'name', 'type') ?? at(redaction, 'name', 'description') ?? '');
    const first = /^\s*(?:registry\s+)?(\w+)/i.exec(words)?.[1] ?? '';
    const role = ROLE_OF.get((quoted ?? first).toLowerCase());
    if (role) return [role];
    const index = paths.map((path) => /entities\[(-?\d+)\]/.exec(path)?.[1]).find((n) => n !== undefined);
    if (index !== undefined) return knownRolesOf(entities.at(Number(index)));
    // a redaction of every entity applies to each of them
    return paths.some((path) => /entities\[\*\]|entities\[:\]|\$\.\.(?:vcardArray|jscard)/.test(path))
      ? entities.flatMap(knownRolesOf)
      : [];
  });
  return new Set(roles);
}
