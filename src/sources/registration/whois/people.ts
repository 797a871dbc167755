import type { Contact } from '../../../contract/operations/registration/operation.ts';
import { contactOf, firstShown, NOT_STATED, ROLES, type Role, type Shown, shown, shownEmail, shownPhone, stated, tidy } from '../facts.ts';

const NO_PARTS = { name: '', firstName: '', lastName: '', organization: '', email: '', phone: '', ref: '', party: '', descr: '' };
/**
 * `ref`: where a registry prints handles, a handle, or a name in the same position. `party`: a name, or the handle of an object in the text.
 * `descr`: the holder's name in the first of several lines.
 */
export type Part = keyof typeof NO_PARTS;
export const isPart = (field: string): field is Part => Object.hasOwn(NO_PARTS, field);
/** `heading`: of its section; `label`: the one that its name was read under; `isListed`: a contact only where an object has its handle. */
export const newPerson = (role: Role | null = null, heading = '') => {
  return { ...NO_PARTS, role, heading, label: '', isListed: false, anonymous: false, lines: [] as string[] };
};
export type Person = ReturnType<typeof newPerson>;
export type People = Partial<Record<Role, Person[]>>;

const NAMES: ReadonlySet<Part> = new Set(['name', 'ref', 'party']);
export const isNamed = (person: Person): boolean =>
  person.label !== '' || person.lines.length > 0 || person.organization !== '' || person.lastName !== '';
/**
 * Whether the value is the name of another contact: the label that named this one, with another name. The lines of an address may repeat a label,
 * too (`isAgain`: on the line below).
 */
export const isOfNext = (person: Person, part: Part, value: string, label: string, isAgain: boolean): boolean =>
  NAMES.has(part) &&
  !(part === 'name' && isAgain) &&
  person.label === label &&
  person[part] !== '' &&
  tidy(person[part]) !== tidy(value) &&
  stated(value) !== null;
export function setPart(person: Person, part: Part, value: string, label: string): void {
  if (person[part] !== '' && stated(person[part]) !== null) return;
  person[part] = value;
  if (NAMES.has(part) && value !== '') person.label = label;
}
export const handleOf = (person: Person): string => (person.ref || person.party).toLowerCase();
/** The handles, or names in their position, that are printed with the roles of the domain. */
export const handlesIn = (people: People): readonly string[] =>
  ROLES.flatMap((role) => people[role]?.map(handleOf) ?? []).filter((handle) => handle !== '');

/** Labels of the first line of an object, which is its handle. */
export const OPENS_OBJECT = /^(?:contact|nic-hdl-br)$/;

const HANDLE = /^(?=\S*[\d:_-])[A-Za-z0-9:_.-]+$/;
const MAX_LINES = 12;

/** The contacts of a record, each once: values printed with the role, then those of the object that its handle names. */
export function contactsOf(people: People, objects: ReadonlyMap<string, Person>): Contact[] {
  const contacts = new Map<string, Contact>();
  for (const role of ROLES)
    for (const person of people[role] ?? NOBODY) {
      const contact = assemble(role, person, objects.size > 0 ? objects.get(handleOf(person)) : undefined);
      if (contact) contacts.set(JSON.stringify(contact), contact);
    }
  return [...contacts.values()];
}
const NOBODY: readonly Person[] = [];

function assemble(role: Role, person: Person, object: Person | undefined): Contact | null {
  const named = person.party || person.descr || (HANDLE.test(person.ref) ? '' : person.ref);
  const own = object ? '' : named;
  if (person.isListed && !object) return null;
  const free = fromLines(person.lines);
  const printed = firstShown(fullNameOf(person), object ? fullNameOf(object) : NOT_STATED, shown(own), free.name);
  const stated = firstShown(shown(person.organization), shown(object?.organization ?? ''));
  // if a registrant and a person are both printed, the registrant is the organisation
  const isHolder = own !== '' && stated.value === null && !stated.withheld && printed.value !== null && printed.value !== shown(own).value;
  const name = withoutAddress(printed);
  const organization = withoutAddress(isHolder ? shown(own) : stated);
  const email = firstShown(shownEmail(person.email), shownEmail(object?.email ?? ''), free.email, addressIn(printed));
  const phone = firstShown(shownPhone(person.phone), shownPhone(object?.phone ?? ''), free.phone);
  const isMarked = free.withheld || person.anonymous || (object?.anonymous ?? false);
  return contactOf(role, isMarked, { name, organization, email, phone });
}

/** A name, or given and family name apart; "Name" beside a given name alone is the family name. */
function fullNameOf({ name, firstName: first, lastName: last }: Person): Shown {
  const isFamily =
    stated(name) !== null && stated(first) !== null && stated(last) === null && !name.toLowerCase().includes(first.toLowerCase());
  const parts = [first, isFamily ? name : last].filter((part) => stated(part) !== null);
  const apart = parts.map(shown).find(({ withheld }) => withheld) ?? shown(parts.join(' '));
  return isFamily && !shown(name).withheld ? apart : firstShown(shown(name), apart);
}

/** A name without the e-mail address or URL that some registries print after it. */
function withoutAddress({ value, withheld }: Shown): Shown {
  if (value === null || PLAIN_NAME.test(value)) return { value, withheld };
  const bare = value
    .replace(ADDRESS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:|/-]+|[\s,;:|/-]+$/g, '');
  return { value: /[\p{L}\p{N}]/u.test(bare) ? (bare === value.replace(/[\s,;:|/-]+$/, '') ? value : bare) : null, withheld };
}
/** Most names: no address, nothing to be removed at their ends. */
const PLAIN_NAME = /^[A-Za-z\d](?:[\w .,&'()-]*[\w.)])?$/;
const ADDRESS =
  /[(<[]*(?:(?:e-?mail|mailto):\s*)?[^\s@<>()[\]]+@[^\s@<>()[\]]+\.[^\s@<>()[\],;]+[)>\]]*|[(<[]*\bhttps?:\/\/[^\s)>\]]+[)>\]]*/gi;
const addressIn = ({ value }: Shown): Shown => (value === null ? NOT_STATED : { ...shownEmail(value), withheld: false });

const EMAIL_ALONE = /^\S+@\S+\.\S+$/;
/** In international form, with its area code in brackets, or before a fax number; digits alone may be a postal code. */
const PHONE_ALONE =
  /^(?:(?:tel|phone)\.? *:? *)?(\+[\d .()-]{6,}?|\(\d{2,5}\) ?\d{3,4}[ -]\d{3,4}|[+\d][\d .()+-]{6,}?(?= *\(fax\))) *(?:\(phone\)|\(fax\).*)?$/i;
/** The line below an e-mail address: no postal code. */
const PHONE_BELOW = /^\d[\d .-]{8,}\d$/;
/** A name and its e-mail address. */
const EMAIL_BEHIND = /\p{L}\s+\S+@\S+\.\S+$/u;
/** Whether a line is an e-mail address or a telephone number and nothing else. */
export const isReachable = (line: string): boolean => EMAIL_ALONE.test(line) || PHONE_ALONE.test(line);

const NO_LINES = { name: NOT_STATED, email: NOT_STATED, phone: NOT_STATED, withheld: false };
/** An address block without labels: the first line is a name; an e-mail address or phone number is alone on its line. */
function fromLines(lines: readonly string[]): typeof NO_LINES {
  if (lines.length === 0) return NO_LINES;
  const said = lines.slice(0, MAX_LINES).map((line) => ({ line, ...shown(line) }));
  const alone = said.find((s) => s.value !== null && EMAIL_ALONE.test(s.value));
  const email = alone ?? said.find((s) => s.value !== null && EMAIL_BEHIND.test(s.value));
  const below = alone && said[said.indexOf(alone) + 1];
  const phone =
    said.find((s) => s.value !== null && PHONE_ALONE.test(s.value)) ?? (PHONE_BELOW.test(below?.value ?? '') ? below : undefined);
  const name = said[0];
  return {
    name: name && name !== alone && name !== phone ? { value: name.value, withheld: name.withheld } : NOT_STATED,
    email: email ? shownEmail(email.line) : NOT_STATED,
    phone: phone ? shownPhone(PHONE_ALONE.exec(phone.value ?? '')?.[1] ?? phone.value ?? '') : NOT_STATED,
    withheld: said.some((s) => s.withheld),
  };
}

const SHORT_ROLES: ReadonlyMap<string, Role> = new Map([
  ['owner', 'registrant'],
  ['admin', 'administrative'],
  ['tech', 'technical'],
]);
/** The contact role that a value names ("Technical", "Owner"), as the registries of .int, .pr, .tg and .coop print it. */
export function roleOf(value: string): Role | undefined {
  const word = value.toLowerCase();
  return SHORT_ROLES.get(word) ?? ROLES.find((role) => role === word);
}
/** The same of a contact's type; where it is withheld with all of the contact, the contact is the holder's, which every domain has. */
export const contactTypeOf = (value: string): Role | undefined => roleOf(value) ?? (shown(value).withheld ? 'registrant' : undefined);
