import { EMAIL, PHONE } from './invent.ts';
import { type Node, written } from './tree.ts';

/** Keys of JSON and labels of lines whose values are of a person. */
const PERSONAL_PLACE =
  /(?:^|[\W_])(?:full|first|last|given|family|display|user|screen|nick|real|contact|person|holder)?[\W_]?(?:name|person|author|owner|holder|handle|username|nickname|unique[\W_]?id|e-?mails?|phone|tel|telephone|mobile|fax|fax-no|street|address|adr|city|postal.?code|zip|postcode|signature|biography|bio)\d*$/i;
/** Places that sound alike, and whose values are of no person. */
const NOT_PERSONAL =
  /domain|server|registrar|host|file|type|product|operating|event|time|class|country|flag|badge|status|dnssec|provider|whois/i;
/** Labels of the persons of a domain: all their values are personal, except what the labels exclude. */
const PERSONAL_BLOCK = /^(?:registrant|admin|administrative|tech|technical|billing|owner|holder)\b/i;
const WITHHELD = /redacted|privacy|protected|not disclosed|withheld|masked|proxy|^n\/?a$|^-+$|^none$|^null$|^unknown$/i;
/** vCard properties in jCard (RFC 7095). */
const VCARD = new Set(['fn', 'n', 'adr', 'tel', 'email', 'org', 'nickname', 'url', 'note']);
/** A name of a platform's user, as people write it and in addresses. */
const HANDLE = /(?:^|[\s>"'(/]|%2F)(?:@|%40)(\w[\w.]{1,40}\w)/gi;
/** Words that follow @ in JSON-LD and in style sheets. */
const SYNTAX = new Set('context type id graph value media import charset supports keyframes page layer container property'.split(' '));
const MIN_LENGTH = 3;

const isPersonal = (place: string): boolean =>
  (PERSONAL_PLACE.test(place) || PERSONAL_BLOCK.test(place)) && !NOT_PERSONAL.test(place.replace(PERSONAL_BLOCK, ''));

interface Findings {
  add(text: string): void;
}
function collect(node: Node, place: string, inside: boolean, found: Findings): void {
  if (node.kind === 'text') {
    if (inside) found.add(node.text);
    return;
  }
  const label = node.head.find((part) => typeof part === 'string') ?? '';
  // a member of an object, or a line with its label
  const name = node.divisible
    ? place
    : String(label)
        .replace(/["[\]]|[:.\s]+$/g, '')
        .trim();
  const [first] = node.parts;
  const property = node.divisible && first?.kind === 'text' ? first.text : '';
  const isCard = label === '[' && VCARD.has(property) && node.parts.length >= 4;
  const parts = isCard ? node.parts.slice(3) : node.parts;
  // objects below a personal key have keys of their own: an author with his followers
  const opens = label === '{' ? false : inside;
  for (const part of parts) collect(part, name, opens || isCard || (!node.divisible && isPersonal(name)), found);
}

/** Values of a resource at the fields that name persons or lead to them. */
const PERSONAL_FIELD =
  /^(?:name|displayName|handle|author|email|phone|organization|street|address|city|merchantName|storeName|reviewer|username|developer)$/;
function collectFields(value: unknown, isOfPerson: boolean, found: Findings): void {
  if (typeof value === 'string' && isOfPerson) found.add(value);
  else if (Array.isArray(value)) for (const item of value) collectFields(item, isOfPerson, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value)) collectFields(member, PERSONAL_FIELD.test(key), found);
}

/**
 * What is personal in an answer: values at the places that name persons, in the document or in the resource that was read from it, and all that has
 * the form of an e-mail address or of an international telephone number. The longest first.
 */
export function personalIn(tree: Node, resource: unknown): readonly string[] {
  const values = new Set<string>();
  const found: Findings = {
    add(text) {
      const value = text.trim();
      if (value.length >= MIN_LENGTH && /\p{L}{2}|\d{3}/u.test(value) && !WITHHELD.test(value) && !URL.canParse(value)) values.add(value);
    },
  };
  collect(tree, '', false, found);
  const contacts = (resource as { readonly contacts?: unknown } | null)?.contacts;
  collectFields(contacts ?? withoutSources(resource), false, found);
  const text = written(tree);
  for (const pattern of [EMAIL, PHONE]) for (const [value] of text.matchAll(pattern)) found.add(value);
  for (const [, handle = ''] of text.matchAll(HANDLE)) if (!SYNTAX.has(handle.toLowerCase())) found.add(handle);
  return [...values].sort((a, b) => b.length - a.length);
}
/** The names of registrars and of name servers are of no person. */
function withoutSources(resource: unknown): unknown {
  if (typeof resource !== 'object' || resource === null) return null;
  const { registrar: _registrar, nameServers: _servers, ...rest } = resource as Record<string, unknown>;
  return rest;
}

const ESCAPES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;'),
  (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;'),
  encodeURIComponent,
];
/** Not within a word; an escape before it is no part of the word. */
const BEGIN = '(?<=^|[^\\p{L}\\d]|%[0-9a-f]{2}|\\\\[nrtbf]|\\\\u[0-9a-f]{4})';
const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The text with every one of these values, in each form in which it may be written and in either case of letters, replaced. */
export function withoutPersonal(text: string, personal: readonly string[], invent: (text: string) => string): string {
  if (personal.length === 0) return text;
  const forms = new Map<string, string>();
  for (const value of personal)
    for (const escaped of ESCAPES) {
      const written = escaped(value).toLowerCase();
      // a value that needs no escape is written as it is
      if (!forms.has(written)) forms.set(written, escaped(invent(value)));
    }
  const all = [...forms.keys()].sort((a, b) => b.length - a.length).map(literal);
  return text.replace(new RegExp(`${BEGIN}(?:${all.join('|')})(?![\\p{L}\\d])`, 'giu'), (match) => {
    return forms.get(match.toLowerCase()) ?? invent(match);
  });
}

/** Those of the values that a text still holds. */
export const personalLeft = (text: string, personal: readonly string[]): readonly string[] =>
  personal.filter((value) => withoutPersonal(text, [value], () => '\u0000') !== text);
