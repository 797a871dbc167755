import { COUNTRIES, type Codes, codeNamed, LANGUAGES } from './code-names.ts';
import { bad, matching, type ValueType } from './parameter.ts';

/** Two-letter codes in any case, grouped by their first letter. */
function anyOf(codes: ReadonlySet<string>): string {
  const groups = Map.groupBy(codes, ([first = '']) => first);
  const both = (letters: string) => `${letters.toUpperCase()}${letters.toLowerCase()}`;
  const group = (first: string, members: readonly string[]) => `[${both(first)}][${both(members.map((code) => code[1]).join(''))}]`;
  return `^\\s*(?:${[...groups].map(([first, members]) => group(first, members)).join('|')})\\s*$`;
}

const countryCode = matching({
  pattern: anyOf(COUNTRIES),
  must: 'must be an assigned ISO 3166-1 alpha-2 country code, such as US',
  value: (text) => text.trim().toUpperCase(),
});
const languageCode = matching({
  pattern: anyOf(LANGUAGES),
  must: 'must be an ISO 639-1 language code, such as en',
  value: (text) => text.trim().toLowerCase(),
});
/** A name in words is refused with the code that was most likely meant. */
const orNamed = (type: ValueType<string>, codes: Codes): ValueType<string> => ({
  ...type,
  codes,
  read(text) {
    const code = type.read(text);
    const named = code.ok ? null : codeNamed(codes, text);
    return code.ok || named === null ? code : bad(`${code.why} (did you mean ${named}?)`);
  },
});
export const country = orNamed(countryCode, 'region');
export const language = orNamed(languageCode, 'language');
