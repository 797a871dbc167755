import { isText } from 'domhandler';
import type { AnyNode, Element } from '../../html.ts';
import { MAYBE_NOT_NFC } from '../../untyped-json.ts';
import { OVERLAID, parentOf, unseen } from './page.ts';

const BLOCKS = new Set(
  'address article aside blockquote br dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody td th tr ul'.split(
    ' ',
  ),
);
const isAriaHidden = (element: Element | null): boolean => element?.attribs['aria-hidden'] === 'true';
/**
 * An element that the page itself hides from screen readers: a drawing or a copy of a text. A script that hides a whole region (what is
 * collapsed, what lies under a dialog) marks the region and everything in it: that is no sign of a copy.
 */
const isCopy = (element: Element): boolean => isAriaHidden(element) && !isAriaHidden(parentOf(element));
export const isControl = (element: Element): boolean =>
  element.attribs.role === 'button' || element.name === 'button' || element.name === 'svg';
/** Controls, and graphics beside a text with the same content. */
export const isAside = (element: Element): boolean => isCopy(element) || isControl(element);

/** The label of a control, drawn beside it: a screen reader takes it from the control. */
const isTooltip = (element: Element): boolean => {
  if (!isAriaHidden(element)) return false;
  const labels = (parentOf(element)?.children ?? []).flatMap((e) =>
    e.type === 'tag' && isControl(e as Element) ? ((e as Element).attribs['aria-label'] ?? []) : [],
  );
  return labels.length > 0 && labels.includes(textOf(element, isControl) ?? '');
};
/** What lies over or beside a generated answer: controls with their labels, dialogs, messages. A collapsed part of the answer is none of it. */
export const isOverlay = (element: Element): boolean =>
  isControl(element) || OVERLAID.test(element.attribs.role ?? '') || element.name === 'dialog' || isTooltip(element);

/** One visible line of text: the content of one block element, inline markup joined. */
export interface Line {
  readonly text: string;
  /** Whether all of the line is link text. */
  readonly linked: boolean;
}
/** White space collapsed, NFC. */
function fold(text: string): string {
  const folded = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return MAYBE_NOT_NFC.test(folded) ? folded.normalize('NFC') : folded;
}
const UNEVEN = /^\s|\s$|[^\S ]|\s\s/;

/** The visible lines of an element; `skip` excludes subtrees. */
export function linesOf(element: Element, skip: (element: Element) => boolean = isAside): Line[] {
  const lines: Line[] = [];
  let text = '';
  let plain = '';
  const flush = (): void => {
    const whole = fold(text);
    if (whole !== '') lines.push({ text: whole, linked: fold(plain) === '' });
    text = '';
    plain = '';
  };
  const visit = (node: AnyNode, linked: boolean): void => {
    if (isText(node)) {
      text += node.data;
      if (!linked) plain += node.data;
      return;
    }
    if (node.type !== 'tag') return;
    const e = node as Element;
    if (unseen(e) || skip(e)) return;
    const block = BLOCKS.has(e.name);
    if (block) flush();
    const inLink = linked || e.name === 'a';
    for (const child of e.children) visit(child, inLink);
    if (block) flush();
  };
  for (const child of element.children) visit(child, element.name === 'a');
  flush();
  return lines;
}
/** The visible text of an element as one line; null if there is none. */
export function textOf(element: Element | null, skip: (element: Element) => boolean = isAside): string | null {
  if (!element) return null;
  const text = linesOf(element, skip)
    .map((line) => line.text)
    .join(' ');
  return text === '' ? null : text;
}
/** Whether an element holds neither text nor elements: the text that stood there is missing. */
export const isBlank = (element: Element): boolean => element.children.every((child) => isText(child) && child.data.trim() === '');
/** The text of a title, even if it is a link or a button. */
export const titleOf = (element: Element): string | null => textOf(element, (e) => isCopy(e) || e.name === 'svg');
