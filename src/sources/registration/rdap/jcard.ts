import { at, isObject, listOf } from '../../untyped-json.ts';
import { type Shown, shown, shownEmail, shownPhone } from '../redaction.ts';

/** The values of a jCard (RFC 7095). Each is read separately, so that a malformed one does not lose the others. */
export interface Card {
  readonly name: Shown;
  readonly organization: Shown;
  readonly email: Shown;
  readonly phone: Shown;
  /** The card has an empty name property, which marks a redacted person. */
  readonly emptyName: boolean;
  /** Parts that the card states and that were not understood. */
  readonly unread: readonly CardPart[];
}
export type CardPart = 'name' | 'organization' | 'email' | 'phone';
export const CARD_PARTS: readonly CardPart[] = ['name', 'organization', 'email', 'phone'];

const NONE: Shown = { value: null, withheld: false };

export function readCard(vcardArray: unknown): Card {
  const rows = propertiesOf(vcardArray);
  const names = rows.filter((row) => row.key === 'fn').map((row) => shown(textOf(row.value)));
  const wrong = new Set(rows.filter((row) => isOtherType(row.value)).map((row) => row.key));
  const isUnread = (...keys: readonly string[]): boolean => keys.some((key) => wrong.has(key));
  const unread: readonly CardPart[] = rows.length
    ? CARD_PARTS.filter((part) => isUnread(...KEYS[part]))
    : listOf(vcardArray).some((part) => part !== 'vcard')
      ? CARD_PARTS
      : [];
  const emails = rows.filter((row) => row.key === 'email' || row.key === 'contact-uri');
  return {
    name: best(names),
    organization: best(rows.filter((row) => row.key === 'org').map((row) => shown(textOf(row.value)))),
    email: best(emails.map((row) => shownEmail(textOf(row.value).replace(/^mailto:/i, '')))),
    phone: phoneOf(rows),
    emptyName: names.length > 0 && names.every((n) => n.value === null) && !unread.includes('name'),
    unread,
  };
}

/** The properties of each part. */
const KEYS: Readonly<Record<CardPart, readonly string[]>> = {
  name: ['fn'],
  organization: ['org'],
  email: ['email', 'contact-uri'],
  phone: ['tel'],
};
const isOtherType = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((part) => isObject(part)) : value !== null && value !== undefined && typeof value !== 'string';

interface Row {
  readonly key: string;
  readonly params: unknown;
  readonly value: unknown;
}
/** The properties of a card, also if its second level is missing. */
function propertiesOf(vcardArray: unknown): readonly Row[] {
  const outer = listOf(vcardArray);
  const second = outer.find((part) => Array.isArray(part) && Array.isArray(part[0]));
  const rows = Array.isArray(second) ? second : outer.filter((part) => Array.isArray(part));
  return rows.flatMap((row: unknown) => {
    const key = at(row, 0);
    return typeof key === 'string' ? { key: key.toLowerCase(), params: at(row, 1), value: at(row, 3) } : [];
  });
}

/** A value is text or a list of parts (an organisation with its units). */
const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string' && part !== '').join(', ') : '';
};
/** The first value that is not a placeholder, else a redacted one. */
const best = (values: readonly Shown[]): Shown => values.find((v) => v.value !== null) ?? values.find((v) => v.withheld) ?? NONE;

/** The first voice number; none if a country code is alone, because then one number was split over several properties. */
function phoneOf(rows: readonly Row[]): Shown {
  const voice = rows.filter((row) => row.key === 'tel' && !typesOf(row.params).includes('fax')).map((row) => textOf(row.value));
  if (voice.some((number) => /^(?:tel:)?\+\d{1,3}$/i.test(number.trim()))) return NONE;
  return best(voice.map(shownPhone));
}
function typesOf(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null) return [];
  const type = Object.entries(params).find(([key]) => key.toLowerCase() === 'type')?.[1];
  return (Array.isArray(type) ? type : [type]).map((t) => String(t).toLowerCase());
}
