/** Letters of a label: those of Latin that are ASCII below their marks or look like no other, and whole labels of scripts that are not mistaken for it. */
const SCRIPTS = [
  /^[a-z\dßæøœðþłđ-]*$/,
  /^[\p{Script=Arabic}\d-]*$/u,
  /^[\p{Script=Hebrew}\d-]*$/u,
  /^[\p{Script=Devanagari}\d-]*$/u,
  /^[\p{Script=Thai}\d-]*$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]*$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\d-]*$/u,
] as const;

/**
 * A name as people write it, `müller.de` for `xn--mller-kva.de`, label by label. A label of mixed scripts, of Cyrillic or Greek, or with a character
 * that could be taken for another, stays as it is on the wire. `toUnicode`: of the browser's library or of Node; it throws, or answers '', where a
 * label has no such form.
 */
export const readableBy =
  (toUnicode: (label: string) => string) =>
  (name: string): string => {
    const readableLabel = (label: string): string => {
      if (!label.startsWith('xn--')) return label;
      try {
        const shown = toUnicode(label);
        const plain = /\p{Script=Latin}/u.test(shown) ? shown.normalize('NFD').replace(/\p{M}/gu, '') : shown;
        return shown !== '' && SCRIPTS.some((script) => script.test(plain)) ? shown : label;
      } catch {
        return label;
      }
    };
    return name.split('.').map(readableLabel).join('.');
  };
