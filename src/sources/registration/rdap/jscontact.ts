import { at, type JsonObject, objectOf, objectsOf, wordsIn } from '../../untyped-json.ts';
import { type Shown, shown, shownEmail, shownPhone } from '../redaction.ts';
import type { Card } from './jcard.ts';

/** The values of a JSContact card (RFC 9553) in RDAP's member `jscard`. Each is read separately. */
export function readJsContact(jscard: unknown): Card {
  const card = objectOf(jscard) ?? {};
  const full = at(card, 'name', 'full') ?? at(card, 'fullName', 'value') ?? card.fullName;
  const name = shown(typeof full === 'string' ? full : partsOf(at(card, 'name', 'components')));
  const phones = entriesOf(card.phones).filter((phone) => !featuresOf(phone).includes('fax'));
  return {
    name,
    organization: best(entriesOf(card.organizations).map((org) => shown(wordsIn(org.name) ?? wordsIn(at(org, 'name', 'value')) ?? ''))),
    email: best(
      entriesOf(card.emails).map((email) => shownEmail((wordsIn(email.address) ?? wordsIn(email.email) ?? '').replace(/^mailto:/i, ''))),
    ),
    phone: best(phones.map((phone) => shownPhone(wordsIn(phone.number) ?? wordsIn(phone.phone) ?? ''))),
    emptyName: (card.name !== undefined || card.fullName !== undefined) && name.value === null,
    unread: [],
  };
}

/** The entries of a JSContact map, whatever their ids. */
const entriesOf = (map: unknown): readonly JsonObject[] => objectsOf(Object.values(objectOf(map) ?? {}));
const featuresOf = (phone: JsonObject): readonly string[] =>
  Array.isArray(phone.features) ? phone.features.map(String) : Object.keys(objectOf(phone.features) ?? {});
const partsOf = (components: unknown): string =>
  Array.isArray(components)
    ? components.flatMap((part) => (at(part, 'kind') === 'separator' ? [] : (wordsIn(at(part, 'value')) ?? []))).join(' ')
    : '';
const NONE: Shown = { value: null, withheld: false };
const best = (values: readonly Shown[]): Shown => values.find((v) => v.value !== null) ?? values.find((v) => v.withheld) ?? NONE;
