import { readTable } from '../../../runtime/table.ts';
import { isRole, ROLES, type Role } from '../facts.ts';
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

/** The labels of WHOIS answers, in the form of `keyOf`. Under a top-level domain that its line does not name, a label is unknown. */
const ROWS = readTable(new URL('./labels.tsv', import.meta.url)).map(([label = '', place = '', meaning = '', tlds = '']) => {
  return { label, place, meaning, tlds: tlds.split(',') };
});
const NAMED: ReadonlySet<string> = new Set(ROWS.flatMap((row) => row.tlds));
const BY_LABEL = Map.groupBy(ROWS, (row) => row.label);
const PLACES = ['any', 'bracket', 'domain', 'registrar', 'abuse', 'ns', 'keys', 'object', 'other', ...ROLES] as const;

export type Label = ReturnType<typeof labelOf>;
function labelOf(all: typeof ROWS, tld: string) {
  // what one registry means by a label goes before what most mean by it
  const rows = [...all.filter((row) => tld !== '*' && row.tlds.includes(tld)), ...all.filter((row) => row.tlds.includes('*'))];
  const meaningIn = (place: string, of = rows) => of.find((row) => row.place === place)?.meaning;
  const pattern = meaningIn('database', all);
  const fields = PLACES.map((place) => [place, meaningIn(place === 'object' || isRole(place) ? 'person' : place)]);
  return {
    /** Its meaning in every section (`any`), in brackets (JPRS, English and Japanese), or in one section alone. */
    fields: Object.fromEntries(fields) as Readonly<Record<(typeof PLACES)[number], Field | undefined>>,
    ofDomain: (meaningIn('any') ?? meaningIn('domain')) as Field | undefined,
    heading: meaningIn('heading') as Section | undefined,
    /** Its paragraph describes a person or a set of hosts, not the domain. */
    isPersonal: all.some((row) => row.place === 'person' || row.place === 'personal'),
    /** The section that it opens as the first label of a paragraph although it has a value; `object`: one with a handle. */
    paragraph: meaningIn('paragraph', all) as Section | undefined,
    /** Matches its value where both are those of a database object in a record. */
    database: pattern === undefined ? undefined : new RegExp(pattern, 'i'),
  };
}
const UNKNOWN = labelOf([], '*');
const GENERAL = new Map([...BY_LABEL].map(([key, rows]) => [key, labelOf(rows, '*')]));

export type Labels = (key: string) => Label;
function select(tld: string): Labels {
  const own = [...BY_LABEL].filter(([, rows]) => rows.some((row) => row.tlds.includes(tld)));
  const labels = new Map([...GENERAL, ...own.map(([key, rows]) => [key, labelOf(rows, tld)] as const)]);
  return (key) => labels.get(key) ?? UNKNOWN;
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

/** Whether two labels without numbers begin with the same word of several ("admin organization", "admin street"). */
export const sharesWord = (key: string, above: string): boolean =>
  /^\p{L}+ [^\d]+$/u.test(key) && above.startsWith(key.slice(0, key.indexOf(' ') + 1));
