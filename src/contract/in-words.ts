/** What a value is called beside its identifier, which stays in addresses and in code. */
export const VALUES: ReadonlyMap<string, string> = new Map([
  ['engine_a', 'Google'],
  ['engine_b', 'Bing'],
]);

/** camelCase or kebab-case as words: `clientTransferProhibited` → `client transfer prohibited`, `aiOverview` → `AI overview`. */
export const nameInWords = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]/g, ' ')
    .toLowerCase()
    .replace(/\b(?:ai|dnssec|iana|id|ip|url)\b/g, (short) => short.toUpperCase());

/** `organic rank`, also for `organic[example.com].rank`; `paid` for `paid?`. */
export const fieldInWords = (field: string): string => nameInWords(field.replace(/\[.*\]|\?$/, '').replaceAll('.', ' '));
