import type { Contact } from '../../../contract/operations/registration.ts';
import { contactOf, ROLES, type Role } from '../facts.ts';
import { type Shown, shown, shownEmail, shownPhone } from '../redaction.ts';

/** The values of a contact while its lines are read. */
export interface Person {
  name: string;
  firstName: string;
  lastName: string;
  organization: string;
  email: string;
  phone: string;
  /** A handle, or a name at registries that print it in the same position. */
  ref: string;
  anonymous: boolean;
  /** Lines without a label, as printed. */
  readonly lines: string[];
}
export const newPerson = (): Person => ({
  name: '',
  firstName: '',
  lastName: '',
  organization: '',
  email: '',
  phone: '',
  ref: '',
  anonymous: false,
  lines: [],
});

export type People = Record<Role, Person | null>;

const HANDLE = /^(?=\S*[\d:_-])[A-Za-z0-9:_.-]+$/;
const MAX_LINES = 12;

/** The contacts of a record: values printed with the role, then those of the object that its handle names. */
export function contactsOf(people: People, objects: ReadonlyMap<string, Person>): readonly Contact[] {
  return ROLES.flatMap((role) => {
    const person = people[role];
    return person ? (assemble(role, person, objects.get(person.ref.toLowerCase())) ?? []) : [];
  });
}

function assemble(role: Role, person: Person, object: Person | undefined): Contact | null {
  const own = person.ref !== '' && !object && !HANDLE.test(person.ref) ? person.ref : '';
  const free = fromLines(person.lines);
  const printed = first(nameOf(person), object ? nameOf(object) : NONE, shown(own), free.name);
  const stated = first(shown(person.organization), shown(object?.organization ?? ''));
  // if a registrant and a person are both printed, the registrant is the organisation
  const isHolder = own !== '' && stated.value === null && !stated.withheld && printed.value !== null && printed.value !== shown(own).value;
  const name = withoutAddress(printed);
  const organization = withoutAddress(isHolder ? shown(own) : stated);
  const email = first(shownEmail(person.email), shownEmail(object?.email ?? ''), free.email, addressIn(printed));
  const phone = first(shownPhone(person.phone), shownPhone(object?.phone ?? ''), free.phone);
  const redacted =
    [name, organization, email, phone].some((s) => s.withheld) || free.withheld || person.anonymous || (object?.anonymous ?? false);
  return contactOf(role, { name: name.value, organization: organization.value, email: email.value, phone: phone.value, redacted });
}

const nameOf = (person: Person): Shown => first(shown(person.name), shown(`${person.firstName} ${person.lastName}`));

/** A name without the e-mail address or URL that some registries print after it. */
function withoutAddress({ value, withheld }: Shown): Shown {
  if (value === null) return { value, withheld };
  const bare = value
    .replace(ADDRESS, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:|/-]+|[\s,;:|/-]+$/g, '');
  return { value: /[\p{L}\p{N}]/u.test(bare) ? (bare === value.replace(/[\s,;:|/-]+$/, '') ? value : bare) : null, withheld };
}
const ADDRESS =
  /[(<[]*(?:(?:e-?mail|mailto):\s*)?[^\s@<>()[\]]+@[^\s@<>()[\]]+\.[^\s@<>()[\],;]+[)>\]]*|[(<[]*\bhttps?:\/\/[^\s)>\]]+[)>\]]*/gi;
const addressIn = ({ value }: Shown): Shown => (value === null ? NONE : { ...shownEmail(value), withheld: false });

/** The first value that is not a placeholder; `withheld` if there is none and one is marked as redacted. */
function first(...values: readonly Shown[]): Shown {
  const said = values.find((v) => v.value !== null);
  return said ?? { value: null, withheld: values.some((v) => v.withheld) };
}

/** An address block without labels: the first line is a name; an e-mail address or phone number is alone on its line. */
function fromLines(lines: readonly string[]): { name: Shown; email: Shown; phone: Shown; withheld: boolean } {
  const said = lines.slice(0, MAX_LINES).map((line) => ({ line, ...shown(line) }));
  const alone = said.find((s) => s.value !== null && /^\S+@\S+\.\S+$/.test(s.value));
  const phone = said.find((s) => s.value !== null && /^\+[\d .()-]{6,}(?:\(phone\))?$/i.test(s.value));
  const name = said[0];
  return {
    name: name && name !== alone && name !== phone ? { value: name.value, withheld: name.withheld } : NONE,
    email: alone ? shownEmail(alone.line) : NONE,
    phone: phone ? shownPhone(phone.line.replace(/\s*\(phone\)$/i, '')) : NONE,
    withheld: said.some((s) => s.withheld),
  };
}
const NONE: Shown = { value: null, withheld: false };
