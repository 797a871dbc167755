import { type Element, within } from '../../html/element.ts';
import type { Page } from '../../html/page.ts';
import { foldedText, isBlank, isLeaf } from './elements.ts';

/** The labels of an app page, in small letters. Source: recordings of 2024 and 2026, and the labels that public clients list. */
const KNOWN = new Set([
  ...[
    'pricing',
    'rating',
    'developer',
    'popular with stores like yours',
    'highlights',
    'languages',
    'works with',
    'categories',
    'launched',
  ],
  ...['support', 'features', 'about this app', 'built for shopify', 'data access', 'resources', 'featured images gallery', 'install'],
]);
const labelIn = (element: Element): string => (foldedText(element) ?? '').replace(/ ?:$/, '').toLowerCase();

/** The element after a label, or after the box that holds only it. */
function valueAfter(label: Element, around: Element | null): Element | null {
  const text = foldedText(label);
  for (let box: Element | null = label; box && box !== around && foldedText(box) === text; box = box.parent) if (box.next) return box.next;
  return null;
}

/** A few words at the head of a row, before a value: a label, whatever it says. */
const isRowHead = (element: Element): boolean =>
  isLeaf(element) &&
  /^\p{Lu}[\p{L}’' -]{2,29}:?$/u.test(foldedText(element) ?? '') &&
  element.parent?.children.find((child) => typeof child === 'object') === element &&
  element.next !== null &&
  foldedText(element.next) !== null;

/** The first label that nobody has seen: what stands under it is not known. */
function unknownLabel(page: Page, candidates: readonly Element[], around: Element | null): Element | undefined {
  const isKnown = (element: Element): boolean => KNOWN.has(labelIn(element));
  const values = candidates.filter(isKnown).flatMap((label) => valueAfter(label, around) ?? []);
  const isOther = (element: Element): boolean =>
    values.some((value) => within(element, value)) || page.isIn('about', element) || page.isIn('aboutShort', element);
  return candidates.find((element) => isRowHead(element) && !isKnown(element) && !isOther(element));
}

/**
 * The value of a label. `place`: the value, a label without one, or a label without text; where the page has no such part, the label elsewhere
 * on it; else a label that is not known, which may be this one under another name.
 */
export function labelled(page: Page, label: string, labels: readonly string[], around: Element | null) {
  const candidates = around ? labels.flatMap((selector) => page.all(selector, around)) : [];
  const isLabel = (element: Element): boolean => labelIn(element) === label.toLowerCase();
  const value = candidates.flatMap((element) => (isLabel(element) && valueAfter(element, around)) || [])[0] ?? null;
  const elsewhere = () => (around ? [] : labels.flatMap((selector) => page.all(selector)));
  const place = () =>
    value ??
    candidates.find(isLabel) ??
    candidates.find(isBlank) ??
    elsewhere().find(isLabel) ??
    unknownLabel(page, candidates, around) ??
    null;
  return { value, place };
}
