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
  const known = BY_LETTERS.get(letters(phrase));
  if (known) return known;
  return phrase === '' || !/\p{L}/u.test(phrase) || phrase.length > 120 || SAYS_NOTHING.test(phrase) ? null : phrase;
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
