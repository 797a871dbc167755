import type { Contact } from '../../../contract/operations/registration.ts';
import { contactOf, firstShown, NOT_STATED, ROLES, type Role, type Shown, shown, shownEmail, shownPhone } from '../facts.ts';

const NO_PARTS = { name: '', firstName: '', lastName: '', organization: '', email: '', phone: '', ref: '' };
/** `ref`: a handle, or a name at registries that print it in the same position. */
export type Part = keyof typeof NO_PARTS;
export const isPart = (field: string): field is Part => Object.hasOwn(NO_PARTS, field);
export const newPerson = () => ({ ...NO_PARTS, anonymous: false, lines: [] as string[] });
export type Person = ReturnType<typeof newPerson>;
export type People = Partial<Record<Role, Person>>;

const HANDLE = /^(?=\S*[\d:_-])[A-Za-z0-9:_.-]+$/;
const MAX_LINES = 12;

/** The contacts of a record: values printed with the role, then those of the object that its handle names. */
export function contactsOf(people: People, objects: ReadonlyMap<string, Person>): Contact[] {
  return ROLES.flatMap((role) => {
    const person = people[role];
    return person ? (assemble(role, person, objects.get(person.ref.toLowerCase())) ?? []) : [];
  });
}

function assemble(role: Role, person: Person, object: Person | undefined): Contact | null {
  const own = person.ref !== '' && !object && !HANDLE.test(person.ref) ? person.ref : '';
  const free = fromLines(person.lines);
  const printed = firstShown(nameOf(person), object ? nameOf(object) : NOT_STATED, shown(own), free.name);
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

const nameOf = ({ name, firstName: first, lastName: last }: Person): Shown =>
  firstShown(shown(name), first || last ? shown(`${first} ${last}`) : NOT_STATED);

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

const NO_LINES = { name: NOT_STATED, email: NOT_STATED, phone: NOT_STATED, withheld: false };
/** An address block without labels: the first line is a name; an e-mail address or phone number is alone on its line. */
function fromLines(lines: readonly string[]): typeof NO_LINES {
  if (lines.length === 0) return NO_LINES;
  const said = lines.slice(0, MAX_LINES).map((line) => ({ line, ...shown(line) }));
  const alone = said.find((s) => s.value !== null && /^\S+@\S+\.\S+$/.test(s.value));
  const phone = said.find((s) => s.value !== null && /^\+[\d .()-]{6,}(?:\(phone\))?$/i.test(s.value));
  const name = said[0];
  return {
    name: name && name !== alone && name !== phone ? { value: name.value, withheld: name.withheld } : NOT_STATED,
    email: alone ? shownEmail(alone.line) : NOT_STATED,
    phone: phone ? shownPhone(phone.line.replace(/\s*\(phone\)$/i, '')) : NOT_STATED,
    withheld: said.some((s) => s.withheld),
  };
}
