import type { DayOrder } from '../dates.ts';
import { stated } from '../redaction.ts';

/** Differences between registries that use the same labels; most registries need none. */
export interface RegistryRules {
  readonly order?: DayOrder;
  /** `state:` is a status of the domain, not part of an address. */
  readonly state?: boolean;
  /** Blank lines do not end the domain's own paragraph. */
  readonly wide?: boolean;
  /** A label that has another meaning at this registry. */
  readonly skip?: string;
}
const RULES: ReadonlyMap<string, RegistryRules> = new Map(
  Object.entries<RegistryRules>({
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
const NO_RULES: RegistryRules = {};
/** The rules of the registry of a domain, by its top-level domain. */
export const rulesOf = (domain: string): RegistryRules => RULES.get(domain.slice(domain.lastIndexOf('.') + 1)) ?? NO_RULES;

/** A registrar's name without the tag or the URL that some registries print after it; null for a placeholder. */
export function registrarName(value: string): string | null {
  const bare = value.replace(/\s*\[\s*tag\s*=[^\]]*\]\s*$/i, '').replace(/\s*\(\s*https?:\/\/[^)]*\)?\s*$/i, '');
  return bare.startsWith('No registrar listed') ? null : stated(bare);
}

const UNSIGNED = /^(?:un-?signed|no\b|n$|inactive|false|insecure|not\b|non\b|não\b|nein\b|nie\b|hayır|disabled|미서명|none\b|0$)/i;
const SIGNED =
  /^(?:signed|\d{1,5}\s+\d{1,3}\s+\d\s+[\da-f]{16}|[1-9]\d* (?:ds|keys?)\b|oui\b|s[ií]\b|sim\b|ja\b|tak\b|evet\b|yes\b|y$|active|true|secure|enabled|서명|1$)/i;
/** Whether a printed value means that the delegation is signed (DNSSEC); null if it means neither. */
export const signedOf = (value: string): boolean | null => (UNSIGNED.test(value) ? false : SIGNED.test(value) ? true : null);
