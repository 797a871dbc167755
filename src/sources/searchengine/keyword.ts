import type { Element } from '../html/element.ts';
import { textOf } from '../html/text.ts';
import { changed, type NotFound } from '../outcome.ts';

/** Letters and digits alone: an answer repeats a search with other blanks, quotes and marks. */
const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
const withoutEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign of the search itself
  }
};

/** The same search; one that is written with an ellipsis at its end is the beginning of the other. */
function isSame(one: string, other: string): boolean {
  const [letters, others] = [lettersOf(one), lettersOf(other)];
  return (
    letters === others ||
    (/(?:…|\.{3})\s*$/.test(one) && others.startsWith(letters)) ||
    (/(?:…|\.{3})\s*$/.test(other) && letters.startsWith(others))
  );
}

/**
 * Of an answer that names the search which it is about, in one or several places: `changed` where none of them is the search asked for. Neither
 * its list nor a "nothing found" says anything of another keyword. null where it names none.
 */
export function aboutAnotherSearch(stated: readonly unknown[], keyword: string): NotFound | null {
  const named = stated.flatMap((text) => (typeof text === 'string' && lettersOf(text) !== '' ? text : []));
  const isOwn = named.some((text) => isSame(text, keyword) || isSame(withoutEscapes(text), keyword));
  if (lettersOf(keyword) === '' || named.length === 0 || isOwn) return null;
  return changed('The answer is about another search.', `asked ${keyword.slice(0, 80)}, given ${named[0]?.slice(0, 80)}`);
}

/** What the search boxes of a page hold: pages write it into an attribute, as the text of the element, or both. */
export const searchesIn = (boxes: readonly Element[]): readonly (string | null | undefined)[] =>
  boxes.flatMap((box) => [box.attribs.value, textOf(box, () => false)]);
