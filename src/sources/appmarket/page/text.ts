import type { Element, Page } from './html-page.ts';
import type { SelectorName } from './selectors.ts';

/** One line: white space collapsed, trimmed, NFC; null if nothing is left. */
export function fold(text: string | null): string | null {
  if (text === null) return null;
  const line = text.replace(/\s+/g, ' ').trim();
  return line === '' ? null : line.normalize('NFC');
}
/** Text with its line breaks: white space collapsed within a line, at most one blank line in a row; may be `""`. */
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
/** "June 10, 2024" (also inside a longer text) as `2024-06-10`; null if there is no such day. */
export function dayIn(text: string | null): string | null {
  const [, name = '', day = '', year = ''] = DATE.exec(text ?? '') ?? [];
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  if (month === 0) return null;
  const at = new Date(Date.UTC(Number(year), month - 1, Number(day)));
  return at.getUTCDate() === Number(day) ? at.toISOString().slice(0, 10) : null;
}

/** "3,352" as 3352; null for other texts, also for rounded numbers such as "2.9K". */
export function wholeNumber(text: string | null | undefined): number | null {
  if (!text || !/^\d{1,3}(?:,\d{3})+$|^\d{1,12}$/.test(text)) return null;
  return Number(text.replaceAll(',', ''));
}

/** The place of a labelled value: the value, its label without a value, or a label whose text is missing; null if there is none. */
export function labelledPlace(page: Page, label: string, labels: readonly SelectorName[], within: Element | null): Element | null {
  const value = besideLabel(page, label, labels, within);
  if (value || !within) return value;
  const candidates = labels.flatMap((selector) => page.all(selector, within));
  return candidates.find((element) => textOf(page, element) === label) ?? candidates.find((element) => isBlank(page, element)) ?? null;
}
/** The badge of the operator's standard, by its class or by its text. */
export const hasBadge = (page: Page, within: Element): boolean =>
  page.first('badge', within) !== null ||
  page.first('badgeBox', within) !== null ||
  page.all('span', within).some((span) => textOf(page, span) === 'Built for Shopify');
/** An element that holds nothing at all: its text is missing. */
export const isBlank = (page: Page, element: Element): boolean => page.isLeaf(element) && textOf(page, element) === null;

/** The value of a label: the next element, or the element after the box that contains only the label. */
export function besideLabel(page: Page, label: string, labels: readonly SelectorName[], within: Element | null): Element | null {
  if (!within) return null;
  for (const selector of labels) {
    for (const element of page.all(selector, within)) {
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
