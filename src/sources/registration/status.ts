import { tidy } from './facts.ts';

/** Statuses of a registration: EPP names (RFC 5731, 3915), RDAP's names mapped by RFC 8056, otherwise the registry's phrase. */
const EPP =
  'ok inactive linked addPeriod autoRenewPeriod renewPeriod transferPeriod redemptionPeriod pendingCreate pendingDelete pendingRenew pendingRestore pendingTransfer pendingUpdate clientDeleteProhibited clientHold clientRenewProhibited clientTransferProhibited clientUpdateProhibited serverDeleteProhibited serverHold serverRenewProhibited serverTransferProhibited serverUpdateProhibited'.split(
    ' ',
  );
const letters = (text: string): string => text.replace(/[^\p{L}]/gu, '').toLowerCase();
const BY_LETTERS = new Map([...EPP.map((word) => [letters(word), word] as const), ['active', 'ok'], ['associated', 'linked']]);

/** One status in EPP's spelling, from any spelling of a registry (`CLIENT HOLD`, `client_hold`, `client hold`). */
export function readStatus(text: string): string | null {
  const phrase = tidy(text);
  const known = BY_LETTERS.get(letters(phrase)) ?? prohibited(phrase);
  if (known) return known;
  return phrase === '' || !/\p{L}/u.test(phrase) || phrase.length > 120 || SAYS_NOTHING.test(phrase) || NAME_SERVER.test(phrase)
    ? null
    : phrase;
}
/** "Transfer Prohibited by Registrar": the party is named last. */
function prohibited(phrase: string): string | null {
  const [, what = '', whom = ''] =
    /^(delete|update|transfer|renew)(?:al)? prohibited by (?:the )?(registrar|registry)$/i.exec(phrase) ?? [];
  return BY_LETTERS.get(`${whom.toLowerCase() === 'registrar' ? 'client' : 'server'}${what.toLowerCase()}prohibited`) ?? null;
}
const SAYS_NOTHING = /^(?:none|null|n\/a|undefined|unknown|no registration status listed\.?)$/i;
/** A name server with its addresses: a line below a heading that is lost. */
const NAME_SERVER = /^(?:[\w-]+\.)+[a-z]{2,}(?:\s+[\d.:a-f]+)*$/i;
const LINK = /\(?\s*\b(?:https?:\/\/|www\.icann\.org)\S*/g;

/** A status and the address of its explanation, as most registries print it. */
const EXPLAINED = /^(\w+) \(?https?:\/\/\S*$/;

/** The statuses in one printed value: a URL and remarks are removed, a list is split. */
export function readStatuses(value: string): string[] {
  const exact = BY_LETTERS.get((EXPLAINED.exec(value)?.[1] ?? value).toLowerCase());
  if (exact) return [exact];
  // words alone are no list, and nothing is to be removed from them
  if (/^[\w ]+$/.test(value)) return [readStatus(value) ?? []].flat();
  const bare = value
    .replace(LINK, ' ')
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/\s-(?:\s.*)?$/, '');
  return bare.split(/[,;|]|\s\/\s/).flatMap((part) => readStatus(part) ?? []);
}

/** Statuses that only registered domains have, in the registries' languages, unless negated. */
const TAKEN =
  /regist|enregistr|activ|aktiv|attiv|ativo|actif|deleg|connect|quarantin|redemption|pending|expir|suspend|hold|lock|not available|unavailable|taken|in use|in zone|assigned|allocated|paid|granted|verified|prohibit|publi|reserv|transfer|billed|grace|archiv|online|live\b|normal|good|dns|vergeben|belegt|zajet|obsazen|ocupad|asignad|zarej|dolu|tahsis|занят|зарегистр/i;
const NEGATED = /^(?:not|no|non|nicht|nie|ikke|não|un)\b(?! available)|unregist|unassign|unalloc/i;
export const isTaken = (state: string): boolean => BY_LETTERS.has(letters(state)) || (TAKEN.test(state) && !NEGATED.test(state));

const UNSIGNED = /^(?:un-?signed|no\b|n$|inactive|false|insecure|not\b|non\b|não\b|nein\b|nie\b|hayır|disabled|미서명|none\b|0$)/i;
const SIGNED =
  /^(?:signed|\d{1,5}\s+\d{1,3}\s+\d\s+[\da-f]{16}|[1-9]\d* (?:ds|keys?)\b|oui\b|s[ií]\b|sim\b|ja\b|tak\b|evet\b|yes\b|y$|active|true|secure|enabled|서명|1$)/i;
/** Whether a printed value means that the delegation is signed (DNSSEC); null if it means neither. */
export const signedOf = (value: string): boolean | null => (UNSIGNED.test(value) ? false : SIGNED.test(value) ? true : null);
