/** Values that stand in the place of a value. The list grows from recordings; each phrase is a registry's or a registrar's own. */
const WITHHELD =
  /\bredacted\b|^\W*(?:data (?:protected|redacted|not disclosed)|not (?:disclosed|shown|published|available from registry)|non[- ]public data|(?:gdpr )?masked\b|statutory masking|registration private|ano nymous$|hidden\b|personal (?:data|information)\b|withheld$|restricted$|private person$|individual\W*$|please (?:query|contact) |visit www\.|the registrant of this domain)/i;
const NOTHING = /^(?:[\s.\-–—_*,:;?]*|n\/?a|none|null|undefined|nan|not applicable|unknown|<no value>|not available|no value)$/i;
/** Services that lend their own name to a holder: a real contact, yet not the holder's. */
const PROXY =
  /\bproxy\b|privacy|privat(?:e|ization) (?:registration|service)|whois ?guard|withheld for|domains? by proxy|domain protection services|identity protect|whois ?(?:agent|protect|secure|trustee)|anonym|contact privacy|perfect privacy|data privacy|redaction/i;

/** A longer value is prose, whatever its label. */
const MAX_VALUE = 1000;

export interface Shown {
  /** Null where nothing is stated or what is stated is withheld. */
  readonly value: string | null;
  readonly withheld: boolean;
}
const NOT_STATED: Shown = { value: null, withheld: false };
const HELD_BACK: Shown = { value: null, withheld: true };

/** A printed value as a person reads it: NFC, single spaces; a placeholder is null. */
export function shown(raw: string): Shown {
  if (raw === '' || raw.length > MAX_VALUE) return NOT_STATED;
  const value = raw.normalize('NFC').replace(/\s+/g, ' ').trim();
  if (NOTHING.test(value)) return NOT_STATED;
  return WITHHELD.test(value) ? HELD_BACK : { value, withheld: false };
}
/** A value that is never a matter of privacy (a registrar's name). */
export const stated = (raw: string): string | null => {
  const value = raw.normalize('NFC').replace(/\s+/g, ' ').trim();
  return NOTHING.test(value) ? null : value;
};

const EMAIL = /[^\s@<>()[\]:;,"]+@[^\s@<>()[\]:;,"]+\.[^\s@<>()[\]:;,".]+/;
/** An e-mail address within a printed value; a web form's address or a sentence is none. */
export function shownEmail(raw: string): Shown {
  const { value, withheld } = shown(raw);
  if (value === null) return { value, withheld };
  const found = EMAIL.exec(value)?.[0] ?? null;
  return { value: found, withheld: found === null && withheld };
}
/** A telephone number as printed, without `tel:`; too few digits are none. */
export function shownPhone(raw: string): Shown {
  const { value, withheld } = shown(raw.replace(/^tel:/i, ''));
  if (value === null) return { value, withheld };
  return { value: /[a-z]{4}/i.test(value) || value.replace(/\D/g, '').length < 5 ? null : value, withheld };
}
export const isProxy = (name: string | null): boolean => name !== null && PROXY.test(name);
