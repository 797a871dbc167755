import { UnreadFields } from '../../unread-fields.ts';
import { valueAt } from '../../untyped-json.ts';
import { readDate } from '../dates.ts';
import { type Facts, ROLES, type Role, type Shown, shown, shownEmail, shownPhone, stated } from '../facts.ts';
import { isTaken, readStatuses } from '../status.ts';
import type { DateField, Field } from './labels.ts';
import { handleOf, handlesIn, type People, type Person } from './people.ts';

/** No value: for names older than the database of .uk, a date that was never set or never comes, and an address that says where to look. */
const NO_VALUE =
  /^(?:before|never|unlimited|indefinite(?:ly)?|permanent(?:ly)?|does not expire|no expir\w+)\b|^0000-00-00\b|https?:\/\/|\bwww\./i;

/** A sentence or an address that tells where to ask, or an address written out in words, in place of a value. */
const SAYS_WHERE = /https?:|www\.|\p{L}+\s+\p{L}+\s+\p{L}+|[[({]\s*at\s*[\])}]/iu;

const DATES = ['created', 'expires', 'updated'] as const;
/** Whether a text is a state. Those of more than three words are sentences or names that contain the word of one. */
function isState(value: string): boolean {
  const states = /\s\S+\s+\S+\s/.test(value) ? [] : readStatuses(value);
  return states.length > 0 && states.every(isTaken);
}

/** A DS or DNSKEY record (RFC 4034, in zone-file form), or its parts by name. */
export const isKeyRecord = (value: string): boolean =>
  /^\(?\s*\d{1,5}\s+\d{1,3}\s+\d{1,3}\s+[\da-z+/=]{16,}/i.test(value) || /^(?:keytag|flags):/i.test(value);

const OF_KEY = /(?:^|[ (_-])(?:ds(?:record|data)?|dnssec|dnskey|[kz]sk|key|digest|(?:trust )?anchor)s?\d*(?:$|[ )_-])/;
/** Whether both label and value are those of a key, whatever registry prints them. */
export const isKeyLine = (key: string, value: string): boolean => OF_KEY.test(key) && isKeyRecord(value);

/** Labels of name servers, their handles included ("NS 1", "ns1_hostname", "Name Server Handle"). */
const OF_SERVER = /(?:^|[ -])(?:(?:name ?|n|dns ?)servers?|ns\d*|dns)(?:$|[ -])/;

/** Labels of the holder's name ("Domain Holder", "Registrant Organisation"). */
const OF_HOLDER = /(?:^|[ -])(?:holder|registrant|owner|titular|titulaire|inhaber)(?:[ -](?:name|organi[sz]ation|company))?$/;
/** Labels of a telephone number, and those of parties that are no contact of the domain. */
const OF_PHONE = /(?:^|[ -])(?:tel|phone|telephone|voice|mobile)(?:$|[ -])/;
const OF_OTHERS =
  /registrar|reseller|provider|abuse|fax|\bext|\b(?:registry|whois|support|help|hotline|complaints?|dispute|security|sales|service)\b/;
/** Words of a contact's role, whatever else is in its label ("Admin Internationalized Name", "Owner/Main Contact"). */
const OF_ROLE: readonly (readonly [RegExp, Role])[] = [
  [/\b(?:holder|registrant|owner)\b/, 'registrant'],
  [/\badmin/, 'administrative'],
  [/\btech/, 'technical'],
  [/\bbilling\b/, 'billing'],
];
const NAMES_PARTY = /[ -](?:name|organi[sz]ation|company|e-?mail)$/;
/** Labels of a date that is none of the domain's three: of the answer, of another event, of a party, or a number that reads like one. */
const OF_OTHER_DATE =
  /\b(?:server|query|request|current|local|system) (?:time|date)\b|\b(?:transfer|suspen|delet|purge|restor|quarantin|auction|lock|verif|trade ?mark|database|zone|report|generat|look-?up|timestamp|response|print|birth|vat|tax|invoice|check|dispute|dnssec|ds\b)|^(?:registrant|owner|holder|admin|tech|billing|contact|registrar|reseller|company)(?!.*(?:expir|renew))|\b(?:id|number|no)$/;
/** What a label says of its date; of one that says nothing, it may be any of the three. */
const OF_DATE: readonly (readonly [RegExp, DateField])[] = [
  [/expir|renew|until|through|\bends?\b|\bdue\b|valid/, 'expires'],
  [/creat|regist(?!rar)|since|activat/, 'created'],
  [/updat|chang|modif/, 'updated'],
];
/** A person whose role is not said, outside of a contact's section. */
const OF_PERSON = /^(?:first|last|given|family)[ -]name$/;
const HEADS_PARTY = /\bcontact(?: (?:details|information))?$/;

/** Where the value of a field is in the facts. */
const PATHS = (
  'ianaId registrar.ianaId, abuseEmail registrar.abuseEmail, abusePhone registrar.abusePhone, created registeredOn, ' +
  'expires expiresOn, registrarExpires expiresOn, updated updatedOn, status status, ns nameServers, dnssec dnssec'
)
  .split(', ')
  .map((pair) => pair.split(' ') as [Field, string]);

/** The labels of which a WHOIS answer states a value that is no placeholder and was not understood. */
export class UnreadValues {
  readonly #fields = new Set<Field>();

  note(field: Field, value: string): void {
    if (stated(value) !== null && !NO_VALUE.test(value)) this.#fields.add(field);
  }
  /**
   * Notes what a value under an unknown label may be: a person's address, a telephone number and, where it is about the domain, its holder or a name
   * server (by their labels, because a name or a host may be anything), a key, one of its dates or its state.
   */
  unknown(key: string, value: string, ofDomain: boolean, ofHolder = ofDomain): void {
    if (OF_PERSON.test(key) && shown(value).value !== null) this.note('registrant.name', value);
    else if (NAMES_PARTY.test(key) && shown(value).value !== null) this.#party(key, value);
    if (ofDomain && OF_SERVER.test(key)) this.note('ns', value);
    else if (ofHolder && OF_HOLDER.test(key)) this.note('registrant.name', value);
    else if (OF_PHONE.test(key) && !OF_OTHERS.test(key) && shownPhone(value).value !== null) this.note('phone', value);
    else if (value.includes('@') && !OF_OTHERS.test(key) && shownEmail(value).value !== null) this.note('email', value);
    else if (ofDomain && isKeyRecord(value)) this.note('dnssec', value);
    else if (ofDomain && /\d/.test(value) && !OF_OTHER_DATE.test(key) && readDate(value) !== null) this.#date(key, value);
    else if (ofDomain && isState(value)) this.note('status', value);
  }
  #date(key: string, value: string): void {
    const said = OF_DATE.find(([word]) => word.test(key))?.[1];
    for (const field of said === undefined ? DATES : [said]) this.note(field, value);
  }
  /** A heading of a contact that the table does not have, or one without a role: the lines below it are unread. */
  heading(key: string): void {
    if (key === 'contact') this.note('registrant.name', key);
    else if (HEADS_PARTY.test(key)) this.#party(key, key);
  }
  #party(key: string, value: string): void {
    const role = OF_OTHERS.test(key) ? undefined : OF_ROLE.find(([word]) => word.test(key))?.[1];
    if (role) this.note(`${role}.name`, value);
  }
  of<T>(field: Field, value: string, read: T | null): T | null {
    if (read === null) this.note(field, value);
    return read;
  }
  /** The value that `read` finds; a value that is neither found nor withheld is noted. */
  shown(field: Field, value: string, read: (value: string) => Shown): string | null {
    const found = read(value);
    return found.withheld ? found.value : this.of(field, value, found.value);
  }
  clear(): void {
    this.#fields.clear();
  }

  /** The paths of the fields that are missing in the facts although the answer states them. */
  pathsIn(facts: Facts, people: People, objects: ReadonlyMap<string, Person>): readonly string[] {
    const unread = new UnreadFields();
    for (const [field, path] of PATHS) if (this.#fields.has(field)) unread.of(path, valueAt(facts, ...path.split('.')), true);
    if (facts.contacts.length === 0 || facts.contacts.some((contact) => contact.email === null))
      unread.of(facts.contacts.length > 0 ? 'contacts.email' : 'contacts', null, this.#fields.has('email'));
    if (facts.contacts.every((contact) => contact.phone === null))
      unread.of(facts.contacts.length > 0 ? 'contacts.phone' : 'contacts', null, this.#fields.has('phone'));
    for (const role of ROLES) {
      const isNamed = facts.contacts.some((one) => one.role === role && (one.redacted || one.name !== null || one.organization !== null));
      if (!isNamed) unread.of('contacts', null, this.#fields.has(`${role}.name`));
    }
    if (objects.size > 0) {
      const handles = handlesIn(people);
      // a handle that names no object, beside an object that no handle names
      if (handles.some((ref) => !objects.has(ref)) && [...objects.keys()].some((key) => !handles.includes(key))) unread.note('contacts');
    }
    for (const role of ROLES) {
      if (people[role]?.some((person) => person.isListed && !objects.has(handleOf(person)))) unread.note('contacts');
      const printed = people[role]?.flatMap((person) => [person, objects.get(handleOf(person))]);
      if (!printed) continue;
      const contacts = facts.contacts.filter((one) => one.role === role);
      const lacks = (part: 'email' | 'phone') => (contacts.length > 0 && contacts.every((one) => one[part] !== null) ? '' : null);
      unread.of('contacts.email', lacks('email'), () => printed.some((one) => isUnread(one?.email, shownEmail)));
      unread.of('contacts.phone', lacks('phone'), () => printed.some((one) => isUnread(one?.phone, shownPhone)));
    }
    return unread.paths;
  }
}

/** Whether a printed value states something that was not understood. */
export function isUnread(value: string | undefined, read: (value: string) => Shown): boolean {
  if (value === undefined || stated(value) === null || SAYS_WHERE.test(value)) return false;
  const shown = read(value);
  return shown.value === null && !shown.withheld;
}
