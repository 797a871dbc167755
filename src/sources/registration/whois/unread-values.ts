import { UnreadFields } from '../../unread-fields.ts';
import { readDate } from '../dates.ts';
import { type Facts, ROLES } from '../facts.ts';
import { type Shown, shownEmail, shownPhone, stated } from '../redaction.ts';
import { isTaken, readStatuses } from '../status.ts';
import type { Field } from './labels.ts';
import type { People, Person } from './people.ts';

/** The registry of .uk prints this for names older than its database. */
const NO_DATE = /^before\b/i;

/** A sentence or an address that tells where to ask, in place of a value. */
const SAYS_WHERE = /https?:|www\.|\p{L}+\s+\p{L}+\s+\p{L}+/u;

const DATES = ['created', 'expires', 'updated'] as const;
/** Longer texts are sentences or names that contain the word of a state. */
const MAX_STATE_WORDS = 3;
function isState(value: string): boolean {
  const states = value.split(/\s+/).length > MAX_STATE_WORDS ? [] : readStatuses(value);
  return states.length > 0 && states.every(isTaken);
}

/** Values that a WHOIS answer states for a field and that were not understood, by the field's label. */
export class UnreadValues {
  readonly #values = new Map<Field, string>();

  /** Keeps the first value of a field that is no placeholder. */
  note(field: Field, value: string): void {
    if (stated(value) !== null && !NO_DATE.test(value) && !this.#values.has(field)) this.#values.set(field, value);
  }
  /** Notes what a value under an unknown label may be: a person's address and, where it is about the domain, one of its dates or its state. */
  unknown(value: string, ofDomain: boolean): void {
    if (shownEmail(value).value !== null) this.note('email', value);
    else if (ofDomain && readDate(value) !== null) for (const field of DATES) this.note(field, value);
    else if (ofDomain && isState(value)) this.note('status', value);
  }
  /** The value that `read` finds; a value that is neither found nor withheld is noted. */
  shown(field: Field, value: string, read: (value: string) => Shown): string | null {
    const found = read(value);
    if (found.value === null && !found.withheld) this.note(field, value);
    return found.value;
  }
  clear(): void {
    this.#values.clear();
  }

  /** The paths of the fields that are missing in the facts although the answer states them. */
  pathsIn(facts: Facts, people: People, objects: ReadonlyMap<string, Person>): readonly string[] {
    const place = (field: Field): string | undefined => this.#values.get(field);
    const unread = new UnreadFields();
    unread.of('registrar.ianaId', facts.registrar.ianaId, place('ianaId'));
    unread.of('registrar.abuseEmail', facts.registrar.abuseEmail, place('abuseEmail'));
    unread.of('registrar.abusePhone', facts.registrar.abusePhone, place('abusePhone'));
    unread.of('registeredOn', facts.registeredOn, place('created'));
    unread.of('expiresOn', facts.expiresOn, place('expires') ?? place('registrarExpires'));
    unread.of('updatedOn', facts.updatedOn, place('updated'));
    unread.of('status', facts.status, place('status'));
    unread.of('nameServers', facts.nameServers, place('ns'));
    unread.of('dnssec', facts.dnssec, place('dnssec'));
    if (facts.contacts.every((contact) => contact.email === null))
      unread.of(facts.contacts.length > 0 ? 'contacts.email' : 'contacts', null, place('email'));
    const handles = ROLES.map((role) => people[role]?.ref.toLowerCase() ?? '').filter((ref) => ref !== '');
    // a handle that names no object, beside an object that no handle names
    if (handles.some((ref) => !objects.has(ref)) && [...objects.keys()].some((key) => !handles.includes(key))) unread.note('contacts');
    for (const role of ROLES) {
      const person = people[role];
      if (!person) continue;
      const contact = facts.contacts.find((one) => one.role === role);
      const printed = [person, objects.get(person.ref.toLowerCase())];
      unread.of('contacts.email', contact?.email ?? null, () => printed.some((one) => isUnread(one?.email, shownEmail)));
      unread.of('contacts.phone', contact?.phone ?? null, () => printed.some((one) => isUnread(one?.phone, shownPhone)));
    }
    return unread.paths;
  }
}

function isUnread(value: string | undefined, read: (value: string) => Shown): boolean {
  if (value === undefined || stated(value) === null || SAYS_WHERE.test(value)) return false;
  const shown = read(value);
  return shown.value === null && !shown.withheld;
}
