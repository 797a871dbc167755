import type { Contact, DomainRegistration, Registrar } from '../../contract/operations/registration/operation.ts';
import { type Evidence, evidenceIn } from '../evidence.ts';
import { type Found, foundNothing } from '../outcome.ts';
import { isWithheld } from './withheld.ts';

export const evidence = evidenceIn(new URL('./evidence.tsv', import.meta.url));

const NOTHING =
  /^[\s\p{P}\p{S}]*(?:[\s.\-–—_*,:;?]*|n[./ ]{0,3}a(?: n[./ ]{0,3}a)*|x{3,}|none|null|nil|undefined|not[ .]defined|nan|empty|unknown|unavailable|blank|unspecified|no[ -](?:value|object|data|entr(?:y|ies)|match|record|name)s?(?: found| available| provided)?|not (?:found|provided|specified|set|given|stated|applicable|available|assigned|entered)|nothing(?: found)?|non renseignée?|sin datos|0[0 .,()-]{6,}|não informado|no especificado|(?:dat[oi] )?non disponibil[ei]|non disponible|no disponible|não disponível|nicht (?:angegeben|verfügbar)|niet beschikbaar|dane niedostępne|(?:information|registrant details|details|data)(?: is| are)? not available)[\s\p{P}\p{S}]*$/iu;
/** Names of privacy services: a real contact, but not the registrant's. */
const PROXY =
  /proxy\b|privacy|privat(?:e|ization) (?:registration|service|by design)|whois ?guard|knock knock whois|njalla|on behalf of \S+ owner|private ?who\.?is|withheld for|domains? by proxy|domain protection services|identity protect|whois ?(?:agent|protect|secure|trustee)|anonym|contact privacy|perfect privacy|data privacy|private registrant|redaction|(?:^|[^a-z])(?:domain ?)?id ?(?:shield|protect)|private ?(?:ranger|name services)|whois ?shield|shield ?whois|yin ?si ?bao ?hu|secret registration|domain hidden/i;

/** A longer value is prose. */
const MAX_VALUE = 1000;

/** `value`: null if nothing is stated or the value is redacted. */
export type Shown = { readonly value: string | null; readonly withheld: boolean };
export const NOT_STATED: Shown = { value: null, withheld: false };
const HELD_BACK: Shown = { value: null, withheld: true };

/** Printable ASCII with single spaces, as most values are. */
const IS_TIDY = /^[!-~]+(?: [!-~]+)*$/;
export const tidy = (raw: string): string => (IS_TIDY.test(raw) ? raw : raw.normalize('NFC').replace(/\s+/g, ' ').trim());
/** A link and nothing else, with or without its scheme, or with a word that points to it. */
const LINK =
  /^(?:(?:please )?(?:see|visit|at|via|contact|voir|siehe|ver)[: ] ?)?(?:(?:https?:)?\/\/|www\.|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?\/)\S*$/iu;
const isLink = (value: string): boolean => (value.includes('/') || value.includes('www.') || value.includes('WWW.')) && LINK.test(value);
/** A printed value in NFC with single spaces; null for a placeholder. */
export function shown(raw: string): Shown {
  if (raw === '' || raw.length > MAX_VALUE) return NOT_STATED;
  const value = tidy(raw);
  if (NOTHING.test(value) || isLink(value)) return NOT_STATED;
  return isWithheld(value) ? HELD_BACK : { value, withheld: false };
}
/** The first value that is stated; `withheld` if there is none and one is redacted. */
export const firstShown = (...values: readonly Shown[]): Shown =>
  values.find((v) => v.value !== null) ?? values.find((v) => v.withheld) ?? NOT_STATED;
/** A value that is never redacted (a registrar's name). */
export function stated(raw: string): string | null {
  const value = tidy(raw);
  return NOTHING.test(value) ? null : value;
}
/** A placeholder in place of a value that is no person's: a registrar's name, a state. */
const NOT_SHOWN = /^[^\p{L}]*(?:(?:data|value) )?(?:redacted|not (?:disclosed|shown|displayed|published))\b/iu;
export const isNotShown = (value: string): boolean => NOT_SHOWN.test(value);
/** A registrar's name without the tag or the URL that some registries print after it; null for a placeholder. */
export function registrarName(value: string): string | null {
  const bare = value.replace(/\s*\[\s*tag\s*=[^\]]*\]\s*$/i, '').replace(/\s*\(\s*https?:\/\/[^)]*\)?\s*$/i, '');
  return bare.startsWith('No registrar listed') || isNotShown(bare) ? null : stated(bare);
}

const EMAIL = /[^\s@<>()[\]:;,"]+@[^\s@<>()[\]:;,"]+\.[^\s@<>()[\]:;,".]+/;
/** The e-mail address in a printed value; null for the URL of a web form or a sentence. */
export function shownEmail(raw: string): Shown {
  const { value, withheld } = shown(raw);
  if (value === null) return { value, withheld };
  const found = EMAIL.exec(value)?.[0] ?? null;
  return { value: found, withheld: found === null && withheld };
}
/** What is said about a number in brackets behind it. */
const REMARK = /\s*\([^()]*[a-z]{3}[^()]*\)\s*$/i;
/** Parameters of a `tel:` address (RFC 3966). */
const PARAMETERS = /;[a-z][a-z-]*(?:=[^;]*)?/gi;
const EXTENSION = /;ext=([\d().-]+)/i;
/** A telephone number as printed, with its extension (";ext=102") and no other parameter; null with too few digits. */
export function shownPhone(raw: string): Shown {
  const { value, withheld } = shown((raw.includes(')') ? raw.replace(REMARK, '') : raw).replace(/^tel:/i, ''));
  if (value === null) return { value, withheld };
  const extension = EXTENSION.exec(value)?.[1];
  const number = value.includes(';') ? value.replace(PARAMETERS, '').trim() : value;
  if (/[a-z]{4}/i.test(number) || number.replace(/\D/g, '').length < 5) return { value: null, withheld };
  return { value: extension === undefined ? number : `${number};ext=${extension}`, withheld };
}
const isProxy = (name: string | null): boolean => name !== null && PROXY.test(name);

export const ROLES = ['registrant', 'administrative', 'technical', 'billing'] as const;
export type Role = (typeof ROLES)[number];
export const isRole = (word: string): word is Role => ROLES.some((role) => role === word);

/** The facts that one answer states about a registered domain, in the order of the resource. */
export type Facts = Omit<DomainRegistration, 'domain' | 'available' | 'registrar' | 'scrapedAt' | 'source'> & {
  readonly registrar: Registrar;
};
export const TOO_FAST = 'The registry limits the number of requests.';
export const NO_REGISTRAR: Registrar = { name: null, ianaId: null, abuseEmail: null, abusePhone: null };

type Origin = Pick<DomainRegistration, 'domain' | 'source'> & { readonly atMs: number };

export const takenOf = ({ domain, source, atMs }: Origin, facts: Facts): DomainRegistration => ({
  domain,
  available: false,
  ...facts,
  registrar: Object.values(facts.registrar).some((v) => v !== null) ? facts.registrar : null,
  status: [...new Set(facts.status)],
  nameServers: [...new Set(facts.nameServers)],
  scrapedAt: new Date(atMs).toISOString(),
  source,
});

const NO_DATES = { registeredOn: null, expiresOn: null, updatedOn: null };
const NO_FACTS: Facts = { registrar: NO_REGISTRAR, ...NO_DATES, status: [], nameServers: [], dnssec: null, contacts: [] };
/** The one way to say that a name is available: by what the registry says. */
export const freeOf = (evidence: Evidence, origin: Origin): Found<DomainRegistration> =>
  foundNothing(evidence, { ...takenOf(origin, NO_FACTS), available: true });
/** The resource of a reserved domain: not available, without registration data. */
export const reservedOf = (origin: Origin, phrase: string | null): DomainRegistration =>
  takenOf(origin, { ...NO_FACTS, status: phrase === null ? [] : [phrase] });

type ContactParts = Readonly<Record<'name' | 'organization' | 'email' | 'phone', Shown>>;
const NO_PARTS: ContactParts = { name: NOT_STATED, organization: NOT_STATED, email: NOT_STATED, phone: NOT_STATED };
/** A contact; null if it has neither a value nor a redaction. A privacy service counts as redacted; its name is reported. */
export function contactOf(role: Role, isMarked: boolean, { name, organization, email, phone }: ContactParts = NO_PARTS): Contact | null {
  const parts = [name, organization, email, phone];
  const redacted = isMarked || parts.some(({ withheld }) => withheld) || isProxy(name.value) || isProxy(organization.value);
  if (!redacted && parts.every(({ value }) => value === null)) return null;
  return { role, name: name.value, organization: organization.value, email: email.value, phone: phone.value, redacted };
}
