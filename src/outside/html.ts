import { compile, is, selectAll, selectOne } from 'css-select';
import type { AnyNode, Document, Element } from 'domhandler';
import { getAttributeValue, innerText } from 'domutils';
import { parseDocument } from 'htmlparser2';

export type { AnyNode, Document, Element };
export { compile, is, selectAll, selectOne };
export type Query = (node: AnyNode) => boolean;

/** A page as a tree: entities decoded, names in lower case. */
export const parseHtml = (html: string): Document => parseDocument(html, { decodeEntities: true });
export const attribute = (node: Element | null | undefined, name: string): string | null =>
  node ? (getAttributeValue(node, name) ?? null) : null;
/** Text as a person reads it: blanks folded, NFC; null where there is none. Scripts and styles are no text. */
export function textAt(node: AnyNode | AnyNode[] | null | undefined): string | null {
  if (!node) return null;
  const text = innerText(node).replace(/\s+/g, ' ').trim().normalize('NFC');
  return text === '' ? null : text;
}
