import { readTable } from '../../../runtime/table.ts';
import { isRole, type Role } from '../facts.ts';
import type { Part } from './people.ts';

/** `state` counts where there is no `status`. `role` names the role of the contact whose lines follow. */
export type Field = 'domain' | OfDomain | OfRegistrar | OfContact;
export type DateField = 'created' | 'expires' | 'registrarExpires' | 'updated';
type OfDomain = DateField | 'status' | 'state' | 'ns' | 'dnssec' | 'dsRecord' | 'keyset' | 'whoisServer' | 'other';
/** `provider`: a reseller, and the registrar at registries that use no other label for it. */
export type OfRegistrar = 'registrar' | 'registrarName' | 'registrarHandle' | 'provider' | 'ianaId' | 'abuseEmail' | 'abusePhone';
type OfContact = 'handle' | 'anonymous' | 'role' | Exclude<Part, 'ref'> | `${Role}.${Part}`;
/** The section of a line. `object`: a person or role with a handle; `other`: ignored. */
export type Section = 'domain' | 'registrar' | 'abuse' | 'ns' | 'keys' | 'object' | 'other' | Role;

/**
 * The labels of WHOIS answers (see `keyOf`) and what each means: labels.tsv has one a line, with its place, its top-level domains and its
 * evidence. Under a top-level domain that its line does not name, a label is unknown.
 */
const ROWS = readTable(new URL('./labels.tsv', import.meta.url)).map(([label = '', place = '', meaning = '', tlds = '']) => {
  return { label, place, meaning, tlds: tlds.split(',') };
});
const NAMED: ReadonlySet<string> = new Set(ROWS.flatMap((row) => row.tlds));
type Meanings = ReadonlyMap<string, string>;
const byPlace = (rows: typeof ROWS): ReadonlyMap<string, Meanings> =>
  new Map([...Map.groupBy(rows, (row) => row.place)].map(([place, all]) => [place, new Map(all.map((row) => [row.label, row.meaning]))]));

export type Labels = ReturnType<typeof select>;
function select(tld: string) {
  const held = byPlace(ROWS.filter((row) => row.tlds.includes('*') || row.tlds.includes(tld)));
  const [ofPerson, headings] = [held.get('person'), held.get('heading')];
  return {
    /** What a label means in every section (`any`), in brackets (JPRS, English and Japanese), or in one section alone. */
    field: (place: 'any' | 'bracket' | Section, key: string) =>
      (place === 'object' || isRole(place) ? ofPerson : held.get(place))?.get(key) as Field | undefined,
    heading: (key: string) => headings?.get(key) as Section | undefined,
  };
}
/** By top-level domain; those that no line names share an entry. */
const selected = new Map<string, Labels>();
export function labelsOf(domain: string): Labels {
  const tld = domain.slice(domain.lastIndexOf('.') + 1);
  const key = NAMED.has(tld) ? tld : '*';
  const labels = selected.get(key) ?? select(key);
  selected.set(key, labels);
  return labels;
}

const GENERAL = byPlace(ROWS);
const [OF_PERSON, PERSONAL, PARAGRAPH, DATABASE] = ['person', 'personal', 'paragraph', 'database'].map((place) => GENERAL.get(place));
/** Whether a label shows that its paragraph describes a person or a set of hosts, not the domain. */
export const isPersonal = (key: string): boolean => OF_PERSON?.has(key) || PERSONAL?.has(key) || false;
/** The section that the first label of a paragraph opens although it has a value; `object`: one with a handle. */
export const paragraphSection = (key: string): Section | undefined => PARAGRAPH?.get(key) as Section | undefined;
/** Whether a label and its value are those of a database object in a record. */
export const isOfDatabase = (key: string, value: string): boolean => {
  const pattern = DATABASE?.get(key);
  return pattern !== undefined && new RegExp(pattern, 'i').test(value);
};
