import type { JsonObject } from '../../../contract/json-object.ts';
import type { Contact, Registrar } from '../../../contract/operations/registration/operation.ts';
import { isShown, type UnreadFields } from '../../unread-fields.ts';
import { listOf, objectOf, objectsOf, trimmedIn, valueAt, wordsIn } from '../../untyped-json.ts';
import { contactOf, firstShown, NO_REGISTRAR, ROLES, type Role, registrarName, shown } from '../facts.ts';
import { CARD_PARTS, contactRows, hasCard, readCard } from './cards.ts';

/** Roles of RFC 9083, and abbreviations in recorded answers. */
const ROLE_OF: ReadonlyMap<string, Role> = new Map([
  ...ROLES.map((role) => [role, role] as const),
  ['admin', 'administrative'],
  ['tech', 'technical'],
]);
const knownRolesOf = (entity: JsonObject | undefined): readonly Role[] =>
  entity ? rolesOf(entity).flatMap((role) => ROLE_OF.get(role) ?? []) : [];

function entitiesOf(holder: JsonObject): readonly JsonObject[] {
  const one = objectOf(holder.entities);
  // a list within the list has no member that is known
  return one
    ? [one]
    : listOf(holder.entities)
        .filter((entity) => typeof entity === 'object' && entity !== null)
        .map((entity) => objectOf(entity) ?? { entity });
}
/** The other roles of RFC 9083, whose entities are no contacts of the domain. */
const NO_CONTACT = new Set(['registrar', 'reseller', 'sponsor', 'proxy', 'notifications', 'noc', 'abuse']);
const hasKnownRole = (entity: JsonObject): boolean => rolesOf(entity).some((role) => ROLE_OF.has(role) || NO_CONTACT.has(role));

const ownRolesOf = (entity: JsonObject): readonly string[] => textsIn(Array.isArray(entity.roles) ? entity.roles : [entity.roles]);
/** The roles of an entity; without any, those that its card states. */
function rolesOf(entity: JsonObject): readonly string[] {
  const roles = ownRolesOf(entity);
  if (roles.length > 0) return roles;
  return textsIn(contactRows(entity).flatMap((row) => (row.key === 'role' ? row.value : [])));
}
const textsIn = (list: readonly unknown[]): readonly string[] =>
  list.flatMap(
    (one) =>
      trimmedIn(one)
        ?.toLowerCase()
        .replace(/ contact$/, '') ?? [],
  );

const handleOf = ({ handle }: JsonObject): string | null => (typeof handle === 'number' ? String(handle) : wordsIn(handle));
/** Without a role: nothing of it says which party it is. */
const isNobody = (entity: JsonObject): boolean =>
  rolesOf(entity).length === 0 &&
  (hasCard(entity) || isShown(entity.publicIds) || !MEMBERS.some((member) => member in entity)) &&
  isShown(entity);
const MEMBERS = ['roles', 'vcardArray', 'jscard', 'handle', 'objectClassName', 'publicIds', 'entities'] as const;

const MAX_DEPTH = 4;
const allBelow = (holder: JsonObject, depth = 0): readonly JsonObject[] =>
  depth < MAX_DEPTH ? entitiesOf(holder).flatMap((entity) => [entity, ...allBelow(entity, depth + 1)]) : [];
/** A handle names one entity, in either case of letters: where this one has no card of the kind, the one with the same handle that has. */
function withCard(entity: JsonObject, domain: JsonObject, isCard: (one: JsonObject) => boolean = hasCard): JsonObject {
  const handle = handleOf(entity)?.toLowerCase() ?? '';
  if (shown(handle).value === null || isCard(entity)) return entity;
  return allBelow(domain).find((other) => handleOf(other)?.toLowerCase() === handle && isCard(other)) ?? entity;
}
/** Whether a card names nobody: it has no name, or repeats the handle as one. */
function isNameless(entity: JsonObject): boolean {
  const { name, organization, unread } = readCard(entity);
  const names = [name.value, organization.value].filter((one) => one !== null && one.toLowerCase() !== handleOf(entity)?.toLowerCase());
  return names.length === 0 && unread.length === 0;
}

/** The sponsoring registrar: of several, the one that is also `sponsor`, else the first that is named. */
export function registrarOf(domain: JsonObject, generic: boolean, unread: UnreadFields): Registrar {
  const entities = entitiesOf(domain);
  const all = entities.filter((e) => rolesOf(e).includes('registrar'));
  const isNamed = (entity: JsonObject): boolean => hasCard(withCard(entity, domain)) || handleOf(entity) !== null;
  const registrar = all.find((e) => rolesOf(e).includes('sponsor')) ?? all.find(isNamed) ?? all[0];
  const abuse = [...(registrar ? allBelow(registrar) : []), ...entities].filter((e) => rolesOf(e).includes('abuse')).map(readCard);
  // below a contact it may be the contact's registrar alone
  if (
    !registrar &&
    (allBelow(domain).some((e) => rolesOf(e).includes('registrar')) ||
      entities.some((e) => isNobody(e) && (isShown(e.publicIds) || !hasCard(e))))
  )
    unread.note('registrar.name');
  const reached = (part: 'email' | 'phone') => firstShown(...abuse.map((card) => card[part])).value;
  const isUnread = (part: 'email' | 'phone') =>
    abuse.some((card) => card.unread.includes(part)) || (registrar !== undefined && entitiesOf(registrar).some(isNobody));
  if (!registrar && abuse.length === 0) return NO_REGISTRAR;
  const card = registrar && readCard(withCard(registrar, domain, (one) => hasCard(one) && !isNameless(one)));
  // a card that cannot be read has the name
  const handle = registrar && !card?.unread.includes('name') ? handleOf(registrar) : null;
  const name = card?.name.value ?? card?.organization.value ?? (handle !== null ? registrarName(handle) : null);
  return {
    // a registry that names an entity as the registrar, and states nothing of it
    name: unread.of('registrar.name', name, card && !card.name.withheld && !card.organization.withheld),
    ianaId: registrar ? ianaIdOf(registrar, generic, unread) : null,
    abuseEmail: unread.of('registrar.abuseEmail', reached('email'), isUnread('email')),
    abusePhone: unread.of('registrar.abusePhone', reached('phone'), isUnread('phone')),
  };
}

/** The IANA id from the public ids; some registries of generic top-level domains send it as the handle only. */
function ianaIdOf(registrar: JsonObject, generic: boolean, unread: UnreadFields): string | null {
  const ids = objectsOf(registrar.publicIds);
  const own = ids.find((id) => /iana registrar id/i.test(String(id.type))) ?? ids.find((id) => /\biana\b/i.test(String(id.type)));
  if (own) {
    const id = typeof own.identifier === 'number' ? String(own.identifier) : wordsIn(own.identifier)?.trim();
    if (id && /^\d{1,10}$/.test(id)) return id;
    const { type: _, ...rest } = own;
    // words in place of an id ("not applicable") are none
    if (id ? /\d/.test(id) : Object.values(rest).some(isShown)) unread.note('registrar.ianaId');
    return null;
  }
  const spelled = Object.keys(registrar).find((member) => /^public_?ids?$/i.test(member)) ?? 'publicIds';
  if (!isPublicIds(registrar[spelled]) || (spelled !== 'publicIds' && isShown(registrar[spelled]))) {
    unread.note('registrar.ianaId');
    return null;
  }
  const handle = handleOf(registrar);
  return generic && handle !== null && /^\d{1,7}$/.test(handle) ? handle : null;
}
/** Whether each of the ids has its type, or nothing is stated. */
const isPublicIds = (ids: unknown): boolean =>
  !isShown(ids) || (Array.isArray(ids) && ids.every((id) => !isShown(id) || typeof valueAt(id, 'type') === 'string'));

export function contactsOf(domain: JsonObject, redactedRoles: ReadonlySet<Role>, unread: UnreadFields): Contact[] {
  // a registry that prints handles alone states no names at all; beside cards a contact that is only named is on record elsewhere
  const printsCards = entitiesOf(domain).some((entity) => knownRolesOf(entity).length > 0 && hasCard(withCard(entity, domain)));
  const contacts = entitiesOf(domain).flatMap((entity) => {
    const roles = [...new Set(knownRolesOf(entity))];
    if (!roles.length) {
      if (isNobody(entity) || (!hasKnownRole(entity) && hasCard(entity))) unread.note('contacts');
      return [];
    }
    const person = withCard(entity, domain);
    const card = readCard(person);
    for (const part of CARD_PARTS) unread.of(`contacts.${part}`, card[part].value, card.unread.includes(part));
    // a redaction of an entity applies to each of its roles
    const marked =
      isMarked(entity) ||
      (card.emptyName && card.organization.value === null && card.email.value === null) ||
      roles.some((role) => redactedRoles.has(role));
    // a remark in another form may say that it is redacted
    const isOdd = isShown(listOf(entity.remarks).filter((remark) => objectOf(remark) === null));
    if (!marked && (isOdd || (printsCards && !hasCard(person)))) unread.note('contacts');
    return roles.flatMap((role) => contactOf(role, marked, card) ?? []);
  });
  // a contact below another one, with a role that the domain has not
  const below = entitiesOf(domain).flatMap((entity) => (rolesOf(entity).includes('registrar') ? [] : allBelow(entity)));
  if (below.some((one) => hasCard(one) && knownRolesOf(one).some((role) => !contacts.some((c) => c.role === role))))
    unread.note('contacts');
  if (listOf(domain.redacted).some((one) => isShown(one) && !REDACTION.some((member) => valueAt(one, member) !== undefined)))
    unread.note('contacts');
  // a whole contact may be removed: then only the redaction names its role
  const missing = [...redactedRoles].filter((role) => !contacts.some((c) => c.role === role));
  return [...contacts, ...missing.flatMap((role) => contactOf(role, true) ?? [])];
}
/** Remarks and statuses that mark an entity as redacted. */
function isMarked(entity: JsonObject): boolean {
  const isRemark = ({ title, type }: JsonObject): boolean =>
    /redacted/i.test(String(title ?? '')) || /(?:redacted|truncated) due to authorization/i.test(String(type ?? ''));
  return (
    objectsOf(entity.remarks).some(isRemark) || listOf(entity.status).some((s) => /^(?:private|obscured|removed|proxy)$/i.test(String(s)))
  );
}

const REDACTION = ['name', 'method', 'prePath', 'postPath', 'replacementPath'] as const;
/** Roles of which something is redacted (RFC 9537): named or counted in the path, else the first word of the redaction's name. */
export function redactedRolesOf(domain: JsonObject): ReadonlySet<Role> {
  const entities = entitiesOf(domain);
  const roles = objectsOf(domain.redacted).flatMap((redaction): readonly Role[] => {
    const paths = ['prePath', 'postPath', 'replacementPath'].map((key) => String(redaction[key] ?? ''));
    const quoted = paths
      .map((path) => /['"](\w+)['"]\s*\)?\s*\]/.exec(path)?.[1])
      .find((word) => word !== undefined && ROLE_OF.get(word.toLowerCase()));
    const words = String(valueAt(redaction, 'name', 'type') ?? valueAt(redaction, 'name', 'description') ?? '');
    const first = /^\s*(?:registry\s+)?(\w+)/i.exec(words)?.[1] ?? '';
    const role = ROLE_OF.get((quoted ?? first).toLowerCase());
    if (role) return [role];
    // the index of an entity that was removed is of the list before
    const index = paths.map((path) => /entities\[(-?\d+)\](?!\s*$)/.exec(path)?.[1]).find((n) => n !== undefined);
    if (index !== undefined) return knownRolesOf(entities.at(Number(index)));
    // a redaction of every entity applies to each of them
    const isOfAll = paths.some((path) => /entities\[\*\]|entities\[:\]|\$\.\.(?:vcardArray|jscard)/.test(path));
    return isOfAll ? entities.flatMap(knownRolesOf) : [];
  });
  return new Set(roles);
}
