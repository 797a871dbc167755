/** States of a registration. Vocabulary: EPP camelCase (RFC 5731, 3915); RDAP's words for the same by RFC 8056; else the registry's phrase. */
const EPP =
  'ok inactive linked addPeriod autoRenewPeriod renewPeriod transferPeriod redemptionPeriod pendingCreate pendingDelete pendingRenew pendingRestore pendingTransfer pendingUpdate clientDeleteProhibited clientHold clientRenewProhibited clientTransferProhibited clientUpdateProhibited serverDeleteProhibited serverHold serverRenewProhibited serverTransferProhibited serverUpdateProhibited'.split(
    ' ',
  );
const letters = (text: string): string => text.replace(/[^\p{L}]/gu, '').toLowerCase();
const BY_LETTERS = new Map([...EPP.map((word) => [letters(word), word] as const), ['active', 'ok'], ['associated', 'linked']]);

/** One state as EPP writes it, whatever the registry's spelling (`CLIENT HOLD`, `client_hold`, `client hold`). */
export function readStatus(text: string): string | null {
  const phrase = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const known = BY_LETTERS.get(letters(phrase)) ?? prohibited(phrase);
  if (known) return known;
  return phrase === '' || !/\p{L}/u.test(phrase) || phrase.length > 120 || SAYS_NOTHING.test(phrase) ? null : phrase;
}
/** "Transfer Prohibited by Registrar": who forbids it stands behind. */
function prohibited(phrase: string): string | null {
  const [, what = '', whom = ''] =
    /^(delete|update|transfer|renew)(?:al)? prohibited by (?:the )?(registrar|registry)$/i.exec(phrase) ?? [];
  return BY_LETTERS.get(`${whom.toLowerCase() === 'registrar' ? 'client' : 'server'}${what.toLowerCase()}prohibited`) ?? null;
}
const SAYS_NOTHING = /^(?:none|null|n\/a|undefined|unknown|no registration status listed\.?)$/i;
const LINK = /\(?\s*\b(?:https?:\/\/|www\.icann\.org)\S*/g;

/** The states in one printed value: a link is cut, a list taken apart, a remark in brackets or behind a dash dropped. */
export function readStatuses(value: string): string[] {
  const exact = BY_LETTERS.get(value.toLowerCase());
  if (exact) return [exact];
  const bare = value
    .replace(LINK, ' ')
    .replace(/\([^)]*\)?/g, ' ')
    .replace(/\s-(?:\s.*)?$/, '');
  return bare.split(/[,;|]|\s\/\s/).flatMap((part) => readStatus(part) ?? []);
}

/** Words of registries that only a name with a holder has, in their languages; a negation before them makes them something else. */
const TAKEN =
  /regist|enregistr|activ|aktiv|attiv|ativo|actif|deleg|connect|quarantin|redemption|pending|expir|suspend|hold|lock|not available|unavailable|taken|in use|in zone|assigned|allocated|paid|granted|verified|prohibit|publi|reserv|transfer|billed|grace|archiv|online|live\b|normal|good|dns|vergeben|belegt|zajet|obsazen|ocupad|asignad|zarej|dolu|tahsis|занят|зарегистр/i;
const NEGATED = /^(?:not|no|non|nicht|nie|ikke|não|un)\b(?! available)|unregist|unassign|unalloc/i;
/** Whether a state is one that we know and that a free name does not have. */
export const isTaken = (state: string): boolean => BY_LETTERS.has(letters(state)) || (TAKEN.test(state) && !NEGATED.test(state));
