import { at, isObject, type JsonObject, objectOf, objectsOf, wordsIn } from '../../untyped-json.ts';
import { firstShown, NOT_STATED, type Shown, shown, shownEmail, shownPhone } from '../redaction.ts';

const KEYS = { name: ['fn'], organization: ['org'], email: ['email', 'contact-uri'], phone: ['tel'] } as const;
export type CardPart = keyof typeof KEYS;
export const CARD_PARTS = Object.keys(KEYS) as readonly CardPart[];

/** The values of a jCard (RFC 7095) or JSContact card (RFC 9553). Each is read separately, so that a malformed one does not lose the others. */
export interface Card extends Readonly<Record<CardPart, Shown>> {
  /** The card has an empty name property, which marks a redacted person. */
  readonly emptyName: boolean;
  readonly unread: readonly CardPart[];
}

/** The card of an entity: jCard, or JSContact if a server sends that instead. */
export function readCard({ vcardArray, jscard }: JsonObject): Card {
  const rows = Array.isArray(vcardArray) ? rowsOfJCard(vcardArray) : rowsOfJsContact(objectOf(jscard) ?? {});
  const texts = (part: CardPart): readonly string[] =>
    rows.filter((row) => (KEYS[part] as readonly string[]).includes(row.key)).map((row) => textOf(row.value));
  const names = texts('name').map(shown);
  const wrong = new Set(rows.filter((row) => isOtherType(row.value)).map((row) => row.key));
  const isUnreadable = Array.isArray(vcardArray)
    ? rows.length === 0 && vcardArray.some((part) => part !== 'vcard')
    : objectOf(vcardArray) !== null;
  const unread = CARD_PARTS.filter((part) => isUnreadable || KEYS[part].some((key) => wrong.has(key)));
  return {
    name: firstShown(...names),
    organization: firstShown(...texts('organization').map(shown)),
    email: firstShown(...texts('email').map((text) => shownEmail(text.replace(/^mailto:/i, '')))),
    phone: phoneOf(rows),
    emptyName: names.length > 0 && names.every((n) => n.value === null) && !unread.includes('name'),
    unread,
  };
}

const isOtherType = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((part) => isObject(part)) : value !== null && value !== undefined && typeof value !== 'string';

interface Row {
  readonly key: string;
  readonly params: unknown;
  readonly value: unknown;
}
/** The properties of a jCard, also if its second level is missing. */
function rowsOfJCard(outer: readonly unknown[]): readonly Row[] {
  const second = outer.find((part) => Array.isArray(part) && Array.isArray(part[0]));
  const rows = Array.isArray(second) ? second : outer.filter((part) => Array.isArray(part));
  return rows.flatMap((row: unknown) => {
    const key = at(row, 0);
    return typeof key === 'string' ? { key: key.toLowerCase(), params: at(row, 1), value: at(row, 3) } : [];
  });
}
/** The properties of a JSContact card in RDAP's member `jscard`: its maps have entries with any ids. */
function rowsOfJsContact(card: JsonObject): readonly Row[] {
  const row = (key: string, params: unknown, ...values: readonly unknown[]): Row => ({ key, params, value: values.find(wordsIn) ?? '' });
  const entries = (map: unknown): readonly JsonObject[] => objectsOf(Object.values(objectOf(map) ?? {}));
  const components = objectsOf(at(card, 'name', 'components')).filter((part) => part.kind !== 'separator');
  const full = at(card, 'name', 'full') ?? at(card, 'fullName', 'value') ?? card.fullName;
  const name = typeof full === 'string' ? full : components.flatMap((part) => wordsIn(part.value) ?? []).join(' ');
  return [
    ...(card.name === undefined && card.fullName === undefined ? [] : [row('fn', null, name)]),
    ...entries(card.organizations).map((org) => row('org', null, org.name, at(org, 'name', 'value'))),
    ...entries(card.emails).map((email) => row('email', null, email.address, email.email)),
    ...entries(card.phones).map(({ features, number, phone }) =>
      row('tel', { type: Array.isArray(features) ? features : Object.keys(objectOf(features) ?? {}) }, number, phone),
    ),
  ];
}

/** A value is text or a list of parts (an organisation with its units). */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string' && part !== '').join(', ') : '';
};

/** The first voice number; none if a country code is alone, because then one number was split over several properties. */
function phoneOf(rows: readonly Row[]): Shown {
  const voice = rows.filter((row) => row.key === 'tel' && !typesOf(row.params).includes('fax')).map((row) => textOf(row.value));
  if (voice.some((number) => /^(?:tel:)?\+\d{1,3}$/i.test(number.trim()))) return NOT_STATED;
  return firstShown(...voice.map(shownPhone));
}
function typesOf(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) return [];
  const type = Object.entries(params).find(([key]) => key.toLowerCase() === 'type')?.[1];
  return (Array.isArray(type) ? type : [type]).map((t) => String(t).toLowerCase());
}
