import { isObject, type JsonObject } from '../../../contract/json-object.ts';
import { isShown } from '../../unread-fields.ts';
import { listOf, objectOf, objectsOf, valueAt, wordsIn } from '../../untyped-json.ts';
import { firstShown, type Shown, shown, shownEmail, shownPhone, stated } from '../facts.ts';
import { isUnread } from '../whois/unread-values.ts';

const KEYS = { name: ['fn'], organization: ['org'], email: ['email', 'contact-uri'], phone: ['tel'] } as const;
export type CardPart = keyof typeof KEYS;
export const CARD_PARTS = Object.keys(KEYS) as readonly CardPart[];

/** The values of a jCard (RFC 7095) or JSContact card (RFC 9553). Each is read separately, so that a malformed one does not lose the others. */
export interface Card extends Readonly<Record<CardPart, Shown>> {
  /** The card has an empty name property, which marks a redacted person. */
  readonly emptyName: boolean;
  readonly unread: readonly CardPart[];
}

export function readCard(entity: JsonObject): Card {
  const rows = contactRows(entity);
  const texts = (part: CardPart): readonly string[] =>
    rows.filter((row) => (KEYS[part] as readonly string[]).includes(row.key)).map((row) => propertyText(row.value));
  const names = [...texts('name'), ...rows.filter(({ key }) => key === 'n').map(({ value }) => structuredName(value))].map(shown);
  const wrong = new Set(rows.filter((row) => isOtherType(row.value)).map((row) => row.key));
  const isUnreadable = rows.some(({ key }) => key === ODD) || (rows.length === 0 && hasUnknownCard(entity));
  const email = firstShown(...texts('email').map((text) => shownEmail(text.replace(/^mailto:/i, ''))));
  const phone = phoneOf(rows);
  const isOdd = (part: CardPart): boolean =>
    (part === 'email' && email.value === null && texts(part).some((text) => isUnread(text, shownEmail))) ||
    (part === 'phone' && phone.value === null && voicesIn(rows).some((text) => isUnread(text, shownPhone)));
  const unread = CARD_PARTS.filter((part) => isUnreadable || isOdd(part) || KEYS[part].some((key) => wrong.has(key)));
  return {
    name: firstShown(...names),
    organization: firstShown(...texts('organization').map(shown)),
    email,
    phone,
    emptyName: names.length > 0 && names.every((n) => n.value === null) && !unread.includes('name'),
    unread,
  };
}

export const contactRows = ({ vcardArray, jscard }: JsonObject): readonly Row[] =>
  Array.isArray(vcardArray) ? rowsOfJCard(vcardArray) : rowsOfJsContact(objectOf(jscard) ?? {});
export const hasCard = ({ vcardArray, jscard }: JsonObject): boolean =>
  isObject(jscard) || (Array.isArray(vcardArray) && vcardArray.length > 0);

const CARD = /^(?:v_?cards?|v_?card_?array|j_?cards?|js_?cards?|js_?contact\w*)$/i;
/** A card without properties that are known: in another form than its standard's, or in a member that no standard names. */
const hasUnknownCard = (entity: JsonObject): boolean =>
  Object.entries(entity).some(([key, value]) => {
    if (!CARD.test(key) || value === null || (key === 'jscard' && isObject(value))) return false;
    if (Array.isArray(value)) return value.some((part) => part !== 'vcard');
    return typeof value === 'string' ? value.trim() !== '' : typeof value === 'object';
  });
const isOtherType = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((part) => isObject(part)) : value !== null && value !== undefined && typeof value !== 'string';

interface Row {
  readonly key: string;
  readonly params: unknown;
  readonly value: unknown;
}
const isRow = (part: unknown): boolean => Array.isArray(part) && wordsIn(part[0]) !== null && typeof part[1] === 'object';
/** A row that cannot be read. */
const ODD = '';
function rowsOfJCard(outer: readonly unknown[]): readonly Row[] {
  const second = outer.find((part) => Array.isArray(part) && (Array.isArray(part[0]) || part.some(isRow)));
  const rows = Array.isArray(second) ? second : outer.filter((part) => Array.isArray(part));
  return rows.flatMap((row: unknown) => {
    const [key, params, third] = [valueAt(row, 0), valueAt(row, 1), valueAt(row, 2)];
    if (typeof key !== 'string' || key.toLowerCase() === 'vcard' || !Array.isArray(row))
      return isShown(row) ? { key: ODD, params: null, value: null } : [];
    // the type is left out: the third element may be the value
    const isShort = row.length === 3 && !(typeof third === 'string' && VALUE_TYPE.test(third));
    return { key: key.toLowerCase(), params, value: isShort ? { third } : valueAt(row, 3) };
  });
}
const VALUE_TYPE = /^(?:text|uri|language-tag|date.*|time|timestamp|boolean|integer|float|unknown)?$/i;
/** The properties of a JSContact card in RDAP's member `jscard`: its maps have entries with any ids. */
function rowsOfJsContact(card: JsonObject): readonly Row[] {
  const row = (key: string, params: unknown, part: JsonObject, ...values: readonly unknown[]): Row => ({
    key,
    params,
    value: values.find(wordsIn) ?? values.find(isOtherType) ?? (hasWords(part) ? part : ''),
  });
  const entries = (map: unknown): readonly JsonObject[] =>
    Object.values(objectOf(map) ?? listOf(map))
      .filter(isShown)
      .map((entry) => objectOf(entry) ?? { entry });
  const components = objectsOf(valueAt(card, 'name', 'components')).filter((part) => part.kind !== 'separator');
  const full = valueAt(card, 'name', 'full') ?? valueAt(card, 'fullName', 'value') ?? card.fullName;
  const name = typeof full === 'string' ? full : components.flatMap((part) => wordsIn(part.value) ?? []).join(' ');
  return [
    ...(card.name === undefined && card.fullName === undefined ? [] : [row('fn', null, objectOf(card.name) ?? card, name, full)]),
    ...entries(card.organizations).map((org) => row('org', null, org, org.name, valueAt(org, 'name', 'value'))),
    ...entries(card.emails).map((email) => row('email', null, email, email.address, email.email)),
    ...entries(card.phones).map(({ features, number, phone, ...more }) =>
      row('tel', { type: Array.isArray(features) ? features : Object.keys(objectOf(features) ?? {}) }, more, number, phone),
    ),
  ];
}
/** Whether a part of a card has words in a member that is not known. */
const hasWords = (part: JsonObject): boolean =>
  Object.entries(part).some(([member, value]) => !['@type', 'version', 'kind', 'uid', 'label'].includes(member) && wordsIn(value) !== null);

const propertyText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string' && part !== '').join(', ') : '';
};

/** A structured name (RFC 7095, 3.3.1.3): family, given and additional names; its parts may be lists. */
function structuredName(value: unknown): string {
  const [family, given, additional] = (Array.isArray(value) ? value : []).map((part: unknown) =>
    [part]
      .flat()
      .filter((text) => typeof text === 'string')
      .join(' '),
  );
  return [given, additional, family].filter((part) => part !== undefined && stated(part) !== null).join(' ');
}

/** The first voice number; none if a country code is alone, because then one number was split over several properties. */
function phoneOf(rows: readonly Row[]): Shown {
  const voice = voicesIn(rows);
  if (voice.some((number) => /^(?:tel:)?\+\d{1,3}$/i.test(number.trim()))) return firstShown();
  return firstShown(...voice.map(shownPhone));
}
const voicesIn = (rows: readonly Row[]): readonly string[] =>
  rows.filter((row) => row.key === 'tel' && !typesOf(row.params).includes('fax')).map((row) => propertyText(row.value));
function typesOf(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) return [];
  const type = Object.entries(params).find(([key]) => key.toLowerCase() === 'type')?.[1];
  return (Array.isArray(type) ? type : [type]).map((t) => String(t).toLowerCase());
}
