import type { Element, Page } from './html-page.ts';
import type { SelectorName } from './selectors.ts';

/** One line as a person reads it: blanks folded, NFC; null where nothing is left. */
export function fold(text: string | null): string | null {
  if (text === null) return null;
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? null : line.normalize('NFC');
}
/** Text with its line breaks: blanks folded within a line, no more than one blank line in a row; `""` where nothing is left. */
export const lines = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .normalize('NFC');

export const textOf = (page: Page, element: Element | null): string | null => (element ? fold(page.raw(element)) : null);
export const attributeOf = (page: Page, element: Element | null, name: string): string | null =>
  element ? fold(page.attribute(element, name)) : null;

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const DATE = /\b([A-Z][a-z]+) (\d{1,2}), (\d{4})\b/;
/** "June 10, 2024" (also within other words) as `2024-06-10`; null where no such day exists. */
export function dayIn(text: string | null): string | null {
  const [, name = '', day = '', year = ''] = DATE.exec(text ?? '') ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return null;
  const at = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  return at.getUTCDate() === Number(day) ? at.toISOString().slice(0, 10) : null;
}

/** "3,352" as 3352; null where the text is no whole number in plain digits ("2.9K" is rounded, so it is none). */
export function wholeNumber(text: string | null | undefined): number | null {
  if (!text || !/^\d{1,3}(?:,\d{3})+$|^\d{1,12}$/.test(text)) return null;
  return Number(text.replaceAll(',', ''));
}

/** What stands beside a label: the element after it, or after the box that holds nothing but it. */
export function besideLabel(page: Page, label: string, marks: readonly SelectorName[], within: Element | null): Element | null {
  if (!within) return null;
  for (const mark of marks) {
    for (const element of page.all(mark, within)) {
      if (textOf(page, element) !== label) continue;
      let box: Element | null = element;
      while (box && box !== within && textOf(page, box) === label) {
        const value = page.next(box);
        if (value) return value;
        box = page.parent(box);
      }
    }
  }
  return null;
}
