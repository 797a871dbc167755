/** 0 ≤ n < 1. */
export type Random = () => number;

const VOWELS = 'aeiou';
const CONSONANTS = 'bdfglmnprstv';
const pick = (from: string, random: Random): string => from[Math.floor(random() * from.length)] ?? '';

/** Another letter of the same script and case. */
function otherLetter(letter: string, random: Random): string {
  const lower = letter.toLowerCase();
  if (/^[a-z]$/.test(lower)) {
    const other = pick(VOWELS.includes(lower) ? VOWELS : CONSONANTS, random);
    return letter === lower ? other : other.toUpperCase();
  }
  const code = letter.codePointAt(0) ?? 0;
  for (let step = 1 + Math.floor(random() * 4); step < 12; step++) {
    const other = String.fromCodePoint(code + step);
    if (/\p{L}/u.test(other) && (other === other.toLowerCase()) === (letter === lower) && other.length === letter.length) return other;
  }
  return letter;
}

/** A text of the same form: letters for letters, digits for digits, everything else as it is. */
export const sameForm = (text: string, random: Random): string =>
  text.replace(/\p{L}|\d/gu, (char) => (/\d/.test(char) ? String(1 + Math.floor(random() * 8)) : otherLetter(char, random)));

const SERIAL = '5550123';
/** A telephone number that is nobody's: country code and form stay, the rest is 555 0123. */
const inventPhone = (text: string): string => {
  const country = /^\s*\+\d{1,3}(?=\D)/.exec(text)?.[0] ?? '';
  let used = 0;
  return country + text.slice(country.length).replace(/\d/g, () => SERIAL[used++ % SERIAL.length] ?? '0');
};
const inventEmail = (text: string, random: Random): string => `${sameForm(text.slice(0, text.indexOf('@')), random)}@shop.example`;

export const EMAIL = /[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/gu;
/** International form, or what stands behind a label of a telephone number. */
export const PHONE = /\+\d[\d .()-]{6,20}\d(?:x\d+)?/g;

/** An invented text for what is personal. The same text is always replaced by the same one. */
export function createInvention(random: Random) {
  const made = new Map<string, string>();
  return (text: string): string => {
    const before = made.get(text);
    if (before !== undefined) return before;
    let invented = text;
    // an invented text may be the original by chance where it is short
    for (let tries = 0; tries < 20 && invented === text; tries++)
      invented = text.includes('@')
        ? inventEmail(text, random)
        : /^[\s+\d().x-]{7,}$/.test(text)
          ? inventPhone(text)
          : sameForm(text, random);
    made.set(text, invented);
    return invented;
  };
}
