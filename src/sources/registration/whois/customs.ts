import type { DayOrder } from '../dates.ts';
import { stated } from '../redaction.ts';

/** What differs from registry to registry within the same labels; most need nothing here. */
export interface Custom {
  readonly order?: DayOrder;
  /** `state:` is a state of the domain, not of an address. */
  readonly state?: boolean;
  /** The domain's own lines go on over blank ones. */
  readonly wide?: boolean;
  /** Labels that mean something else here. */
  readonly skip?: string;
}
const CUSTOM: ReadonlyMap<string, Custom> = new Map(
  Object.entries<Custom>({
    tk: { order: 'mdy' },
    il: { wide: true },
    'xn--4dbrk0ce': { wide: true },
    dk: { skip: 'dns' }, // "DNS:" repeats the name itself
    se: { state: true },
    nu: { state: true },
    ru: { state: true },
    su: { state: true },
    'xn--p1ai': { state: true },
  }),
);
const ORDINARY: Custom = {};
/** What is particular to the registry of a name. */
export const customOf = (domain: string): Custom => CUSTOM.get(domain.slice(domain.lastIndexOf('.') + 1)) ?? ORDINARY;

/** A registrar's name without the tag or the address that some registries print behind it. */
export function registrarName(value: string): string | null {
  const bare = value.replace(/\s*\[\s*tag\s*=[^\]]*\]\s*$/i, '').replace(/\s*\(\s*https?:\/\/[^)]*\)?\s*$/i, '');
  return bare.startsWith('No registrar listed') ? null : stated(bare);
}

const UNSIGNED = /^(?:un-?signed|no\b|n$|inactive|false|insecure|not\b|non\b|não\b|nein\b|nie\b|hayır|disabled|미서명|none\b|0$)/i;
const SIGNED =
  /^(?:signed|\d{1,5}\s+\d{1,3}\s+\d\s+[\da-f]{16}|[1-9]\d* (?:ds|keys?)\b|oui\b|s[ií]\b|sim\b|ja\b|tak\b|evet\b|yes\b|y$|active|true|secure|enabled|서명|1$)/i;
/** Whether a printed value says that the delegation is signed; null where it says neither. */
export const signedOf = (value: string): boolean | null => (UNSIGNED.test(value) ? false : SIGNED.test(value) ? true : null);
