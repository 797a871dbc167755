import { readFileSync } from 'node:fs';
import type { Role } from '../facts.ts';

/**
 * The labels of WHOIS answers and the field that each means. labels.tsv has one a line, with its place, its top-level domains and its evidence.
 * Keys are normalised (see `keyOf`): lower case, single spaces, no brackets, no dots, no number at the end. A label under a top-level domain
 * that its line does not name is as unknown as one that is not in the file.
 */
export type Field =
  | 'domain'
  | 'registrar'
  | 'registrarName'
  | 'registrarHandle'
  | 'provider'
  | 'ianaId'
  | 'abuseEmail'
  | 'abusePhone'
  | 'created'
  | 'expires'
  | 'registrarExpires'
  | 'updated'
  | 'status'
  | 'state'
  | 'ns'
  | 'dnssec'
  | 'dsRecord'
  | 'keyset'
  | 'whoisServer'
  | 'handle'
  | 'name'
  | 'firstName'
  | 'lastName'
  | 'organization'
  | 'email'
  | 'phone'
  | 'anonymous'
  /** Names the role of the contact whose lines follow. */
  | 'role'
  /** Known, and none of the fields of an answer. */
  | 'other'
  | `${Role}.${'name' | 'firstName' | 'lastName' | 'organization' | 'email' | 'phone'}`
  | `${Role}.ref`;
/** The section of a line. `object`: a person or role with a handle; `other`: ignored. */
export type Section = 'domain' | 'registrar' | 'abuse' | 'ns' | 'keys' | 'object' | 'other' | Role;

/** The labels that hold for one top-level domain. */
export interface Labels {
  /** Labels that mean the same in every section. */
  readonly anywhere: ReadonlyMap<string, Field>;
  /** Labels whose meaning depends on the section. */
  readonly inSection: Readonly<Record<Section, ReadonlyMap<string, Field>>>;
  /** Headings that open a section: a label without a value, or the words alone. */
  readonly headings: ReadonlyMap<string, Section>;
  /** JPRS labels in brackets, English and Japanese. */
  readonly bracketed: ReadonlyMap<string, Field>;
}

interface Line {
  readonly label: string;
  readonly place: string;
  readonly meaning: string;
  readonly tlds: readonly string[];
}
const LINES: readonly Line[] = readFileSync(new URL('./labels.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t'))
  .map(([label = '', place = '', meaning = '', tlds = '']) => ({ label, place, meaning, tlds: tlds.split(',') }));
const NAMED: ReadonlySet<string> = new Set(LINES.flatMap((line) => line.tlds));

const NOTHING: ReadonlyMap<string, Field> = new Map();
function select(tld: string): Labels {
  const held = LINES.filter((line) => line.tlds.includes('*') || line.tlds.includes(tld));
  const at = <T>(place: string): ReadonlyMap<string, T> =>
    new Map(held.filter((line) => line.place === place).map((line) => [line.label, line.meaning as T]));
  const person = at<Field>('person');
  const roles = { registrant: person, administrative: person, technical: person, billing: person };
  const others = { abuse: NOTHING, keys: NOTHING, other: NOTHING };
  return {
    anywhere: at('any'),
    inSection: { ...roles, ...others, object: person, domain: at('domain'), registrar: at('registrar'), ns: at('ns') },
    headings: at('heading'),
    bracketed: at('bracket'),
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

/** Labels that show that a paragraph describes a person or a set of hosts, not the domain. */
export const PERSONAL: ReadonlySet<string> = new Set([
  ...LINES.filter((line) => line.place === 'person').map((line) => line.label),
  ...'address|street|street address|city|country|postal code|postal-code|fax|fax-no|fax number|type|mnt-by|nsset|nserver|source-id'.split(
    '|',
  ),
]);

/** First labels of paragraphs that are objects with a handle. */
export const OBJECT_LABELS: ReadonlySet<string> = new Set([
  'nic-hdl',
  'nic-hdl-br',
  'contact',
  'contact-id',
  'person',
  'personname',
  'role',
  'organisation',
  'person-loc',
]);
/** Labels of database objects with their values in a record: a text that has one does not say "not registered". */
export const DATABASE_LABELS: ReadonlyMap<string, RegExp> = new Map([
  ['object', /^\d+$/],
  ['type', /^(?:person|role|nameserver|organi[sz]ation)$/i],
  ['mntner', /./],
  ['mntnr', /./],
  ['mnt-by', /./],
]);
/** First labels of paragraphs that open a section although they have a value. */
export const PARAGRAPH_SECTIONS: ReadonlyMap<string, Section> = new Map<string, Section>([
  ['registrar', 'registrar'],
  ['nsset', 'ns'],
  ['ns-list', 'ns'],
  ['keyset', 'other'],
  ['registrant', 'registrant'],
  ['domain registrant', 'registrant'],
  ['holder', 'registrant'],
  ['owner', 'registrant'],
  ['administrative contact', 'administrative'],
  ['technical contact', 'technical'],
  ['billing contact', 'billing'],
  ['key1-tag', 'other'],
  ['nserver', 'ns'],
]);
