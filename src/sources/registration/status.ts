import { isNotShown, tidy } from './facts.ts';

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
  return phrase === '' ||
    !/\p{L}/u.test(phrase) ||
    phrase.length > 120 ||
    SAYS_NOTHING.test(phrase) ||
    isNotShown(phrase) ||
    NAME_SERVER.test(phrase)
    ? null
    : phrase;
}
/** "Transfer Prohibited by Registrar": the party is named last. */
function prohibited(phrase: string): string | null {
  const [, what = '', whom = ''] =
    /^(delet|update|transfer|renew)(?:e|ion|al)?s?prohibitedby(?:the)?(registrar|registry)$/.exec(letters(phrase)) ?? [];
  return BY_LETTERS.get(`${whom === 'registrar' ? 'client' : 'server'}${what === 'delet' ? 'delete' : what}prohibited`) ?? null;
}
/** A placeholder, a sentence with an address, or a label with its value. */
const SAYS_NOTHING = /^(?:none|null|n\/a|undefined|unknown|no registration status listed\.?)$|\bwww\.|^[\p{L} ]+:\S/iu;
/** A name server with its addresses: a line below a heading that is lost. */
const NAME_SERVER = /^(?:[\p{L}\p{N}\p{M}_-]+\.)+[\p{L}\p{M}]{2,}(?:\s+[\d.:a-f]+)*$/iu;
const LINK = /\(?\s*\b(?:https?:\/\/|www\.icann\.org)\S*/g;

/** A status and the address of its explanation, as most registries print it, or with words that lead to it. */
const EXPLAINED = /^(\w+) (?:[^,;|/]{0,40} )?\(?https?:\/\/\S*$/;

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
const STEMS =
  'regist|enregistr|zarej|rezerv|zarezerw|réserv|riservat|bloqu|zablok|gesperrt|aukc|enchère|withdrawn|withheld|exclu|forbid|protect|occup|collision|awaiting|зарезерв|заблок|activ|aktiv|attiv|ativo|actif|deleg|connect|quarantin|redemption|pending|expir|suspend|assigned|allocated|granted|verified|unverified|prohibit|publi|reserv|restrict|block|unassignable|auction|disput|transfer|archiv|vergeben|belegt|zajet|obsazen|ocupad|asignad|dolu|tahsis|занят|зарегистр';
const WORDS = 'hold|waiting|lock|locked|taken|paid|frozen|busy|billed|grace|online|live|normal|good|dns';
const TAKEN = new RegExp(
  `scheduled for deletion|保留|${STEMS}|${WORDS}|not available|unavailable|in use|in zone|delete ?candidate|to be released|to be deleted|in release|out of service`,
  'i',
);
const NEGATED = /^(?:not|no|non|nicht|nie|ikke|não|un)\b(?! available)|unregist|unassign|unalloc/i;
/** The other words of such states. A phrase with any further word is one that is not known. */
const BESIDE =
  /^(?:a|administratively|admin|after|agent|allowed|an|and|as|at|auto(?:matic)?|available|be|been|being|by|cancelled|candidate|certified|change|changes|cl|client|creat\p{L}*|date|delet\p{L}*|domain|due|em|en|for|forbidden|full|fully|has|id|in|is|level|mandatory|mode|name|no|not|of|ok|on|only|open(?:ed)?|or|owner|paid|pago|period|permanent(?:ly)?|process(?:ed|ing)?|progress|scheduled|soon|drop|out|service|provider|re|registrar|registry|release[ds]?|renew\p{L}*|request(?:ed)?|required|restore\p{L}*|server|sg|sponsoring|st|state|status|temporar(?:y|ily)|the|to|under|until|up?dt?|update\p{L}*|use|user|waiting|will|with|xfer|yet|zone)$/u;
const KNOWN = new RegExp(`^(?:re|un)?(?:(?:${STEMS})\\p{L}*|${WORDS})$`, 'iu');
const isStateWord = (word: string): boolean => BESIDE.test(word) || KNOWN.test(word);
const wordsOf = (state: string): readonly string[] =>
  state
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');

/** Whether a phrase is a state that a registered, reserved or withheld domain has: only words of such states, and none that negates them. */
export const isTaken = (state: string): boolean =>
  BY_LETTERS.has(letters(state)) || (TAKEN.test(state) && !NEGATED.test(state) && wordsOf(state).every(isStateWord));

const UNSIGNED =
  /^(?:un-?signed|n$|inactive|false|insecure|unsecured|disabled|미서명|0$|(?:no|not|non|none|não|nein|nie|nem|ne|нет|hayır|off|absent)(?!\p{L}))/iu;
const SIGNED =
  /^(?:signed|\d{1,5}\s+\d{1,3}\s+\d\s+[\da-f]{16}|[1-9]\d* (?:ds|keys?)\b|(?:oui|s[ií]|sim|ja|tak|ano|áno|igen|да|evet|yes|on|signé|firmad[oa]|assinad[oa])(?!\p{L})|y$|active|true|secure|enabled|서명|1$)/iu;
/** Whether a printed value means that the delegation is signed (DNSSEC); null if it means neither. */
export const signedOf = (value: string): boolean | null => (UNSIGNED.test(value) ? false : SIGNED.test(value) ? true : null);
