import { MAYBE_NOT_NFC } from '../untyped-json.ts';
import { childrenOf, type Element, type Test } from './element.ts';
import { OVERLAID } from './page.ts';

const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th tr ul'.split(
    ' ',
  ),
);
/** The content of such an element is laid out as its parent's. */
const NO_BOX = /display\s*:\s*contents/i;
const isAriaHidden = (element: Element | null): boolean => element?.attribs['aria-hidden'] === 'true';
/** A drawing or a copy of a text. A script that hides a region from screen readers marks all within it: that is no sign of a copy. */
const isCopy = (element: Element): boolean => isAriaHidden(element) && !isAriaHidden(element.parent);
const isControl = ({ name, attribs }: Element): boolean => attribs.role === 'button' || name === 'button';
/** Controls, and graphics beside a text with the same content. */
export const isAside = (element: Element): boolean => isCopy(element) || isControl(element);

/** The label of a control, drawn beside it: a screen reader takes it from the control. */
const isTooltip = (element: Element): boolean => {
  if (!isAriaHidden(element)) return false;
  const beside = element.parent ? childrenOf(element.parent) : [];
  const labels = beside.filter(isControl).flatMap((control) => control.attribs['aria-label'] ?? []);
  return labels.length > 0 && labels.includes(textOf(element, isControl) ?? '');
};
/** What lies over or beside a generated answer: controls with their labels, dialogs, messages. A collapsed part of the answer is none of it. */
export const isOverlay = (element: Element): boolean =>
  isControl(element) || OVERLAID.test(element.attribs.role ?? '') || element.name === 'dialog' || isTooltip(element);

/** One visible line of text: the content of one block element, inline markup joined. */
export interface Line {
  readonly text: string;
  readonly linked: boolean;
}
function fold(text: string): string {
  const folded = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return MAYBE_NOT_NFC.test(folded) ? folded.normalize('NFC') : folded;
}
const UNEVEN = /^\s|\s$|[^\S ]|\s\s/;

export function linesOf(element: Element, skip: Test = isAside): Line[] {
  const lines: Line[] = [];
  let text = '';
  let plain = '';
  const flush = (): void => {
    const whole = fold(text);
    if (whole !== '') lines.push({ text: whole, linked: fold(plain) === '' });
    text = '';
    plain = '';
  };
  const visit = (around: Element, linked: boolean): void => {
    for (const child of around.children) {
      if (typeof child === 'string') {
        text += child;
        if (!linked) plain += child;
      } else if (!skip(child)) {
        const isBlock = BLOCKS.has(child.name) && !NO_BOX.test(child.attribs.style ?? '');
        if (isBlock) flush();
        visit(child, linked || child.name === 'a');
        if (isBlock) flush();
      }
    }
  };
  visit(element, element.name === 'a');
  flush();
  return lines;
}
export function textOf(element: Element | null, skip: Test = isAside): string | null {
  const lines = element ? linesOf(element, skip) : [];
  return lines.map((line) => line.text).join(' ') || null;
}
/** The text of a title, even if it is a link or a button. */
export const titleOf = (element: Element): string | null => textOf(element, isCopy);
/** The longest line that is no link and longer than `above`. */
export const longestLine = (element: Element, skip: Test, above: number): string | null =>
  linesOf(element, skip).reduce<string | null>(
    (best, { text, linked }) => (!linked && text.length > (best?.length ?? above) ? text : best),
    null,
  );
export const isBlank = (element: Element): boolean => element.children.every((child) => typeof child === 'string' && child.trim() === '');

/**
 * The text of an element unchanged, without scripts and styles; a `<br>` becomes a line feed, with the one that the source has beside it.
 * `skip`: elements that are left out.
 */
export function rawText(element: Element, skip?: Test): string {
  const parts = [''];
  const visit = ({ children }: Element): void => {
    for (const child of children)
      if (typeof child === 'string') parts[parts.length - 1] += child;
      else if (child.name === 'br') parts.push('');
      else if (child.name !== 'script' && child.name !== 'style' && !skip?.(child)) visit(child);
  };
  visit(element);
  const last = parts.length - 1;
  const behindBreak = parts.map((part, i) => (i === 0 ? part : part.replace(/^[^\S\n]*\n/, '')));
  return behindBreak.map((part, i) => (i === last ? part : part.replace(/\n[^\S\n]*$/, ''))).join('\n');
}
